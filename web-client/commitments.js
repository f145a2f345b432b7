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
export function newSalt() {
  const salt = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  save("salts", [...load("salts", []), salt].slice(-MAX_KEPT));
  return salt;
}

/** Whether this browser has made this salt. */
export const isOwnSalt = (salt) => load("salts", []).includes(salt);
