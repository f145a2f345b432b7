/** Compares what chance gave in a finished game with what its seed gives. */

import { drawAgain, saltedSeed } from "./replay_chance.js";
import { BY_CHANCE, DEALS } from "./replay_deals.js";
import { texts } from "./messages/en/replay.js";
import { translator } from "./messages.js";

const t = translator(texts);

/** Make all draws of a replay file again, and compare them with its events. Returns {ok, text}. */
export async function checkDraws(rows, draws) {
  const [head] = rows;
  const compare = DEALS[head.game];
  const seed = await saltedSeed(head.seed, rows.find((row) => row.type === "started").salts ?? []);
  const found = { draws: 0, shuffles: 0, entries: 0 };
  for (const row of rows) {
    if (row.type !== "started" && row.type !== "moved") continue;
    const asked = draws[row.n] ?? [];
    if (!asked.length && !row.events.some((event) => BY_CHANCE.has(event.type))) continue;
    const made = await drawAgain(seed, row.n, asked);
    found.entries += 1;
    found.draws += made.length;
    found.shuffles += made.filter((draw) => draw.kind === "shuffled").length;
    if (compare && !agrees(compare, row.events, made, head)) {
      return { ok: false, text: t("wrong_entry", { n: row.n }) };
    }
  }
  const counts = { shuffles: found.shuffles, others: found.draws - found.shuffles, entries: found.entries };
  return compare ? { ok: true, text: t("drew_all", counts) } : { ok: null, text: t("drew_some", counts) };
}

function agrees(compare, events, made, head) {
  try {
    return compare(events, made, head);
  } catch {
    return false; // draws are missing, or are not what the game asks for
  }
}
