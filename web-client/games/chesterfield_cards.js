/** The cheeses of Chesterfield: what is printed on them, and how they are drawn. */

import { html } from "../html.js";
import { texts } from "../messages/en/chesterfield.js";
import { translator } from "../messages.js";

const t = translator(texts);

/** Points, trade value, and the action: in a word or two for the card, and in a sentence (CCA-2). */
export const KINDS = {
  Cheddar: { points: 2, trade: 2, short: t("short_cheddar"), does: t("does_cheddar"), rule: "CCA-31" },
  Gruyere: { points: 3, trade: 2, short: t("short_gruyere"), does: t("does_gruyere"), rule: "CCA-32" },
  Pecorino: { points: 3, trade: 3, short: t("short_pecorino"), does: t("does_pecorino"), rule: "CCA-20" },
  Feta: { points: 4, trade: 3, short: t("short_feta"), does: t("does_feta"), rule: "CCA-21" },
  Roquefort: { points: 4, trade: 3, short: t("short_roquefort"), does: t("does_roquefort"), rule: "CCA-22" },
  Emmental: { points: 4, trade: 4, short: t("short_emmental"), does: t("does_emmental"), rule: "CCA-23" },
  Camembert: { points: 5, trade: 5, short: t("short_camembert"), does: t("does_camembert"), rule: "CCA-2" },
  Bleu: { points: 2, trade: 1, short: t("short_bleu"), does: t("does_bleu"), rule: "CCA-24" },
};
export const CHEESES = Object.keys(KINDS);
export const IN_DECK = { Cheddar: 7, Gruyere: 7, Pecorino: 6, Feta: 6, Roquefort: 5, Emmental: 5, Camembert: 4, Bleu: 4 }; // CCA-2

/** The full text of a card. */
export const aboutCard = (card) => t("about_card", { card, points: KINDS[card].points, trade: KINDS[card].trade, does: KINDS[card].does, action: card === "Camembert" ? "no" : "yes", count: IN_DECK[card] });

export const inOrder = (cards) => [...cards].sort((a, b) => CHEESES.indexOf(a) - CHEESES.indexOf(b));
export const tradeOf = (cards) => cards.reduce((sum, card) => sum + KINDS[card].trade, 0);

/** Each drawing is 48 x 36. */
const DRAWN = {
  Cheddar: html`<path d="M4 13 28 5l16 6v14L21 34 4 27z" fill="#e8912d" /><path d="m4 13 17 7 23-9-16-6z" fill="#f6b45c" /><path d="M21 20v14" stroke="#b9661a" stroke-width="1.5" /><path d="M27 23l12-5M27 28l8-3" stroke="#b9661a" stroke-width="1.2" />`,
  Gruyere: html`<path d="M3 26 40 8c4 4 5 9 5 14v10H3z" fill="#efd082" /><path d="M3 26h42v6H3z" fill="#d9ae52" /><path d="M3 32h42v3H3z" fill="#8a5a33" /><circle cx="31" cy="20" r="2.2" fill="#c9973c" /><circle cx="20" cy="24" r="1.500" fill="#c9973c" /><circle cx="38" cy="28.5" r="1.4" fill="#b98a35" />`,
  Pecorino: html`<path d="M4 22a20 15 0 0 1 40 0v9H4z" fill="#2f2923" /><path d="M8 23a16 12 0 0 1 32 0v8H8z" fill="#f3e6c4" /><path d="M8 23h32" stroke="#cdb98c" stroke-width="1.3" /><circle cx="17" cy="27" r=".9" fill="#b19a66" /><circle cx="28" cy="28" r=".9" fill="#b19a66" /><circle cx="24" cy="18" r=".9" fill="#b19a66" /><circle cx="33" cy="20" r=".9" fill="#b19a66" />`,
  Feta: html`<path d="M8 14 26 8l14 5v13l-18 7-14-6z" fill="#fdfcf5" stroke="#9fb0b8" stroke-width="1.2" /><path d="m8 14 14 5 18-6M22 19v14" fill="none" stroke="#9fb0b8" stroke-width="1.2" /><rect x="3" y="29" width="5" height="4" rx="1" fill="#fdfcf5" stroke="#9fb0b8" /><rect x="41" y="28" width="4" height="4" rx="1" fill="#fdfcf5" stroke="#9fb0b8" /><path d="M14 20v6M30 21v7M35 19v6" stroke="#c7d2d6" stroke-width="1.4" />`,
  Roquefort: html`<path d="M3 27 38 7c5 5 7 10 7 16v11H3z" fill="#eef0e4" stroke="#8e9b93" stroke-width="1.2" /><path d="M3 27h42" stroke="#8e9b93" stroke-width="1.2" /><path d="M14 25c3-5 6 0 9-5M28 22c2-6 6-2 8-8M30 30c4-3 6 1 10-2M10 31c3-2 5 1 8-1M20 31c2-1 3 1 5 0" fill="none" stroke="#2f5d80" stroke-width="2" stroke-linecap="round" />`,
  Emmental: html`<path d="M3 26 38 6c5 5 7 11 7 17v11H3z" fill="#f2c84b" /><path d="M3 26h42v8H3z" fill="#dca92f" /><circle cx="33" cy="17" r="5" fill="#b07f1b" /><circle cx="21" cy="23" r="3.200" fill="#b07f1b" /><circle cx="39" cy="25" r="2.4" fill="#b07f1b" /><circle cx="13" cy="30" r="2.6" fill="#96690f" /><circle cx="29" cy="30.5" r="2.8" fill="#96690f" />`,
  Camembert: html`<ellipse cx="24" cy="24" rx="20" ry="9" fill="#d8c49a" /><path d="M4 17v7h40v-7z" fill="#e6d8b8" /><ellipse cx="24" cy="17" rx="20" ry="9" fill="#fbf7ea" stroke="#cdbb8d" /><path d="m24 17 17 5-9 5z" fill="#f4dc8c" stroke="#cdbb8d" stroke-width=".8" /><path d="M9 15l5-2M17 12l6-1M12 19l5 0" stroke="#ddd0ad" stroke-width="1.4" /><path d="M20 3l1.500 2.500 3-.500-2 2.200 1 2.800-2.800-1.200-2.400 1.800.2-3-2.600-1.600 3-.4z" fill="#a8341f" />`,
  Bleu: html`<ellipse cx="24" cy="28" rx="18" ry="7" fill="#5c7486" /><path d="M6 20v8h36v-8z" fill="#6f8aa0" /><ellipse cx="24" cy="20" rx="18" ry="7" fill="#b9cbd6" /><circle cx="17" cy="19" r="2.600" fill="#33516b" /><circle cx="27" cy="22" r="2" fill="#33516b" /><circle cx="31" cy="18" r="1.600" fill="#33516b" /><circle cx="23" cy="17" r="1.200" fill="#33516b" /><path d="M15 11c-3-3 3-4 0-8M24 10c-3-3 3-4 0-8M33 11c-3-3 3-4 0-8" fill="none" stroke="#6d7d3a" stroke-width="1.800" stroke-linecap="round" />`,
};

/** Only the cheese, small. */
export const Cheese = ({ card }) => html`<svg class="cheese" viewBox="0 0 48 38" aria-hidden="true" data-about=${aboutCard(card)}>${DRAWN[card]}</svg>`;

/** A card: points in the wax seal, trade value on the tag, its action in a word. */
export function Card({ card }) {
  const { points, trade, short } = KINDS[card];
  return html`<svg class=${`lot-card ${card.length > 8 ? "long" : ""}`} viewBox="0 0 64 92" aria-hidden="true" data-about=${aboutCard(card)}>
    <rect x="1" y="1" width="62" height="90" rx="7" class="lot-ground" />
    <circle cx="13" cy="13" r="9.5" fill="#a8341f" /><text x="13" y="17.5" text-anchor="middle" class="lot-points">${points}</text>
    <text x="58" y="17.5" text-anchor="end" class="lot-trade">$${trade}</text>
    <g transform="translate(8 23)">${DRAWN[card]}</g>
    <text x="32" y="72" text-anchor="middle" class="lot-name">${card}</text>
    <text x="32" y="84.5" text-anchor="middle" class="lot-does">${short}</text>
  </svg>`;
}

/** The back: waxed paper with a seal. */
export const Back = () => html`<svg class="lot-card back" viewBox="0 0 64 92" aria-hidden="true">
  <rect x="1" y="1" width="62" height="90" rx="7" fill="#3f5a4a" stroke="#22352b" />
  <rect x="5" y="5" width="54" height="82" rx="4" fill="none" stroke="#c9b06a" />
  <path d="M5 5 59 87M59 5 5 87" stroke="#53705e" /><circle cx="32" cy="46" r="13" fill="#c9b06a" /><path d="M26 41h12l-2 10H28z" fill="#3f5a4a" />
</svg>`;
