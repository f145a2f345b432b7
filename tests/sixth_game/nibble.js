/** Nibble: the slab, square by square. Every square that may be bitten is a button. */

import { html } from "../html.js";

const COLUMNS = 6;
const squares = (count) => (count === 1 ? "one square" : `${count} squares`);
const isMouldy = (row, column) => row === 0 && column === 0;

/** How many squares go with this one. */
const bite = (rows, row, column) => rows.slice(row).reduce((sum, length) => sum + Math.max(0, length - column), 0);

export const words = {
  moves: { bite: "Bite" },
  prompt: (_offers, view) => (view.rows[0] > 1 || view.rows[1] ? "Your bite: choose a square." : "Only the mouldy square is left."),
  offers: { bite: (offer) => `Bite a square of row ${offer.fill.row + 1}` },
  why: { bite: "A bite takes the square and all below and to the right of it. Whoever has only the mouldy corner left loses." },
  events: {
    served: (event, names) => `The cheese is served. ${names(event.first)} began.`,
    bitten: (event, names) => `${names(event.seat)} bit off ${squares(event.squares)}.`,
    ended: () => "Only the mouldy corner was left, and now it is eaten.",
  },
};

export const publicOf = (view, seat) => [{ text: squares(view.eaten[seat]), label: "eaten", kind: "eaten" }];

export function render(table) {
  const places = table.view.rows.flatMap((length, row) => Array.from({ length: COLUMNS }, (_, column) => ({ row, column, left: column < length })));
  return {
    board: html`<div class="slab">${places.map((place) => html`<${Square} key=${`${place.row}-${place.column}`} ...${{ table, ...place }} />`)}</div>`,
    bar: null,
  };
}

function Square({ table, row, column, left }) {
  const { view, offers, play, attempt, seat, mini } = table;
  const mould = isMouldy(row, column) ? html`<span class="mould" aria-hidden="true">✳</span>` : null;
  if (!left) return html`<span class="crumb"></span>`;
  if (mini || seat === null) return html`<span class="square">${mould}</span>`;
  const may = offers.some(({ fill }) => fill.row === row && fill.column.least <= column && column <= fill.column.most);
  const act = () => (may ? play : attempt)({ type: "bite", row, column });
  const place = mould ? "The mouldy square" : `Row ${row + 1}, column ${column + 1}`;
  const label = may ? `${place}: bite off ${squares(bite(view.rows, row, column))}` : place;
  return html`<button class=${`square ${may ? "can" : ""}`} aria-disabled=${!may} aria-label=${label} onClick=${act}>${mould}</button>`;
}
