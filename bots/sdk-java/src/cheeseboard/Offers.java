package cheeseboard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Fills the blanks of offers at random; every result is a legal move (P30 in docs/protocol.md). */
public final class Offers {
    private Offers() {}

    /** The move of an offer with its blanks filled at random. */
    public static Map<String, Object> fill(Map<String, Object> offer, Random random) {
        var move = new LinkedHashMap<String, Object>();
        move.put("type", offer.get("move"));
        map(offer.get("fill")).forEach((name, blank) -> move.put(name, filled(blank, random)));
        return move;
    }

    /** One item of a list, at random. */
    public static <T> T pick(List<T> items, Random random) {
        return items.get(random.nextInt(items.size()));
    }

    private static Object filled(Object blank, Random random) {
        if (!(blank instanceof Map)) return blank;
        Map<String, Object> range = map(blank);
        if (!range.containsKey("of")) return between(range, random);
        List<?> items = (List<?>) range.get("of");
        if (!range.containsKey("least")) return pick(items, random);
        List<Object> some = new ArrayList<>(items);
        Collections.shuffle(some, random);
        return new ArrayList<>(some.subList(0, (int) between(range, random)));
    }

    private static long between(Map<String, Object> range, Random random) {
        long least = (Long) range.get("least");
        long most = (Long) range.get("most");
        return least + (long) (random.nextDouble() * (most - least + 1));
    }

    /** A map that came in a message. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    /** A list of maps that came in a message. */
    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> maps(Object value) {
        return value == null ? List.of() : (List<Map<String, Object>>) value;
    }
}
