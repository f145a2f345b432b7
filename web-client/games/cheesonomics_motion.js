/** How wedges, knives and curds travel in Cheesonomics. */

import { html } from "../html.js";
import { inTurn } from "../beats.js";
import { Knife, Side, Wedge } from "./cheesonomics_pieces.js";
import { words } from "./cheesonomics_words.js";
import { texts } from "../messages/en/cheesonomics.js";
import { translator } from "../messages.js";

const t = translator(texts);

const flying = (wedge) => html`<span class="wedge-flying"><${Wedge} wedge=${wedge} /></span>`;

export function motion({ events, seat, fly, pulse }) {
  let delay = 0;
  const hand = (who) => (who === seat ? "my-hand" : `seat-${who}`);
  const wheels = (who) => (who === seat ? "my-wheels" : `seat-${who}`);
  const go = (things, from, to) => {
    things.forEach((thing, at) => fly(flying(thing), from, to, { delay: delay + at * 50, ms: 340 }));
    delay += things.length ? 180 : 0;
  };
  const moves = {
    churned: (event) => pulse(`space-${event.trait}`),
    collected: (event) => event.gifts.forEach((gift, giver) => giver !== event.seat && event.shown[giver] === null && fly(flying(gift), hand(giver), hand(event.seat), { ms: 340 })),
    took_shown: (event) => go([event.wedge], hand(event.giver), hand(event.seat)),
    gave_back: (event) => go([event.wedge], hand(event.seat), hand(event.receiver)),
    protected: (event) => fly(html`<span class="knife-flying"><${Knife} /></span>`, `seat-${event.seat}`, `space-${event.trait}`, { ms: 350, delay }),
    produced: (event) => go(event.wedges, hand(event.seat), wheels(event.seat)),
    drew: (event) => go(event.wedges, "pile", hand(event.seat)),
    sold: (event) => {
      go(event.wedges, wheels(event.seat), "market");
      fly(html`<span class="curds-flying">+${event.curds}</span>`, "market", `seat-${event.seat}`, { delay, ms: 350 });
    },
  };
  for (const event of events) moves[event.type]?.(event);
}

const LAST_MOVES = ["produced", "sold", "sold_no_more"];

/** The count, below what the last move was: the table shows that only afterwards. */
const Count = ({ scores, names, last }) => html`${last ? html`<p>${words.events[last.type](last, names)}</p>` : null}<p class="beat-words">${t("the_count")}</p><ul class="beat-rows">${scores.map(({ total }, seat) => html`<li key=${seat}><span>${names(seat)}</span><b><span style=${{ animationDelay: `${0.5 + seat * 0.2}s` }}>${total}</span></b></li>`)}</ul>`;

/** A market wedge is turned over before the page says what it shows, and the curds are counted at the end. */
export function beat(events, view, names) {
  const market = [...view.market];
  const beats = [];
  for (const event of events) {
    if (event.type === "replaced") market[event.place] = event.up;
    else if (event.type === "flipped") {
      beats.push({ ms: 1000, stage: html`<p class="beat-words">${t("who_flips", { who: names(event.seat) })}</p><span class="beat-card quick"><span><${Side} side=${market[event.place]} /><${Side} side=${event.up} /></span></span>` });
      market[event.place] = event.up;
    } else if (event.type === "ended") beats.push({ ms: 1800, stage: html`<${Count} ...${{ scores: event.scores, names, last: events.findLast(({ type }) => LAST_MOVES.includes(type)) }} />` });
  }
  return inTurn(beats);
}
