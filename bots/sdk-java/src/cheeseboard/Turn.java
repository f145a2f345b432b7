package cheeseboard;

import java.util.List;
import java.util.Map;

/**
 * A decision. Whole numbers in maps are Long.
 *
 * @param view what the seat may know (docs/views.md)
 * @param offers what the seat may do: moves with blanks (P30 in docs/protocol.md)
 * @param ask the number of the ask
 * @param events what this seat saw since `choose` was last called for this table
 * @param complete false if events may be missing, for instance because the bot came after the start
 * @param leftMs the time left for the decision, or null for no limit
 */
public record Turn(
        Map<String, Object> view,
        List<Map<String, Object>> offers,
        String game,
        String table,
        int seat,
        Map<String, Object> options,
        long ask,
        List<Map<String, Object>> events,
        boolean complete,
        Long leftMs) {}
