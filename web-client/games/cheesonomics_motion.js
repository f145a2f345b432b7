/** How wedges, knives and curds travel in Cheesonomics. */

import { html } from "../html.js";
import { Knife, Wedge } from "./cheesonomics_pieces.js";

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
