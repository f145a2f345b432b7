/** The log of a game: every event as a sentence, under headings, with small pictures of what it is about. */

import { html, useEffect, useMemo } from "./html.js";
import { useStickToBottom } from "./stick.js";
import { eventText, isolated, namesOf } from "./words.js";
import { texts } from "./messages/en/table.js";
import { sentences, translator } from "./messages.js";

const t = translator(texts);

const NOTES = { clock: "by_clock", stand_in: "by_stand_in" }; // messages, by what made the move

/**
 * The lines of the log, the oldest first: {key, n, seat, by, type, text, picture, heading}. They depend on the log alone: what a sentence
 * needs to know of earlier events is collected by `words.remember`, so that no later event changes it. `namesAt(n)` are the names
 * of the seats at entry n.
 */
export const logLines = (log, words, namesAt) => linesOf(new WeakMap(), log, words, namesAt);

const NOTHING = {}; // what is known before the first entry

/** The same. `told` remembers the lines of each entry, which are made again only if other events came before it. */
function linesOf(told, log, words, namesAt) {
  const lines = [];
  let known = NOTHING;
  for (const entry of log) {
    if (told.get(entry)?.before !== known) told.set(entry, entryLines(entry, known, words, namesAt(entry.n)));
    const { own, after } = told.get(entry);
    lines.push(...own);
    known = after;
  }
  return lines;
}

/** The lines of one entry: {before, own, after}, with what is known before it and after it. */
function entryLines({ n, events, seat, by }, before, words, names) {
  const own = [];
  let known = before;
  let note = NOTES[by] ?? null;
  events.forEach((event, at) => {
    const heading = words?.headings?.[event.type]?.(event, names, known) ?? null;
    const text = eventText(event, words, names, known);
    if (heading || text) own.push({ key: `${n}-${at}`, n, seat, by, type: event.type, heading, text: text && note ? t(note, { text }) : (text ?? ""), picture: words?.pictures?.[event.type]?.(event, known) ?? null });
    if (text) note = null;
    known = words?.remember?.(known, event) ?? known;
  });
  return { before, own, after: known };
}

/** What the events of a log up to entry n have told, as `words.remember` collects it. */
export const knownOf = (log, words, n) => log.filter((entry) => entry.n <= n).flatMap((entry) => entry.events).reduce((known, event) => words?.remember?.(known, event) ?? known, {});

/** What the newest entry of these lines says, one text for each thing that happened. */
function newestTexts(lines) {
  const texts = lines.filter((line) => line.text);
  const newest = texts.at(-1)?.n;
  return texts.filter((line) => line.n === newest).map((line) => line.text);
}

export const newestText = (lines) => sentences(newestTexts(lines));

const MOST_NEWS = 3; // lines over the board
const MOST_CHARACTERS = 120; // in these lines together

/** The index of the first of these texts that is seen over the board: there is room for the last few, and for the last one always. */
function firstSeen(texts) {
  let length = 0;
  const tooMany = texts.findLastIndex((text, at) => (length += text.length) > MOST_CHARACTERS || texts.length - at > MOST_NEWS);
  return Math.min(tooMany + 1, texts.length - 1);
}

/** The latest news: a line for each thing that happened. Screen readers announce all of them; the board has room for the last ones. */
export function Just({ lines }) {
  const texts = newestTexts(lines);
  const first = firstSeen(texts);
  return html`<p class=${`just ${texts.length - first > 1 ? "lines" : ""}`} aria-live="polite">${texts.map((text, at) => html`<span key=${at} class=${at < first ? "sr" : ""}>${at ? " " : ""}${text}</span>`)}</p>`;
}

/** The names of the seats at each entry. Whoever takes a seat over later does not change what was said of it before. */
function namesAt(info, owners) {
  const now = namesOf(info);
  const me = info.seats[info.you]?.user;
  return (n) => (seat) => {
    const then = owners.findLast((one) => one.seat === seat && one.n <= n);
    if (!then?.name) return now(seat);
    return me && then.user === me ? now(info.you) : isolated(then.name);
  };
}

/** The lines of a feed's log. Old ones are made again only when a name changes. */
export function useLogLines(feed, words, info) {
  const log = feed.log.value;
  const owners = feed.owners.value;
  const told = useMemo(() => new WeakMap(), [words, owners, info.you, info.seats.map((seat) => seat.name).join("\n")]);
  return useMemo(() => linesOf(told, log, words, namesAt(info, owners)), [told, log]);
}

/** A line with its heading. */
function Line({ line }) {
  return [
    line.heading ? html`<li class="log-head">${line.heading}</li>` : null,
    line.text ? html`<li>${line.picture ? html`<span class="log-picture" aria-hidden="true">${line.picture}</span>` : null}${line.text}</li>` : null,
  ];
}

const elements = new WeakMap(); // the element of each line: preact leaves one alone that is the same as before, and a log may have thousands

function elementOf(line) {
  if (!elements.has(line)) elements.set(line, html`<${Line} key=${line.key} line=${line} />`);
  return elements.get(line);
}

/** The whole log. `mine` is my seat, or null: a mark separates what happened since the last move that I made myself. */
export function Log({ feed, lines, mine }) {
  const box = useStickToBottom();
  useEffect(() => void feed.completeLog(), [feed, feed.now.value?.n]);
  const last = mine === null ? undefined : lines.findLast((line) => line.seat === mine && line.by === "seat")?.n;
  const since = last === undefined ? -1 : lines.findIndex((line) => line.n > last);
  return html`<ol class="log" ref=${box} tabindex="0" aria-label=${t("what_happened")}>
    ${lines.flatMap((line, at) => (at === since ? [html`<li key="since" class="log-since">${t("since_turn")}</li>`, elementOf(line)] : [elementOf(line)]))}
    ${lines.length ? null : html`<li class="quiet">${t("nothing_yet")}</li>`}
  </ol>`;
}
