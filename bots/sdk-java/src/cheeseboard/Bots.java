package cheeseboard;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/** Runs a bot until its plan is done. */
public final class Bots {
    private Bots() {}

    /**
     * Play with this chooser until the plan is done; returns the last `table` message of each finished table. Throws Refused for a
     * bad token, or if the table of the plan cannot be joined.
     */
    public static List<Map<String, Object>> run(Chooser chooser, String url, String token, Plan plan) throws Refused, InterruptedException {
        Map<String, Object> plays = null;
        if (plan.waits()) {
            plays = new HashMap<>(Map.of("tables", (long) plan.tables()));
            if (plan.games() != null) plays.put("games", plan.games());
        }
        var bot = new Bot(url, token, chooser, plays);
        BlockingQueue<Map<String, Object>> ended = new LinkedBlockingQueue<>(); // one for each table
        List<Map<String, Object>> finished = new CopyOnWriteArrayList<>();
        bot.onEnd = info -> {
            System.err.println(info.get("game") + " at table " + info.get("table") + " " + result(info));
            ended.add(info);
        };
        var done = new CompletableFuture<Void>();
        start(done, () -> {
            bot.run();
            return null;
        });
        start(done, () -> {
            System.err.println("connected as " + Offers.map(bot.welcome().get("user")).get("name"));
            for (int left = plan.times(); left > 0; left--) {
                String table = sitDown(bot, plan);
                bot.playAt(table);
                Map<String, Object> info = ended.take();
                while (!table.equals(info.get("table"))) info = ended.take();
                finished.add(info);
            }
            if (!plan.waits()) done.complete(null);
            return null;
        });
        try {
            done.get();
            return List.copyOf(finished);
        } catch (ExecutionException fault) {
            if (fault.getCause() instanceof Refused no) throw no;
            throw new IllegalStateException(fault.getCause());
        }
    }

    private static void start(CompletableFuture<Void> done, java.util.concurrent.Callable<Void> work) {
        var thread = new Thread(() -> {
            try {
                work.call();
            } catch (Exception fault) {
                done.completeExceptionally(fault);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static String sitDown(Bot bot, Plan plan) throws Refused, InterruptedException {
        if (plan.join() != null) {
            Object table = bot.insist("open", Map.of("code", plan.join())).get("table");
            bot.insist("sit", Map.of("table", table));
            return (String) table;
        }
        String game = plan.game() != null ? plan.game() : plan.practice();
        var fields = new HashMap<String, Object>(Map.of("game", game, "seats", seats(bot, game, plan.seats())));
        if (plan.game() != null) fields.put("bots", "rookie");
        String table = (String) bot.insist(plan.game() != null ? "create" : "practice", fields).get("table");
        if (plan.practice() != null) System.err.println("waiting at table " + table + " until it has " + fields.get("seats") + " bots");
        return table;
    }

    /** The number of seats nearest to the wanted one that the game allows. */
    private static long seats(Bot bot, String game, int wanted) throws InterruptedException {
        for (Map<String, Object> one : Offers.maps(bot.welcome().get("games"))) {
            List<?> limits = (List<?>) one.get("seats");
            if (game.equals(one.get("name"))) return Math.min((Long) limits.get(1), Math.max((Long) limits.get(0), wanted));
        }
        return wanted;
    }

    private static String result(Map<String, Object> info) {
        Map<String, Object> result = Offers.map(info.get("result"));
        if (result == null || !(info.get("you") instanceof Long seat)) return "is " + info.get("status");
        List<?> places = (List<?>) result.get("places");
        return "is over: place " + places.get(seat.intValue()) + " of " + places.size();
    }
}
