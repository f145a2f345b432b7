package cheeseboard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A table at which the bot has a seat: what it has seen there, and the decision that it is making. Guarded by the bot. */
final class Seat {
    private static final int MAX_EVENTS = 5000; // kept until the next decision; of more, the turn is not complete

    /** One ask, and the idempotency key of its move. */
    static final class Decision {
        final long ask;
        final List<Map<String, Object>> offers;
        final Map<String, Object> view;
        final String key = UUID.randomUUID().toString();
        private final Long leftMs;
        private final long askedAt = System.nanoTime();

        Decision(Map<String, Object> ask, Map<String, Object> view) {
            this.ask = (Long) ask.get("n");
            this.offers = Offers.maps(ask.get("offers"));
            this.view = view;
            this.leftMs = (Long) ask.get("left_ms");
        }

        boolean isSame(Map<String, Object> other) {
            return other != null && (Long) other.get("n") == ask && offers.equals(other.get("offers"));
        }
    }

    final String table;
    Long last;
    Map<String, Object> info = Map.of();
    Decision decision;
    Map<String, Object> early; // an update that came before the table message that says which seat this is
    boolean shown; // whether this connection has shown the current ask
    private List<Map<String, Object>> events = new ArrayList<>();
    private boolean complete = true;

    Seat(String table) {
        this.table = table;
    }

    /** Remember what has happened, and whether something may have been missed (P24, P25). */
    void note(Map<String, Object> update) {
        Long n = (Long) update.get("n");
        List<Map<String, Object>> happened = Offers.maps(update.get("events"));
        if (!n.equals(last)) {
            boolean follows = last == null ? update.get("view") == null : n == last + 1;
            if (!follows || events.size() + happened.size() > MAX_EVENTS) {
                events.clear();
                complete = false;
            }
            events.addAll(happened);
        }
        last = n;
    }

    /** What the chooser gets; the events are those since its last call. */
    Turn turn(Decision at) {
        var seen = events;
        var whole = complete;
        events = new ArrayList<>();
        complete = true;
        long spent = (System.nanoTime() - at.askedAt) / 1_000_000;
        Long left = at.leftMs == null ? null : Math.max(0, at.leftMs - spent);
        int seat = ((Long) info.get("you")).intValue();
        return new Turn(at.view, at.offers, (String) info.get("game"), table, seat, Offers.map(info.get("options")), at.ask, seen, whole, left);
    }
}
