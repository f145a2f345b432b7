/** Playing cards as simple drawings, readable at a width of 56 px, and at 16 px as chips. */

import { html } from "./html.js";
import { texts } from "./messages/en/table.js";
import { translator } from "./messages.js";

const t = translator(texts);

const SUITS = {
  h: "M28 66c-9-7-13-11-13-16 0-4 3-7 6.5-7 3 0 5 2 6.5 4 1.5-2 3.5-4 6.5-4 3.5 0 6.5 3 6.5 7 0 5-4 9-13 16z",
  d: "M28 42 38 54 28 67 18 54z",
  s: "M28 42c8 7 13 11 13 16a6 6 0 0 1-10.5 3.5c.3 2.5 1 4 2.5 5.5H23c1.5-1.5 2.200-3 2.5-5.5A6 6 0 0 1 15 58c0-5 5-9 13-16z",
  c: "M28 42a6 6 0 0 1 5 9.5 6 6 0 1 1-2.5 10c.3 2.5 1 4 2.5 5.5H23c1.5-1.5 2.200-3 2.5-5.5a6 6 0 1 1-2.5-10A6 6 0 0 1 28 42z",
};
const LETTERS = { T: "10" };
export const RANKS = "23456789TJQKA";

/** 2 to 14. */
export const rankOf = (card) => RANKS.indexOf(card[0]) + 2;
export const letterOf = (card) => LETTERS[card[0]] ?? card[0];
export const rankName = (rank) => t("rank", { rank });
export const rankLetter = (rank) => (rank > 10 ? RANKS[rank - 2] : String(rank));

/** "three 7s", "a queen", "an 8". */
export const countOf = (count, rank) => t("count_of", { count, rank });

/** A card face: a large rank, the suit, and a word for its effect (`does`). `hidden` hides it from screen readers. */
export function Card({ card, does = "", hidden = false, about = null }) {
  const red = card[1] === "h" || card[1] === "d";
  return html`<svg class=${`card ${red ? "red" : ""}`} viewBox="0 0 56 78" data-about=${about} ...${hidden ? { "aria-hidden": "true" } : { role: "img", "aria-label": t("card", { rank: rankName(rankOf(card)), suit: card[1] }) }}>
    <rect x="1" y="1" width="54" height="76" rx="7" class="card-ground" />
    <text x="28" y="34" text-anchor="middle" class="card-rank">${letterOf(card)}</text>
    <path d=${SUITS[card[1]]} class="card-suit" transform=${does ? "translate(9 18) scale(.68)" : ""} />
    ${does && html`<text x="28" y="73" text-anchor="middle" class="card-does">${does}</text>`}
  </svg>`;
}

/** The back of a card: red wax with holes. */
export const Back = () => html`<svg class="card back" viewBox="0 0 56 78" aria-hidden="true">
  <rect x="1" y="1" width="54" height="76" rx="7" class="back-ground" />
  <rect x="5" y="5" width="46" height="68" rx="4" class="back-line" />
  <circle cx="20" cy="24" r="6" class="back-hole" /><circle cx="37" cy="36" r="4" class="back-hole" /><circle cx="24" cy="54" r="7" class="back-hole" /><circle cx="41" cy="60" r="3" class="back-hole" /><circle cx="39" cy="16" r="3" class="back-hole" />
</svg>`;
