/**
 * Texts that come from the server, such as reasons for refusals, in the language of the page. The server sends English. In other
 * languages messages/<language>/server.js has the translation of each text; "{0}" and so on stand for what differs.
 */

import { texts } from "./messages/en/server.js";

const HOLE = /\{(\d)\}/g;
const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The texts with holes: what to look for, in which order the holes come, and the translation. */
const patterns = Object.entries(texts).flatMap(([english, other]) => {
  if (!/\{\d\}/.test(english)) return [];
  const holes = [...english.matchAll(HOLE)].map((hole) => hole[1]);
  return [{ pattern: new RegExp(`^${english.split(/\{\d\}/).map(escaped).join("(.+?)")}$`), holes, other }];
});

/** A text of the server in the language of the page; as it is if there is no translation. */
export function told(text) {
  if (Object.hasOwn(texts, text ?? "")) return texts[text];
  for (const { pattern, holes, other } of patterns) {
    const found = pattern.exec(text);
    if (found) return other.replaceAll(HOLE, (_, hole) => told(found[holes.indexOf(hole) + 1]));
  }
  return text;
}
