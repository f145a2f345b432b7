/** The random numbers (salts) that the seats of a finished game have added to its seed. */

import { isOwnSalt, saltsUpTo } from "./commitments.js";
import { texts } from "./messages/en/replay.js";
import { translator } from "./messages.js";

const t = translator(texts);

const FREE = {};

/** The chairs of a table that gets another number of seats or another game (docs/replay.md, "changed"). */
function reseated(chairs, seats, sameGame) {
  const kept = chairs.map((chair) => (sameGame || !chair.bot || chair.level ? chair : FREE));
  for (const surplus of [(chair) => chair === FREE, (chair) => chair.bot, (chair) => chair.held]) {
    for (let seat = kept.length - 1; seat >= 0; seat--) if (kept.length > seats && surplus(kept[seat])) kept.splice(seat, 1);
  }
  return [...kept, ...Array(Math.max(0, seats - kept.length)).fill(FREE)];
}

/** The salts with which the seats were taken that play when the game starts, null for a seat without one. */
export function saltsOfSeats(rows) {
  const [head] = rows;
  let { game, seats } = head.opened ?? head;
  let chairs = Array(seats).fill(FREE);
  for (const row of rows.slice(1)) {
    if (row.type === "started") break;
    if (row.type === "sat") chairs[row.seat] = row;
    else if (row.type === "held") chairs[row.seat] = { ...row, held: true };
    else if (row.type === "left") chairs[row.seat] = FREE;
    else if (row.type === "dismissed") chairs = chairs.map((chair) => (chair.user === row.user ? FREE : chair));
    else if (row.type === "swapped") [chairs[row.seat], chairs[row.other]] = [chairs[row.other], chairs[row.seat]];
    else if (row.type === "changed") [chairs, game] = [reseated(chairs, row.seats, row.game === game), row.game];
  }
  return chairs.map(({ salt }) => salt ?? null);
}

/** What the seats have added to the seed, and whether what this browser added is there. Returns findings: [{ok, text}]. */
export function checkSalts(rows) {
  const [head] = rows;
  const taken = saltsOfSeats(rows);
  const { n, salts = [] } = rows.find((row) => row.type === "started");
  const used = taken.map((_, seat) => salts[seat] ?? null);
  if (salts.length > taken.length || taken.some((salt, seat) => salt !== used[seat])) return [{ ok: false, text: t("other_salts") }];
  const revealed = new Set(rows.filter(({ type }) => type === "sat").map(({ salt }) => salt));
  if (saltsUpTo(head.table, n).some((salt) => !revealed.has(salt))) return [{ ok: false, text: t("own_salt_missing") }];
  const added = salts.filter(Boolean);
  if (!added.length) return [{ ok: null, text: t("no_salt") }];
  return [{ ok: true, text: t("salts", { added: added.length, seats: salts.length, own: added.some(isOwnSalt) ? "yes" : "no" }) }];
}
