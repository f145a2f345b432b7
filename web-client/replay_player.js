/** Plays a finished game: the messages of its viewers (docs/replay.md, "Playback") go through the normal feed. */

import { applyPatch, Feed } from "./feed.js";
import { batch, signal } from "./html.js";
import { logLines } from "./log.js";
import { namesOf } from "./words.js";
import { told } from "./told.js";
import { texts } from "./messages/en/replay.js";
import { sentences, translator } from "./messages.js";

const t = translator(texts);

const { decode, decodeMulti } = globalThis.MessagePack;

export const SPEEDS = [0.5, 1, 2, 4, 8];
const STEP_MS = 1400; // between two entries at speed 1
const EARLY_MS = 150; // a playback that takes longer to load is shown as far as it has come
const ENTRIES = [0xa7, ...new TextEncoder().encode("entries")]; // the last field of a playback, before its list

/**
 * Fetch the playback of a game from a viewpoint: "public", the number of a seat, or "open". While a long one is loading,
 * `early` gets what has come, with `partial` set, until it returns true.
 */
export async function fetchPlayback(id, view, early) {
  const answer = await fetch(`/r/${id}/updates?view=${view}`);
  if (!answer.ok) throw Object.assign(new Error(told((await answer.text()).trim())), { status: answer.status });
  let bytes = new Uint8Array(0);
  const timer = setInterval(() => early(decodeStart(bytes)) && clearInterval(timer), EARLY_MS);
  try {
    const reader = answer.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) bytes = joined(bytes, part.value);
    return decode(bytes);
  } finally {
    clearInterval(timer);
  }
}

function joined(one, other) {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

/** The entries of a playback whose end has not come yet. */
function decodeStart(bytes) {
  const at = bytes.findIndex((_, index) => ENTRIES.every((byte, offset) => bytes[index + offset] === byte));
  const entries = [];
  if (at < 0) return { partial: true, entries };
  const list = at + ENTRIES.length;
  try {
    for (const entry of decodeMulti(bytes.subarray(list + 5))) entries.push(entry); // 5 bytes have the length of the list
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // the last entry is cut off
  }
  return { ...decode(joined(bytes.subarray(0, list), Uint8Array.of(0x90))), entries, partial: true };
}

const updateOf = (entry, view) => entry.messages[view].find((message) => message.type === "update");

/** The table as every viewer knows it, without what the log does not have: nobody is away. */
const asKnown = (info) => ({ ...info, you: undefined, seats: info.seats.map((seat) => ({ ...seat, here: true })) });

/**
 * One game from one viewpoint, or from all of them at once. A stop is an entry that shows something: the set-up, and
 * every move. `at` is the index of the current stop, and `feeds` has one feed for each viewpoint.
 */
export class Player {
  constructor(playback) {
    this.id = playback.table;
    this.entries = playback.entries;
    this.partial = playback.partial ?? false; // later entries are still loading
    this.seats = playback.views; // null is the public
    this.keptUntil = new Date(this.entries.at(-1).at + playback.kept_s * 1000);
    this.views = []; // the view after each entry, of the first viewpoint
    this.infos = []; // the table after each entry
    this.#readAll();
    const isStop = (entry, index) => this.views[index] && (updateOf(entry, 0).events?.length || !this.views[index - 1]);
    this.stops = this.entries.flatMap((entry, index) => (isStop(entry, index) ? [index] : []));
    this.feeds = signal([]);
    this.at = signal(0);
    this.reached = signal(0); // the last stop that was shown: what comes later is a secret, what comes before it is not
    this.stepped = false; // whether the last change was one step forward, which may be animated
    this.playing = signal(false);
    this.speed = signal(1);
    this.#applied = -1;
    this.seek(0);
  }

  #applied; // the index of the last entry that the feeds have received
  #timer = null;

  #readAll() {
    let view = null;
    let info = null;
    for (const entry of this.entries) {
      const update = updateOf(entry, 0);
      info = entry.messages[0].find((message) => message.type === "table") ?? info;
      view = update.view ?? (update.patch && applyPatch(view, update.patch)) ?? view;
      this.views.push(view);
      this.infos.push(asKnown(info));
    }
  }

  get game() {
    return this.infos[0].game;
  }

  get last() {
    return this.stops.length - 1;
  }

  get ended() {
    return this.at.value === this.last && !this.partial;
  }

  /** The entry at a stop; the current one if no stop is given. */
  entry(stop = this.at.value) {
    return this.entries[this.stops[stop]];
  }

  /** What the first viewpoint saw at a stop. */
  view(stop) {
    return this.views[this.stops[stop]];
  }

  /** The table as it was at a stop. After the last one comes what happened to the table later. */
  info(stop = this.at.value) {
    return this.infos[stop === this.last ? this.infos.length - 1 : this.stops[stop]];
  }

  /** The seats that were asked for a move at a stop, as far as this viewpoint knows. */
  actors(stop = this.at.value) {
    return (updateOf(this.entry(stop), 0).acting ?? []).map(([seat]) => seat);
  }

  /** The stop at which entry n is shown. */
  stopOf(n) {
    const found = this.stops.findIndex((index) => this.entries[index].n >= n);
    return found < 0 ? this.last : found;
  }

  /** The entry of the next decision after a stop, which is not an aside; null if there is none. */
  nextDecision(stop = this.at.value) {
    const found = this.stops.slice(stop + 1).find((index) => !this.entries[index].aside);
    return found === undefined ? null : this.entries[found].n;
  }

  /** Show the table as it was at a stop. Going back starts anew from the first entry. */
  seek(stop) {
    const target = Math.max(0, Math.min(this.last, stop));
    this.stepped = target === this.at.value + 1;
    batch(() => {
      if (this.stops[target] < this.#applied || !this.feeds.value.length) {
        this.feeds.value = this.seats.map(() => new Feed(this.id, () => {}));
        this.#applied = -1;
      }
      while (this.#applied < this.stops[target]) this.#apply(++this.#applied);
      this.at.value = target;
      this.reached.value = Math.max(this.reached.value, target);
    });
    if (target === this.last) this.pause();
  }

  #apply(index) {
    this.feeds.value.forEach((feed, view) => {
      for (const message of this.entries[index].messages[view]) {
        if (message.type === "update") feed.onUpdate(message);
        else feed.onInfo(message);
      }
    });
  }

  /** Go to the start of the next turn, or of the previous one: to the next entry by another seat. */
  seekTurn(direction) {
    const seat = (stop) => updateOf(this.entry(stop), 0).seat ?? null;
    const starts = (stop) => stop <= 0 || stop >= this.last || seat(stop) !== seat(stop - 1);
    let stop = this.at.value + direction;
    while (!starts(stop)) stop += direction;
    this.seek(stop);
  }

  /** Go to the next or the previous of these stops. */
  seekAmong(stops, direction) {
    const here = this.at.value;
    const found = direction > 0 ? stops.find((stop) => stop > here) : stops.findLast((stop) => stop < here);
    this.seek(found ?? (direction > 0 ? this.last : 0));
  }

  get stepMs() {
    return STEP_MS / this.speed.value;
  }

  play() {
    clearTimeout(this.#timer);
    if (this.ended) this.seek(0);
    this.playing.value = true;
    const next = () => {
      this.seek(this.at.value + 1);
      if (this.playing.value) this.#timer = setTimeout(next, this.stepMs);
    };
    this.#timer = setTimeout(next, this.stepMs);
  }

  pause() {
    clearTimeout(this.#timer);
    this.playing.value = false;
  }

  toggle() {
    if (this.playing.value) this.pause();
    else this.play();
  }

  /**
   * All stops in words, as the log of the live table has them: {stop, n, parts, text, note}. The parts are the lines of the log at
   * this stop, `text` is all of them, and `note` is what a bot left with the move.
   */
  lines(words) {
    const names = new Map(this.stops.map((index) => [this.entries[index].n, namesOf(this.infos[index])]));
    const log = this.stops.map((index) => ({ seat: null, by: "seat", events: [], ...updateOf(this.entries[index], 0) }));
    const said = new Map();
    for (const line of logLines(log, words, (n) => names.get(n))) said.set(line.n, [...(said.get(line.n) ?? []), line]);
    return this.stops.map((index, stop) => {
      const { n, note = null } = this.entries[index];
      const parts = said.get(n) ?? [];
      if (stop === 0 && this.infos[0].source) parts.push({ key: "source", type: null, heading: null, text: t("plays_on"), picture: null });
      return { stop, n, parts, text: sentences(parts.map((part) => part.text)), note };
    });
  }
}

/** The chapters of the game, which begin with events that the game's words list: each has the heading of that event, or its sentence. */
export function chaptersOf(lines, words) {
  const kinds = new Set(words?.chapters ?? []);
  return lines.flatMap(({ stop, parts }) => {
    const found = parts.find((part) => kinds.has(part.type));
    return found ? [{ stop, text: found.heading || found.text || found.type }] : [];
  });
}
