/**
 * The texts of the page. They live in messages/<language>/<area>.js, one line for each message; the server links the files of one
 * language into the client (server/web/client.py), so a page has no texts of another language and needs no further request.
 *
 * A module imports the English file of its area, which the server replaces by that of the page's language, and makes its own `t`:
 *
 *   import { texts } from "./messages/en/page.js";
 *   const t = translator(texts);
 *   t("greeting", { name, count })
 *
 * A message is in the syntax of ICU: "{name} has {count, plural, one {# card} other {# cards}}". `plural` takes the exact number ("=0")
 * or the category of the number in this language, `select` the text itself; the name of my own seat is "you" in it.
 */

import { texts as common } from "./messages/en/common.js";

export const language = globalThis.document?.documentElement.lang || "en";

/** For dates: the language of the page as the user's country writes it. */
export const locale = globalThis.navigator?.languages?.find((one) => one.startsWith(language)) ?? language;

const plurals = new Intl.PluralRules(language);
const parsed = new Map(); // the parts of each message that has been shown

/** What `names(seat)` returns for my own seat. */
export const YOU = common.you;

const CASE = /\s*(=?\w+)\s*\{/y;

/** The parts of a message from `at` to its end or to the brace that closes it: texts, and {name, kind, cases}. */
function parse(text, at = 0) {
  const parts = [];
  let start = at;
  while (at < text.length && text[at] !== "}") {
    if (text[at] !== "{") {
      at++;
      continue;
    }
    if (at > start) parts.push(text.slice(start, at));
    const [, name, kind] = /^\{(\w+)(?:, (plural|select),)?/.exec(text.slice(at));
    at += name.length + 1 + (kind ? kind.length + 3 : 0);
    const cases = {};
    while (text[at] !== "}") {
      CASE.lastIndex = at;
      const found = CASE.exec(text);
      const inner = parse(text, CASE.lastIndex);
      cases[found[1]] = inner.parts;
      at = inner.end + 1;
    }
    parts.push({ name, kind, cases });
    start = ++at;
  }
  if (at > start) parts.push(text.slice(start, at));
  return { parts, end: at };
}

function caseOf({ kind, cases }, value) {
  if (kind === "select") return cases[value === YOU ? "you" : value] ?? cases.other;
  return cases[`=${value}`] ?? cases[plurals.select(value)] ?? cases.other;
}

/** The parts with their values in place, as a flat list. */
function fill(parts, values, number = null) {
  return parts.flatMap((part) => {
    if (typeof part === "string") return number === null ? part : part.replaceAll("#", number);
    const value = values[part.name];
    if (!part.kind) return [value];
    return fill(caseOf(part, value), values, part.kind === "plural" ? value : number);
  });
}

function partsOf(texts, key, values) {
  const text = texts[key];
  if (text === undefined) throw new Error(`there is no message "${key}"`);
  if (!text.includes("{")) return [text];
  if (!parsed.has(text)) parsed.set(text, parse(text).parts);
  return fill(parsed.get(text), values);
}

/** The function from a key and values to the text. `t.rich` returns a list, so that values can be vnodes. */
export function translator(texts) {
  const t = (key, values = {}) => partsOf(texts, key, values).join("");
  t.rich = (key, values) => partsOf(texts, key, values);
  return t;
}

const listLanguage = language === "en" ? "en-GB" : language; // British lists have no comma before "and"
const all = new Intl.ListFormat(listLanguage);
const row = new Intl.ListFormat(listLanguage, { type: "unit", style: "short" });
const any = new Intl.ListFormat(listLanguage, { type: "disjunction" });

/** "Ann, Bo and Cy". */
export const listed = (items) => all.format(items);

/** Names of players that do not begin a sentence: "you" instead of "You". */
export const inside = (names) => names.map((name) => (name === YOU ? common.you_inside : name));

/** Names of players at the beginning of a sentence: "Ann and you", "You and Ann". */
export const together = ([first, ...others]) => listed([first, ...inside(others)]);

/** Parts of a label: "Ann, a bot, thinking", as the language writes a list without "and". Parts that are empty are left out. */
export const inRow = (items) => row.format(items.filter(Boolean));

/** Whole sentences after each other. */
export const sentences = (texts) => texts.filter(Boolean).join(" ");

/** Short facts that have nothing to do with each other, in one line. */
export const facts = (texts) => texts.filter(Boolean).join(" · ");

/** "red, green or blue". */
export const either = (items) => any.format(items);
