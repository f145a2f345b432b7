package cheeseboard;

import java.util.List;

/**
 * What a bot is to do.
 *
 * @param join the code of a table to sit down at; the plan is done when that table has ended
 * @param game a game to open a table of against house bots; the plan is done when that table has ended
 * @param practice a game to play in the practice pool, at `times` tables
 * @param seats the number of seats of tables for `game` and `practice`
 * @param games with none of the first three: the games for which the bot accepts invitations, or null for all
 * @param tables and at how many tables at once
 */
public record Plan(String join, String game, String practice, int seats, int times, List<String> games, int tables) {
    /** Sit down at the table with this code. */
    public static Plan join(String code) {
        return new Plan(code, null, null, 0, 1, null, 0);
    }

    /** Open a table of this game against house bots. */
    public static Plan against(String game, int seats) {
        return new Plan(null, game, null, seats, 1, null, 0);
    }

    /** Play in the practice pool. */
    public static Plan practice(String game, int seats, int times) {
        return new Plan(null, null, game, seats, times, null, 0);
    }

    /** Accept invitations to these games, or to all if there are none, at so many tables at once. */
    public static Plan invitations(int tables, String... games) {
        return new Plan(null, null, null, 0, 0, games.length == 0 ? null : List.of(games), tables);
    }

    boolean waits() {
        return join == null && game == null && practice == null;
    }
}
