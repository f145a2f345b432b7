/** What this browser keeps to check a deal later: commitments that it was shown, and salts that it added. */

import { load, save } from "./settings.js";

const MAX_KEPT = 200; // tables and salts; the oldest are forgotten

/** Keep the commitment of a table whose game is not over. The first one that was shown counts. */
export function keepCommitment({ table, status, commitment }) {
  if (status !== "open" && status !== "running") return;
  const kept = load("commitments", []);
  if (kept.some(([id]) => id === table)) return;
  save("commitments", [...kept, [table, commitment]].slice(-MAX_KEPT));
}

/** The commitment that was shown for this table, or null if this browser did not see it before the end. */
export const commitmentSeen = (table) => load("commitments", []).find(([id]) => id === table)?.[1] ?? null;

/** A new salt in hex from the browser's generator. Nobody else can know it before it is sent. */
export const newSalt = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Keep the salt of a request that was answered with ok, and the entry with which a seat was taken with it.
 *
 * That entry is null if nobody can tell: no seat was wanted, or it was taken before (`again`), with this salt or with another one.
 */
export function keepSalt({ type, salt, seat }, { table, n, again }) {
  const creates = type === "create" || type === "play_on"; // `n` may then be a later entry than the one of the seat
  const entry = again || (creates && seat === null) ? null : creates ? 1 : n;
  save("salts", [...keptSalts(), [table, salt, entry]].slice(-MAX_KEPT));
}

const keptSalts = () => load("salts", []).filter(Array.isArray); // older versions of the page kept salts without tables

/** Salts of this browser with which seats of this table were taken up to this entry. */
export const saltsUpTo = (table, n) => keptSalts().filter(([id, , entry]) => id === table && entry !== null && entry <= n).map(([, salt]) => salt);

/** Whether this browser has made this salt. */
export const isOwnSalt = (salt) => keptSalts().some(([, own]) => own === salt);
