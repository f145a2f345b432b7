/** What the auction games share: choosing an amount, and the lanes on which everybody's bid climbs. */

import { html } from "./html.js";
import { Avatar } from "./seats.js";
import { isBlank } from "./words.js";

/** The values that a blank allows; a literal allows itself. */
export const valuesOf = (blank) => (isBlank(blank) ? blank.of : [blank]);

/** Whether a number is within a blank. */
export const within = (blank, number) => (isBlank(blank) ? blank.least <= number && number <= blank.most : blank === number);

/** The amount to begin with: what was chosen, kept within the blank. */
export const amountIn = (blank, chosen) => Math.min(blank.most, Math.max(blank.least, chosen ?? blank.least));

export const money = (dollars) => `$${dollars}`;

/** "Ann's", or "your". */
export const whose = (names, seat) => (names(seat) === "You" ? "your" : `${names(seat)}'s`);

/** An amount by steps or by sliding; the button beside it says what it would do. */
export function Amount({ blank, value, set, label }) {
  if (blank.least === blank.most) return null;
  const step = (by) => set(amountIn(blank, value + by));
  return html`<span class="bid-amount">
    <button aria-label="One dollar less" disabled=${value <= blank.least} onClick=${() => step(-1)}>−</button>
    <input type="range" aria-label=${label} aria-valuetext=${money(value)} min=${blank.least} max=${blank.most} value=${value} onInput=${(event) => set(Number(event.target.value))} />
    <button aria-label="One dollar more" disabled=${value >= blank.most} onClick=${() => step(1)}>+</button>
  </span>`;
}

/** Bid or drop; `verb` is what bidding is called here. */
export function BidBar({ table, offer, chosen, choose, verb = "Bid", children }) {
  const { offers, play } = table;
  const drop = offers.some((one) => one.move === "drop");
  const value = offer && amountIn(offer.fill.amount, chosen);
  return html`<div class="bid-bar">
    ${offer && html`<${Amount} blank=${offer.fill.amount} value=${value} set=${choose} label="Your bid" />
      <button class="can do" data-place="my-bid" onClick=${() => play({ type: offer.move, amount: value })}>${verb} ${money(value)}</button>`}
    ${drop && html`<button class="can soft" onClick=${() => play({ type: "drop" })}>Drop<span class="sr"> out of this auction</span></button>`}
    ${children}
  </div>`;
}

/**
 * Everybody in the auction, one lane each: how much they could bid and how far they have gone.
 * A lane is {seat, room, bid, state, note, who, mine}: `state` is "turn", "out" or "", `who` a vnode instead of the name.
 */
export function Lanes({ lanes, standing, table, scale }) {
  const most = Math.max(1, scale ?? 0, ...lanes.map((lane) => Math.max(lane.room, lane.bid ?? 0)));
  const part = (dollars) => `${Math.round((100 * dollars) / most)}%`;
  return html`<ol class=${`lanes ${lanes.length > 5 ? "many" : ""}`}>
    ${lanes.map((lane) => {
      const high = lane.seat === standing;
      return html`<li key=${`${lane.seat}${lane.state}`} class=${`lane ${lane.state} ${high ? "high" : ""} ${lane.mine ? "mine" : ""}`}>
        <span class="lane-who">${lane.who ?? html`<${Who} table=${table} seat=${lane.seat} />`}</span>
        <span class="lane-track" aria-hidden="true">
          <span class="lane-room" style=${{ width: part(lane.room) }}></span>
          ${lane.bid === null ? null : html`<span class="paddle" data-place=${`bid-${lane.seat}`} style=${{ left: part(lane.bid) }}>${money(lane.bid)}</span>`}
        </span>
        <span class="lane-note">${lane.note}</span>
        <span class="sr">${lane.bid === null ? "no bid" : `bid ${money(lane.bid)}`}${high ? ", the highest" : ""}, can go to ${money(lane.room)}</span>
      </li>`;
    })}
  </ol>`;
}

/** A seat by its mark and name, as in the strip of seats. */
export const Who = ({ table, seat }) => {
  const { name, kind } = table.seats?.[seat] ?? {};
  return html`<${Avatar} name=${name ?? `${seat + 1}`} bot=${kind === "bot"} /><b>${table.names(seat)}</b>`;
};
