package cheeseboard;

import java.util.Map;

/** Your bot: it chooses the move for each decision. It is called from several threads if the bot plays at several tables. */
@FunctionalInterface
public interface Chooser {
    /** Return a move such as `{type: "play", rank: 7, count: 2}`; `Offers.fill` makes one from an offer. */
    Map<String, Object> choose(Turn turn) throws Exception;
}
