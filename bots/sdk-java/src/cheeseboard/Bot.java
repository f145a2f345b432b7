package cheeseboard;

import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** One connection for one token, any number of tables: it reconnects, resumes, and answers every ask with one move. */
public final class Bot {
    // Error codes by what to do about them; docs/bots.md, "Errors".
    private static final Set<String> RETRY_LATER = Set.of("unavailable", "busy", "rate_limited", "too_soon");
    private static final Set<String> TOO_LATE = Set.of("stale_ask", "not_asked", "no_table", "not_running", "not_seated", "not_open", "not_allowed");
    private static final Set<String> BAD_MOVE = Set.of("illegal_move", "bad_field", "missing_field", "surplus_field", "unknown_type", "malformed");
    private static final Set<String> FATAL = Set.of("bad_token", "bad_version", "bad_name", "banned", "no_game", "not_allowed");
    private static final long MAX_BYTES = 16_384; // of a message, if welcome does not say (P8)
    private static final int MAX_PAUSE_MS = 2000; // between two attempts to connect
    private static final int MAX_TRIES = 5; // for a request that fails with any other code (P41)
    private static final int ANSWER_MS = 30_000; // then the connection counts as dead and is replaced
    private static final int SILENT_MS = 20_000; // without any message: a ping finds out whether the connection is alive

    /** Called with the last `table` message of each table that has ended. */
    public Consumer<Map<String, Object>> onEnd = info -> {};
    /** Decides about each invitation. */
    public Predicate<Map<String, Object>> accept = invited -> true;
    /** Where the bot says what happens. */
    public Consumer<String> log = System.err::println;

    private final URI uri;
    private final String token;
    private final Chooser chooser;
    private final Map<String, Object> plays;
    private final Random random = new Random();
    private final Map<String, Seat> seats = new HashMap<>();
    private final Map<Long, CompletableFuture<Map<String, Object>>> answers = new HashMap<>();
    private final ExecutorService workers = Executors.newCachedThreadPool(work -> {
        var thread = new Thread(work, "cheeseboard");
        thread.setDaemon(true);
        return thread;
    });
    private Map<String, Object> welcome = Map.of();
    private Connection connection;
    private boolean ready;
    private boolean lossLogged;
    private Refused fatal;
    private long number;
    private long pauseMs = 50;

    /** `plays` is `{games?: [...], tables?: 1}` for a bot that accepts invitations, or null. */
    public Bot(String url, String token, Chooser chooser, Map<String, Object> plays) throws Refused {
        this.uri = address(url);
        this.token = token;
        this.chooser = chooser;
        this.plays = plays;
    }

    /** The address of the websocket, from the service's address as for a browser or with /ws at its end. */
    static URI address(String url) throws Refused {
        if (!url.matches("(http|ws)s?://[^/].*")) {
            throw new Refused("bad_address", url + " is not an address such as http://127.0.0.1:8000/");
        }
        return URI.create(url.replaceFirst("^http", "ws").replaceFirst("/*$", "").replaceFirst("/ws$", "") + "/ws");
    }

    /** The server's welcome, once there is one. */
    public synchronized Map<String, Object> welcome() throws InterruptedException {
        while (!ready) wait();
        return welcome;
    }

    // The connection.

    /** Connect and play for ever; reconnect whenever the connection is lost. Throws Refused for a bad token. */
    public void run() throws Refused, InterruptedException {
        while (true) {
            Connection.End end = converse();
            lost();
            if (fatal != null) throw fatal;
            if (end.code() == 4004) throw new Refused("bad_token", "the token was revoked");
            if (end.code() == 4005) throw new Refused("banned", "the operator has banned this bot");
            if (end.code() == 404) throw new Refused("HTTP 404", "there is no Cheeseboard at " + uri);
            if (!lossLogged) log.accept("no connection to " + uri + ": " + end.why() + "; reconnecting");
            lossLogged = true;
            Thread.sleep((long) (pauseMs * (1 + random.nextDouble())));
            pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
        }
    }

    private Connection.End converse() {
        Connection here;
        try {
            here = Connection.open(uri);
        } catch (IOException fault) {
            boolean missing = "HTTP 404".equals(fault.getMessage());
            return new Connection.End(missing ? 404 : 0, String.valueOf(fault.getMessage()));
        }
        synchronized (this) {
            connection = here;
        }
        work(() -> sayHello(here));
        work(() -> watch(here));
        return here.read(this::receive);
    }

    /** Find out whether a silent connection is alive, and drop one that is not. */
    private void watch(Connection here) throws InterruptedException {
        while (true) {
            Thread.sleep(SILENT_MS / 4);
            synchronized (this) {
                if (connection != here) return;
            }
            if (here.silentMs() > ANSWER_MS) here.drop("nothing was heard");
            else if (here.silentMs() > SILENT_MS) work(() -> request("ping", Map.of()));
        }
    }

    private void sayHello(Connection here) throws IOException {
        var hello = new LinkedHashMap<String, Object>(Map.of("type", "hello", "id", 0L, "v", 1L, "token", token));
        if (plays != null) hello.put("plays", plays);
        here.send(hello);
    }

    /** Fail what waits for an answer; tables are opened again after the next welcome. */
    private synchronized void lost() {
        ready = false;
        connection = null;
        seats.values().forEach(seat -> seat.shown = false);
        answers.values().forEach(answer -> answer.completeExceptionally(new IOException("the connection was lost")));
        answers.clear();
    }

    /** Something that may fail because the connection is lost, which the next welcome repairs. */
    private interface Work {
        void run() throws Exception;
    }

    private void work(Work work) {
        workers.execute(() -> {
            try {
                work.run();
            } catch (IOException | InterruptedException lost) {
                return;
            } catch (Exception fault) {
                log.accept(fault.toString());
            }
        });
    }

    // Requests.

    /** Send a request once; returns its answer. Throws Refused, or IOException if the connection is lost. */
    public Map<String, Object> request(String type, Map<String, Object> fields) throws Refused, IOException, InterruptedException {
        var answer = new CompletableFuture<Map<String, Object>>();
        Connection here;
        synchronized (this) {
            if (!ready) throw new IOException("not connected");
            here = connection;
            var message = new LinkedHashMap<String, Object>(fields);
            message.put("type", type);
            message.put("id", ++number);
            answers.put(number, answer);
            here.send(message);
        }
        try {
            Map<String, Object> answered = answer.get(ANSWER_MS, TimeUnit.MILLISECONDS);
            if ("error".equals(answered.get("type"))) throw new Refused(answered);
            return answered;
        } catch (ExecutionException lost) {
            throw new IOException(lost.getCause().getMessage());
        } catch (TimeoutException late) {
            here.drop("no answer to " + type);
            throw new IOException("no answer to " + type);
        }
    }

    /** Send a request until it succeeds, over new connections if need be. Throws Refused if a retry cannot help. */
    public Map<String, Object> insist(String type, Map<String, Object> fields) throws Refused, InterruptedException {
        for (int tries = 0; ; ) {
            welcome();
            try {
                return request(type, fields);
            } catch (IOException lost) {
                Thread.sleep(10);
            } catch (Refused no) {
                boolean again = RETRY_LATER.contains(no.code()) || (no.code().equals("internal") && ++tries <= MAX_TRIES);
                if (!again) throw no;
                Thread.sleep(no.pauseMs());
            }
        }
    }

    /** Open a table and answer every ask of this bot's seat. */
    public void playAt(String table) throws InterruptedException {
        var fields = new HashMap<String, Object>(Map.of("table", table));
        synchronized (this) {
            Long last = seats.computeIfAbsent(table, Seat::new).last;
            if (last != null) fields.put("last", last);
        }
        try {
            insist("open", fields);
        } catch (Refused no) {
            log.accept("table " + table + " cannot be opened: " + no.getMessage());
            leave(table);
        }
    }

    private synchronized void leave(String table) {
        Seat seat = seats.remove(table);
        if (seat != null) seat.decision = null;
        notifyAll();
    }

    private void invited(Map<String, Object> invited) throws Refused, InterruptedException {
        String table = (String) invited.get("table");
        Map<String, Object> wanted = plays == null ? Map.of("games", List.of()) : plays;
        boolean welcomeGame = !(wanted.get("games") instanceof List<?> games) || games.contains(invited.get("game"));
        boolean accepted;
        synchronized (this) {
            if (seats.containsKey(table)) return;
            int most = wanted.get("tables") instanceof Number tables ? tables.intValue() : 1;
            accepted = welcomeGame && seats.size() < most && accept.test(invited);
            if (accepted) seats.put(table, new Seat(table));
        }
        if (!accepted) {
            insist("decline", Map.of("table", table));
            return;
        }
        try {
            insist("sit", Map.of("table", table));
        } catch (Refused no) {
            leave(table);
            throw no;
        }
        playAt(table);
    }

    // Messages from the server.

    private synchronized void receive(Map<String, Object> message) {
        switch (String.valueOf(message.get("type"))) {
            case "welcome" -> welcomed(message);
            case "ok", "error" -> answered(message);
            case "seated" -> work(() -> playAt((String) message.get("table")));
            case "invited" -> work(() -> invited(message));
            case "table" -> onTable(message);
            case "update" -> onUpdate(message);
            case "dismissed" -> leave((String) message.get("table"));
            case "bye" -> pauseMs = Math.max(50, (Long) message.get("retry_ms"));
            default -> {} // messages of later versions (P11)
        }
    }

    private void welcomed(Map<String, Object> message) {
        welcome = message;
        ready = true;
        lossLogged = false;
        pauseMs = 50;
        notifyAll();
        var tables = new LinkedHashSet<>(seats.keySet());
        for (Object table : (List<?>) message.get("tables")) tables.add((String) table);
        tables.forEach(table -> work(() -> playAt(table)));
    }

    private void answered(Map<String, Object> message) {
        boolean refused = "error".equals(message.get("type"));
        if (!ready && refused && Long.valueOf(0).equals(message.get("id"))) {
            var no = new Refused(message);
            Connection here = connection;
            if (FATAL.contains(no.code())) {
                fatal = no;
                here.drop(no.getMessage());
            } else {
                work(() -> {
                    Thread.sleep(no.pauseMs());
                    sayHello(here);
                });
            }
            return;
        }
        CompletableFuture<Map<String, Object>> waiting = answers.remove(message.get("id"));
        if (waiting != null) waiting.complete(message);
        else if (refused) log.accept("the server could not read a message: " + message.get("message"));
    }

    private void onTable(Map<String, Object> info) {
        String table = (String) info.get("table");
        Seat seat = seats.get(table);
        if (seat == null) return;
        seat.info = info;
        if (seat.early != null) onUpdate(seat.early);
        if (!Set.of("ended", "closed").contains(info.get("status"))) return;
        leave(table);
        work(() -> request("close", Map.of("table", table)));
        work(() -> onEnd.accept(info));
    }

    private void onUpdate(Map<String, Object> update) {
        Seat seat = seats.get((String) update.get("table"));
        if (seat == null) return;
        seat.note(update);
        if (update.get("view") == null) return; // a missed entry (P27), or the game has not started
        seat.early = seat.info.get("you") == null ? update : null;
        if (seat.early != null) return; // the table message that says which seat this is comes next
        seat.shown = true;
        Map<String, Object> ask = Offers.map(update.get("ask"));
        if (seat.decision != null && !seat.decision.isSame(ask)) seat.decision = null;
        if (ask != null && seat.decision == null) {
            var decision = seat.decision = new Seat.Decision(ask, Offers.map(update.get("view")));
            Turn turn = seat.turn(decision);
            work(() -> answer(seat, decision, turn));
        }
        notifyAll();
    }

    // Decisions.

    private void answer(Seat seat, Seat.Decision decision, Turn turn) throws Exception {
        Map<String, Object> move;
        try {
            move = sendable(chooser.choose(turn));
        } catch (Throwable fault) { // errors, too: a bot that is wrong at one table goes on at the others
            log.accept("choose failed; making a random move: " + fault);
            move = Offers.fill(Offers.pick(decision.offers, random), random);
        }
        if (!sendMove(seat, decision, move)) {
            log.accept("making a random move instead");
            sendMove(seat, decision, Offers.fill(Offers.pick(decision.offers, random), random));
        }
    }

    /** This move, if the server can read it; a longer message would end the connection. */
    private Map<String, Object> sendable(Map<String, Object> move) {
        if (move == null) throw new IllegalArgumentException("choose returned null: expected a move, which is a map");
        int bytes = Msgpack.encode(move).length;
        long most = Offers.map(welcome.getOrDefault("limits", Map.of())).get("frame_bytes") instanceof Long limit ? limit : MAX_BYTES;
        if (bytes > most - 1024) throw new IllegalArgumentException("choose returned " + bytes + " bytes, too many for a message");
        return move;
    }

    /** Send a move until it is answered; false if the server refuses the move itself. */
    private boolean sendMove(Seat seat, Seat.Decision decision, Map<String, Object> move) throws InterruptedException {
        Map<String, Object> fields = Map.of("table", seat.table, "ask", decision.ask, "key", decision.key, "move", move);
        for (int tries = 0; tries <= MAX_TRIES && isCurrent(seat, decision); ) {
            try {
                request("move", fields);
                return true;
            } catch (IOException lost) {
                Thread.sleep(10);
            } catch (Refused no) {
                if (BAD_MOVE.contains(no.code())) {
                    log.accept("the move " + move + " was refused: " + no.getMessage());
                    return false;
                }
                if (TOO_LATE.contains(no.code())) return true;
                if (!RETRY_LATER.contains(no.code())) tries++;
                Thread.sleep(no.pauseMs());
            }
        }
        return true;
    }

    /** Wait until the connection has shown what is asked; returns whether it is still this. */
    private synchronized boolean isCurrent(Seat seat, Seat.Decision decision) throws InterruptedException {
        while (seat.decision == decision && !seat.shown) wait();
        return seat.decision == decision;
    }
}
