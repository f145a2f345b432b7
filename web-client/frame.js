/**
 * The frame of a table: the other seats round the board, in the order of play, and my own seat at its near edge.
 *
 * The areas of the frame have fixed sizes, so that nothing moves from turn to turn; table.css draws them. Their sizes depend on
 * the window and on the game, never on what they show: a game sets `--hand`, `--controls` and `--seat-extra` in its style sheet.
 */

import { html, signal } from "./html.js";
import { isOther, openPerson } from "./people.js";
import { Seat } from "./seats.js";
import { withoutMuted } from "./talk.js";
import { texts } from "./messages/en/table.js";
import { translator } from "./messages.js";

const t = translator(texts);

const SHORT = matchMedia("(max-height: 519px) and (orientation: landscape)");
const TALL = matchMedia("(max-width: 599px), (orientation: portrait)");
const SMALL = matchMedia("(max-width: 1150px)"); // a tablet that lies on its side, a small window
const shapeNow = () => (SHORT.matches ? "short" : TALL.matches ? "tall" : SMALL.matches ? "small" : "wide");
const shape = signal(shapeNow());
for (const query of [SHORT, TALL, SMALL]) query.addEventListener("change", () => (shape.value = shapeNow()));

/** How many of `count` other seats are left of the board, above it and right of it. */
export function seatsAround(count, form) {
  if (form === "short") return [Math.ceil(count / 2), 0, Math.floor(count / 2)];
  const limits = { tall: [5, 6], small: [1, 5, 7, 9], wide: [1, 5, 8] }[form]; // up to these counts, 0, 1, 2 or 3 seats are on each side
  const side = limits.filter((limit) => count > limit).length;
  return [side, count - 2 * side, side];
}

/** The classes of the page that say on which sides of the board seats are, whether they are narrow or many, and the variant. */
export function frameClass(info, parts) {
  const form = shape.value === "small" ? "wide" : shape.value;
  if (info.status === "open") return form; // nobody sits round the board yet: the invitation has the whole width
  const count = othersOf(info).length;
  const [left, top] = seatsAround(count, shape.value);
  const crowd = shape.value === "short" && left > 3;
  const narrow = shape.value === "tall" && (count > 3 || Boolean(parts.bids));
  return `${form} ${left ? "sides" : ""} ${top ? "top" : ""} ${narrow ? "narrow" : ""} ${crowd ? "crowd" : ""} ${info.options.variant ? `variant-${info.options.variant}` : ""}`;
}

/** The other seats clockwise, starting on my left; all seats for a watcher. */
export function othersOf(info) {
  const count = info.seats.length;
  const mine = info.you ?? null;
  return [...Array(count).keys()].map((step) => ((mine ?? -1) + 1 + step) % count).filter((seat) => seat !== mine);
}

/** The other seats round the board: up its left side, along its top, down its right side. */
export function Others({ feed, info, table, renderer, parts }) {
  const order = othersOf(info);
  const [left, top] = seatsAround(order.length, shape.value);
  const groups = { left: order.slice(0, left), top: order.slice(left, left + top), right: order.slice(left + top) };
  return html`<section class=${`others n-${order.length}`} aria-label=${t("seats")}>
    ${Object.entries(groups).map(([side, seats]) => (seats.length ? html`<div key=${side} class=${`rim ${side}`} style=${{ "--n": seats.length }}>
      ${seats.map((seat) => html`<${Seat} key=${seat} ...${seatProps(seat, feed, info, table, renderer, parts)} />`)}
    </div>` : null))}
  </section>`;
}

/** The properties of a seat for `Seat`. */
export function seatProps(number, feed, info, table, renderer, parts) {
  const chats = withoutMuted(feed.chats.value).filter((chat) => chat.seat === number && performance.now() - chat.receivedAt < 6000 && Date.now() - chat.at < 20_000);
  return {
    number,
    info,
    clock: table.acting.find((clock) => clock.seat === number),
    next: parts.next === number,
    badges: table.view ? (renderer.publicOf?.(table.view, number) ?? []) : [],
    bid: parts.bids?.[number],
    extra: parts.seats?.[number],
    bubble: chats.at(-1),
    place: info.result?.places[number],
    about: isOther(info.seats[number]) ? () => openPerson(feed, info.seats[number]) : null,
  };
}
