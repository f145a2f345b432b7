import cheeseboard.Bots;
import cheeseboard.Offers;
import cheeseboard.Plan;
import cheeseboard.Refused;
import cheeseboard.Turn;
import java.util.Map;
import java.util.Random;

/** A bot to start from: java -cp cheeseboard-bot.jar MyBot.java http://127.0.0.1:8000/ TOKEN [CODE] */
public final class MyBot {
    private static final Random RANDOM = new Random();

    /** Return one of the moves that `turn.offers()` allows. */
    static Map<String, Object> choose(Turn turn) {
        return Offers.fill(Offers.pick(turn.offers(), RANDOM), RANDOM);
    }

    public static void main(String[] words) throws InterruptedException {
        Plan plan = words.length > 2 ? Plan.join(words[2]) : Plan.invitations(1);
        try {
            Bots.run(MyBot::choose, words[0], words[1], plan);
        } catch (Refused no) {
            System.err.println("refused: " + no.getMessage());
            System.exit(1);
        }
    }
}
