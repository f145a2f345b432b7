/** Parts of the auction games: choosing an amount, and what each seat bids. */

import { html, useState } from "./html.js";
import { isBlank } from "./words.js";
import { texts } from "./messages/en/table.js";
import { translator } from "./messages.js";

const t = translator(texts);

/** The values that a blank allows; for a literal, only itself. */
export const valuesOf = (blank) => (isBlank(blank) ? blank.of : [blank]);

/** Whether a number is within a blank. */
export const within = (blank, number) => (isBlank(blank) ? blank.least <= number && number <= blank.most : blank === number);

/** The chosen amount, limited to the range of the blank; its minimum if none was chosen. */
export const amountIn = (blank, chosen) => Math.min(blank.most, Math.max(blank.least, chosen ?? blank.least));

export const money = (dollars) => `$${dollars}`;


/**
 * An amount to type, and chips that raise it. The button that sends the bid shows the amount. A chip that would exceed the range
 * calls `beyond` with the amount, if that is given. `threeKey` is the key of "+3".
 */
export function Amount({ blank, value, set, label, beyond, threeKey = "3" }) {
  const [typed, setTyped] = useState(null); // what is being typed, which may be out of range until it is complete
  const change = (next) => {
    setTyped(null);
    set(amountIn(blank, next));
  };
  const type = (text) => {
    setTyped(text);
    if (/^\d+$/.test(text)) set(amountIn(blank, Number(text)));
  };
  const chip = (text, to, key, name) => {
    const off = to === value || !within(blank, to);
    const act = () => (off ? to > blank.most && beyond?.(to) : change(to));
    return html`<button type="button" class="chip-by" aria-label=${t("chip", { text, name })} aria-keyshortcuts=${key} aria-disabled=${off} onClick=${act}>${text}</button>`;
  };
  return html`<span class="bid-amount" role="group" aria-label=${label}>
    <input inputmode="numeric" aria-label=${t("in_dollars", { label })} value=${typed ?? value} onInput=${(event) => type(event.target.value)} onFocus=${(event) => event.target.select()} onBlur=${() => setTyped(null)} />
    ${chip("+1", value + 1, "+", t("one_more"))}
    ${chip("+3", value + 3, threeKey, t("three_more"))}
    ${chip(t("max"), blank.most, "m", t("the_most", { amount: money(blank.most) }))}
  </span>`;
}

/**
 * The controls to bid or drop. `note` stands below the bid on its button, unless there is a `surcharge`: what the winner
 * pays beyond the bid. `dropCost` is what I still pay if I drop out. `children` are buttons of other moves, left of the one to drop. The amount and the two
 * buttons have a fixed width, so that they stay where they are whatever they say.
 */
export function BidBar({ table, offer, chosen, choose, note = "", surcharge = 0, dropCost = 0, children }) {
  const { offers, play, attempt } = table;
  const drop = offers.some((one) => one.move === "drop");
  const value = offer && amountIn(offer.fill.amount, chosen);
  const about = surcharge && offer ? t("owe", { amount: money(value + surcharge) }) : note;
  const send = () => play({ type: offer.move, amount: value });
  return html`<form class="bid-bar" onSubmit=${(event) => (event.preventDefault(), offer && send())}>
    ${offer && html`<${Amount} blank=${offer.fill.amount} value=${value} set=${choose} label=${t("your_bid")} beyond=${(amount) => attempt({ type: offer.move, amount })} />
      <button type="submit" class="can do noted" data-place="my-bid" aria-keyshortcuts="b">${t("bid_amount", { amount: money(value) })}${about ? html`<span class="sr">, </span><small>${about}</small>` : null}</button>`}
    ${children}
    ${drop && html`<button type="button" class="can soft noted drop" aria-keyshortcuts="d" onClick=${() => play({ type: "drop" })}>${t("drop")}${dropCost ? html`<span class="sr">, </span><small>${t("still_pay", { amount: money(dropCost) })}</small>` : null}<span class="sr"> ${t("of_auction")}</span></button>`}
    ${drop || !offer ? null : html`<span class="drop"></span>`}
  </form>`;
}

/** What a seat bids in an auction, as `parts.bids` of a renderer has it. */
export function bidOf(auction, seat) {
  const bid = auction.bids[seat] ?? null;
  if (auction.dropped[seat]) return { text: t("out"), label: bid === null ? t("out") : t("bid_out", { amount: money(bid) }), state: "out" };
  if (auction.bidder === seat) return { text: money(bid), label: t("bid_highest", { amount: money(bid) }), state: "high" };
  return bid === null ? { text: "–", label: t("no_bid"), state: "" } : { text: money(bid), label: t("bid_is", { amount: money(bid) }), state: "" };
}

/** The next seat after the one whose turn it is that has not dropped out. */
export function nextBidder(auction, turn) {
  const count = auction.dropped.length;
  if (turn === null || turn === undefined) return null;
  const order = [...Array(count - 1).keys()].map((step) => (turn + 1 + step) % count);
  return order.find((seat) => !auction.dropped[seat]) ?? null;
}

/** The auctioneer's hammer. */
export const Hammer = ({ fell }) => html`<svg class="hammer" viewBox="0 0 120 90" aria-hidden="true">
  <rect x="30" y="76" width="64" height="9" rx="3" fill="#2f1c0f" />
  <g class=${fell ? "fell" : ""}><g transform="rotate(18 88 50)"><rect x="50" y="42" width="66" height="8" rx="4" fill="#c58b4e" /><rect x="28" y="22" width="26" height="48" rx="4" fill="#8a5a33" /><rect x="25" y="18" width="32" height="8" rx="3" fill="#c9a05a" /><rect x="25" y="66" width="32" height="8" rx="3" fill="#c9a05a" /></g></g>
</svg>`;

/** What an auctioneer says before the gavel falls. */
export const Going = () => html`<p class="beat-words">${[t("going_once"), t("going_twice")].map((text, at) => html`<span key=${at} style=${{ animationDelay: `${at * 0.4}s` }}>${text}</span>`)}</p>`;

/** The bids of all seats in a line each, for the small window of the lobby, which shows no seats. */
export const MiniBids = ({ bids, names }) => html`<ul class="mini-bids">${bids.map((bid, seat) => html`<li key=${seat} class=${bid.state}><span>${names(seat)}</span><b>${bid.text}</b></li>`)}</ul>`;
