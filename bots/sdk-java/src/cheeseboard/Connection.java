package cheeseboard;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.function.Consumer;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * One websocket (RFC 6455) with whole messages in and out. One thread reads; every loss of the connection ends `read` at once,
 * which java.net.http.WebSocket of Java 17 does not always notice when a connection is reset.
 */
final class Connection {
    /** Why a connection ended: a close code, an HTTP status or 0, and some words. */
    record End(int code, String why) {}

    private static final int CONNECT_MS = 10_000;
    private static final int CONTINUATION = 0, TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private volatile long heardAt = System.nanoTime();
    private volatile String dropped;

    private Connection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.out = socket.getOutputStream();
    }

    /** Connect, and send the handshake. Throws IOException; one that names the HTTP status if the server refuses. */
    static Connection open(URI uri) throws IOException {
        boolean secure = uri.getScheme().equals("wss");
        int port = uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
        Socket socket = secure ? SSLSocketFactory.getDefault().createSocket() : new Socket();
        try {
            socket.connect(new InetSocketAddress(uri.getHost(), port), CONNECT_MS);
            socket.setTcpNoDelay(true);
            if (socket instanceof SSLSocket tls) {
                SSLParameters parameters = tls.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                tls.setSSLParameters(parameters);
            }
            var connection = new Connection(socket);
            connection.shakeHands(uri);
            return connection;
        } catch (IOException fault) {
            socket.close();
            throw fault;
        }
    }

    private void shakeHands(URI uri) throws IOException {
        byte[] key = new byte[16];
        RANDOM.nextBytes(key);
        String host = uri.getHost() + (uri.getPort() >= 0 ? ":" + uri.getPort() : "");
        String request = "GET " + uri.getRawPath() + " HTTP/1.1\r\nHost: " + host + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + Base64.getEncoder().encodeToString(key) + "\r\n\r\n";
        out.write(request.getBytes(StandardCharsets.US_ASCII));
        socket.setSoTimeout(CONNECT_MS);
        String status = line();
        while (!line().isEmpty()) continue; // the other headers say nothing that matters here
        socket.setSoTimeout(0);
        String[] words = status.split(" ");
        if (words.length < 2 || !words[1].equals("101")) throw new IOException("HTTP " + (words.length < 2 ? "?" : words[1]));
    }

    private String line() throws IOException {
        var text = new StringBuilder();
        for (int next = in.readUnsignedByte(); next != '\n'; next = in.readUnsignedByte()) text.append((char) next);
        return text.toString().trim();
    }

    /** Give every message to `receive` until the connection ends; returns why it ended. */
    End read(Consumer<Map<String, Object>> receive) {
        var message = new ByteArrayOutputStream();
        try {
            while (true) {
                int head = in.readUnsignedByte();
                byte[] data = payload();
                heardAt = System.nanoTime();
                switch (head & 0x0f) {
                    case CONTINUATION, BINARY -> message.writeBytes(data);
                    case PING -> frame(PONG, data);
                    case CLOSE -> {
                        return closed(data);
                    }
                    default -> {} // pongs, and text, which this protocol does not have
                }
                if ((head & 0x80) != 0 && (head & 0x0f) <= BINARY && (head & 0x0f) != TEXT) {
                    receive.accept(Offers.map(Msgpack.decode(message.toByteArray())));
                    message.reset();
                }
            }
        } catch (EOFException end) {
            return new End(0, dropped != null ? dropped : "the connection was lost");
        } catch (IOException fault) {
            return new End(0, dropped != null ? dropped : String.valueOf(fault.getMessage()));
        } finally {
            drop("closed");
        }
    }

    private byte[] payload() throws IOException {
        int length = in.readUnsignedByte() & 0x7f;
        if (length == 126) length = in.readUnsignedShort();
        else if (length == 127) length = Math.toIntExact(in.readLong());
        return in.readNBytes(length);
    }

    private End closed(byte[] data) throws IOException {
        int code = data.length < 2 ? 1005 : ByteBuffer.wrap(data).getShort() & 0xffff;
        frame(CLOSE, data);
        return new End(code, "closed with " + code);
    }

    void send(Map<String, Object> message) throws IOException {
        frame(BINARY, Msgpack.encode(message));
    }

    /** Write a frame, masked as those of clients are. */
    private synchronized void frame(int kind, byte[] data) throws IOException {
        var frame = ByteBuffer.allocate(data.length + 14);
        frame.put((byte) (0x80 | kind));
        if (data.length < 126) frame.put((byte) (0x80 | data.length));
        else if (data.length < 1 << 16) frame.put((byte) (0x80 | 126)).putShort((short) data.length);
        else frame.put((byte) (0x80 | 127)).putLong(data.length);
        byte[] mask = new byte[4];
        RANDOM.nextBytes(mask);
        frame.put(mask);
        for (int at = 0; at < data.length; at++) frame.put((byte) (data[at] ^ mask[at & 3]));
        out.write(frame.array(), 0, frame.position());
    }

    long silentMs() {
        return (System.nanoTime() - heardAt) / 1_000_000;
    }

    /** Close the socket, which ends `read`. */
    void drop(String why) {
        if (dropped == null) dropped = why;
        try {
            socket.close();
        } catch (IOException gone) {
            return;
        }
    }
}
