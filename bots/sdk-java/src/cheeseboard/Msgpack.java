package cheeseboard;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The part of msgpack that the protocol uses (P9): maps with text keys, lists, text, whole numbers, booleans and nil. */
final class Msgpack {
    private Msgpack() {}

    /** Encode maps, lists, strings, numbers, booleans and null. */
    static byte[] encode(Object value) {
        var bytes = new ByteArrayOutputStream();
        try {
            write(new DataOutputStream(bytes), value);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, Object value) throws IOException {
        if (value == null) {
            out.writeByte(0xc0);
        } else if (value instanceof Boolean flag) {
            out.writeByte(flag ? 0xc3 : 0xc2);
        } else if (value instanceof Integer || value instanceof Long) {
            writeNumber(out, ((Number) value).longValue());
        } else if (value instanceof String text) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            writeLength(out, utf8.length, 0xa0, 32, 0xda);
            out.write(utf8);
        } else if (value instanceof List<?> list) {
            writeLength(out, list.size(), 0x90, 16, 0xdc);
            for (Object item : list) write(out, item);
        } else if (value instanceof Map<?, ?> map) {
            writeLength(out, map.size(), 0x80, 16, 0xde);
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                write(out, entry.getKey());
                write(out, entry.getValue());
            }
        } else {
            throw new IllegalArgumentException("the protocol has no values of " + value.getClass());
        }
    }

    private static void writeNumber(DataOutputStream out, long number) throws IOException {
        if (number >= -32 && number < 128) {
            out.writeByte((int) number);
        } else if (number == (int) number) {
            out.writeByte(0xd2);
            out.writeInt((int) number);
        } else {
            out.writeByte(0xd3);
            out.writeLong(number);
        }
    }

    private static void writeLength(DataOutputStream out, int length, int fixed, int below, int wide) throws IOException {
        if (length < below) {
            out.writeByte(fixed | length);
        } else if (length < 1 << 16) {
            out.writeByte(wide);
            out.writeShort(length);
        } else {
            out.writeByte(wide + 1);
            out.writeInt(length);
        }
    }

    /** Decode one message. Whole numbers become Long, lists ArrayList, and maps keep the order of their keys. */
    static Object decode(byte[] frame) {
        return read(ByteBuffer.wrap(frame));
    }

    private static Object read(ByteBuffer in) {
        int head = in.get() & 0xff;
        if (head < 0x80) return (long) head;
        if (head < 0x90) return map(in, head & 0x0f);
        if (head < 0xa0) return list(in, head & 0x0f);
        if (head < 0xc0) return text(in, head & 0x1f);
        if (head >= 0xe0) return (long) (byte) head;
        return switch (head) {
            case 0xc0 -> null;
            case 0xc2 -> false;
            case 0xc3 -> true;
            case 0xc4 -> bytes(in, in.get() & 0xff);
            case 0xc5 -> bytes(in, in.getShort() & 0xffff);
            case 0xc6 -> bytes(in, in.getInt());
            case 0xca -> (double) in.getFloat();
            case 0xcb -> in.getDouble();
            case 0xcc -> (long) (in.get() & 0xff);
            case 0xcd -> (long) (in.getShort() & 0xffff);
            case 0xce -> in.getInt() & 0xffffffffL;
            case 0xcf, 0xd3 -> in.getLong();
            case 0xd0 -> (long) in.get();
            case 0xd1 -> (long) in.getShort();
            case 0xd2 -> (long) in.getInt();
            case 0xd9 -> text(in, in.get() & 0xff);
            case 0xda -> text(in, in.getShort() & 0xffff);
            case 0xdb -> text(in, in.getInt());
            case 0xdc -> list(in, in.getShort() & 0xffff);
            case 0xdd -> list(in, in.getInt());
            case 0xde -> map(in, in.getShort() & 0xffff);
            case 0xdf -> map(in, in.getInt());
            default -> throw new IllegalArgumentException("unexpected byte 0x" + Integer.toHexString(head));
        };
    }

    private static byte[] bytes(ByteBuffer in, int length) {
        byte[] data = new byte[length];
        in.get(data);
        return data;
    }

    private static String text(ByteBuffer in, int length) {
        return new String(bytes(in, length), StandardCharsets.UTF_8);
    }

    private static List<Object> list(ByteBuffer in, int length) {
        var items = new ArrayList<Object>();
        for (int item = 0; item < length; item++) items.add(read(in));
        return items;
    }

    private static Map<String, Object> map(ByteBuffer in, int length) {
        var fields = new LinkedHashMap<String, Object>();
        for (int field = 0; field < length; field++) fields.put(String.valueOf(read(in)), read(in));
        return fields;
    }
}
