/** Compares what chance gave in a finished game with what its seed gives, and a file with its digest. All draws are made by this page's own code. */

import { Chance, digestOf, saltedSeed } from "./replay_chance.js";
import { DEALS } from "./replay_deals.js";
import { DiceTable } from "./replay_dice.js";
import { texts } from "./messages/en/replay.js";
import { translator } from "./messages.js";

const t = translator(texts);

const DEALT = "dealt";

/** A value as text, whatever the order of its fields. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
}

const same = (one, other) => canonical(one) === canonical(other);

/** The draws of a card game: it deals once, when it starts by its set-up. */
class CardGame {
  constructor(head) {
    this.head = head;
    this.dealt = Boolean(head.source);
  }

  async agrees(row, chance) {
    const events = [...row.events];
    if (!this.dealt) {
      const deal = await DEALS[this.head.game](this.head, chance);
      if (!same(events.shift(), { type: DEALT, ...deal })) return false;
      this.dealt = true;
    }
    return !events.some(({ type }) => type === DEALT);
  }
}

/** The draws of Diced Cheese: nearly every move throws dice. */
class DiceGame {
  constructor(head, started) {
    this.table = new DiceTable(head, started.position);
  }

  async agrees(row, chance) {
    if (row.type === "moved") return same(row.events, await this.table.play(row.seat, row.move, chance));
    return row.position ? row.events.length === 0 : same(row.events, await this.table.start(chance));
  }
}

const gameOf = (head, started) => (head.game === "diced_cheese" ? new DiceGame(head, started) : DEALS[head.game] ? new CardGame(head) : null);

/** Make all draws of a replay file again, and compare what they give with its events. Returns findings: [{ok, text}]. */
export async function checkDraws(rows) {
  const [head] = rows;
  const gap = rows.slice(0, -1).findIndex((row, index) => row.n !== index + 1);
  if (gap >= 0) return [{ ok: false, text: t("missing_entry", { n: gap + 1 }) }]; // the number of an entry decides its chance
  const started = rows.filter(({ type }) => type === "started");
  const game = gameOf(head, started[0]);
  if (!game) return [{ ok: null, text: t("unknown_deal") }];
  const seed = await saltedSeed(head.seed, started[0].salts ?? []);
  const made = [];
  for (const row of rows) {
    if (row.type !== "started" && row.type !== "moved") continue;
    const chance = new Chance(seed, row.n);
    if (row === started[1] || !(await agrees(game, row, chance))) return [{ ok: false, text: t("wrong_entry", { n: row.n }) }];
    if (chance.made.length) made.push(chance.made);
  }
  const kinds = made.flat().map(([kind]) => kind);
  const shuffles = kinds.filter((kind) => kind === "shuffled").length;
  const counts = { shuffles, others: kinds.length - shuffles, entries: made.length };
  return kinds.length ? [{ ok: true, text: t("drew_all", counts) }] : [];
}

async function agrees(game, row, chance) {
  try {
    return await game.agrees(row, chance);
  } catch {
    return false; // the entry lacks something that the game needs
  }
}

/** Compare the lines before the result with the digest in it. Files that were written before there was one do not have it. */
export async function checkDigest(text, rows) {
  if (rows[0].digest !== "sha256") return [];
  const before = text.slice(0, text.trimEnd().lastIndexOf("\n") + 1);
  const ok = (await digestOf(before)) === rows.at(-1).sha256;
  return [{ ok, text: t(ok ? "digest" : "other_digest") }];
}

/** Where a game began that plays on from another one. Returns findings, none for a game that began with its set-up. */
export function checkSource(rows) {
  const [{ game, source }] = rows;
  const started = rows.find(({ type }) => type === "started");
  if (!source) return started.position ? [{ ok: false, text: t("wrong_entry", { n: started.n }) }] : [];
  const findings = [{ ok: null, text: t("from_position", { n: source.n, table: source.table }) }];
  const anew = (source.seat ?? null) !== null && game !== "diced_cheese"; // in which nothing is hidden
  if (started.events.length || !started.position) return [...findings, { ok: false, text: t("wrong_entry", { n: started.n }) }];
  if (anew) return [...findings, { ok: null, text: t("anew_not_checked") }];
  const ok = same(source.position, started.position);
  return [...findings, { ok, text: t(ok ? "same_position" : "other_position") }];
}
