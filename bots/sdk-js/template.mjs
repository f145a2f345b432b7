// A bot to start from: node template.mjs http://127.0.0.1:8000/ TOKEN [CODE]
import { fill, pick, run } from "cheeseboard-bot";

/** Return one of the moves that `turn.offers` allows. */
function choose(turn) {
  return fill(pick(turn.offers));
}

const [url, token, join] = process.argv.slice(2);
try {
  await run(choose, url, token, { join });
  process.exit(0);
} catch (fault) {
  console.error(fault.message);
  process.exit(1);
}
