/** Sentences for offers and events, in a game's own words or in generic ones. */

import { texts } from "./messages/en/table.js";
import { inRow, translator, YOU } from "./messages.js";

const t = translator(texts);
const plain = (name) => String(name).replaceAll("_", " ");
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** What a field of a move is called. A game that this page does not know may have others. */
export const fieldName = (name) => (Object.hasOwn(texts, `field_${name}`) ? t(`field_${name}`) : plain(name));
const fieldText = (name, value) => t("field_value", { field: fieldName(name), value });

/** What is done, with its fields in brackets. */
const withFields = (what, fields) => (fields.length ? t("with_fields", { what, fields: inRow(fields) }) : what);

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name for use inside a sentence: one in a right-to-left script does not change the order of the words around it. */
export const isolated = (name) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** A function from seat to name; my own seat is "You". Sentences use the past tense, which fits both. */
export function namesOf(info) {
  return (seat) => {
    if (seat === null || seat === undefined) return t("nobody");
    return seat === info?.you ? YOU : isolated(info?.seats[seat]?.name ?? t("seat_number", { number: seat + 1 }));
  };
}

/** "first", "second", ... for places. */
export const ordinal = (number) => t("ordinal", { number });

/** A value of a move or an event as text. */
export function valueText(value, field, words, names) {
  const own = words?.value?.(field, value, names);
  if (own !== undefined && own !== null) return own;
  if (value === null || value === undefined) return t("nothing");
  if (value === true) return t("yes");
  if (value === false) return t("no");
  if (Array.isArray(value)) {
    if (!value.length) return t("none");
    return inRow(value.map((item) => valueText(item, field, words, names)));
  }
  if (typeof value === "object") {
    const parts = Object.entries(value).filter(([name]) => name !== "type");
    return inRow(parts.map(([name, item]) => fieldText(name, valueText(item, name, words, names))));
  }
  if ((field === "seat" || field === "to") && Number.isInteger(value) && names) return names(value);
  return plain(value);
}

/** The sentence for an event; null if it needs none. `view` is the view at that time, or the part of it that the log tells. */
export function eventText(event, words, names, view) {
  const own = words?.events?.[event.type];
  if (own) return own(event, names, view);
  const { type, seat, ...rest } = event;
  const what = withFields(plain(type), Object.entries(rest).map(([name, value]) => fieldText(name, valueText(value, name, words, names))));
  const text = seat === undefined ? what : t("who_did", { who: names(seat), what });
  return capital(text.length > 160 ? `${text.slice(0, 157)}...` : text);
}

/** The sentence for an offer. */
export function offerText(offer, words, names, view) {
  const own = words?.offers?.[offer.move];
  if (own) return own(offer, names, view);
  return capital(withFields(plain(offer.move), Object.entries(offer.fill).map(([name, blank]) => fieldText(name, blankText(blank, name, words, names)))));
}

function blankText(blank, field, words, names) {
  if (!isBlank(blank)) return valueText(blank, field, words, names);
  if (!blank.of) return blank.least === blank.most ? `${blank.least}` : t("range", { least: blank.least, most: blank.most });
  if (blank.least === undefined) return t("one_of_several");
  return blank.least === blank.most ? t("of_these", { count: blank.least }) : t("range_of_these", { least: blank.least, most: blank.most });
}

/** Whether a field of an offer is a blank: literals are never maps. */
export const isBlank = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** The tips that hold in this situation, the most telling first: [{id, text}]. A game without tips has one sentence for each move. */
export function tipsNow(words, offers, view, names) {
  const moves = offers.map((offer) => offer.move);
  if (!words?.tips) return Object.entries(words?.why ?? {}).flatMap(([id, text]) => (moves.includes(id) ? [{ id, text }] : []));
  const offered = (...wanted) => wanted.some((move) => moves.includes(move));
  return words.tips.flatMap(({ id, when, text }) => (moves.length && when(offered, view) ? [{ id, text: text(view, names) }] : []));
}

/** The short name of a move, for its button. */
export const moveName = (move, words) => words?.moves?.[move] ?? capital(plain(move));

/** A move in words, such as "Bid: $5" or "Lay down (cheese: Brie, cards: 3)". A field that says nothing without its name keeps it. */
export function moveText({ type, ...fields }, words, names) {
  const given = Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, valueText(value, name, words, names)]]));
  const what = moveName(type, words);
  if (given.length === 1 && typeof fields[given[0][0]] !== "boolean" && !/^\d+$/.test(given[0][1])) return t("move_value", { what, value: given[0][1] });
  return withFields(what, given.map(([name, value]) => fieldText(name, value)));
}

export { capital, plain };
