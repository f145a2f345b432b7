/** What lies on the counter instead of the tray while I choose: shown hands, whom to give to, market wedges to take. */

import { html } from "../html.js";
import { marketName, TwoSides, Wedge, wedgeName } from "./cheesonomics_pieces.js";

const PANELS = { picking: Shown, giving_back: Owed, taking: Takings, exchanging: Takings, swapping: Swaps };

/** Whether there is something on the counter for this viewer. */
export const hasCounter = ({ view, seat, mini }) => !mini && seat !== null && view.turn === seat && view.phase.type in PANELS;

export function Counter({ game }) {
  const Panel = PANELS[game.view.phase.type];
  return html`<section class="counter" aria-label="On the counter"><${Panel} game=${game} /></section>`;
}

/** ECO-8: the hands that I am shown; one wedge from each. */
function Shown({ game }) {
  const { view, by, names, play } = game;
  return view.phase.showing.map((seat) => {
    const may = by("take_shown").some((offer) => offer.fill.seat === seat);
    return html`<div key=${seat} class="counter-row"><h3>${names(seat)}'s hand</h3><div class="wedges">
      ${(view.shown[seat] ?? []).map((wedge, at) => html`<button key=${at} class=${`piece ${may ? "can" : ""}`} aria-disabled=${!may} aria-label=${`Take ${wedgeName(wedge, view.sharp)} from ${names(seat)}`} onClick=${() => may && play({ type: "take_shown", seat, wedge })}><${Wedge} wedge=${wedge} sharp=${view.sharp} /></button>`)}
    </div></div>`;
  });
}

/** ECO-9: to whom I still owe a wedge, and what I got from them. */
function Owed({ game }) {
  const { view, by, names, choice, choose } = game;
  const owed = by("give_back")[0]?.fill.seat.of ?? [];
  const to = choice.to ?? owed[0];
  const others = view.hands.map((_, seat) => seat).filter((seat) => seat !== view.turn);
  return html`<h3>Give back to ${owed.length ? names(to) : "…"}: click a wedge of your hand</h3><div class="owed">
    ${others.map((seat) => {
      const may = owed.includes(seat);
      const state = may || view.phase.owed.includes(seat) ? "gave you" : "paid back; gave";
      return html`<button key=${seat} class=${`debt ${may && to !== seat ? "can" : ""} ${may && to === seat ? "chosen" : ""}`} aria-disabled=${!may} aria-pressed=${may ? to === seat : undefined} aria-label=${may ? `Give back to ${names(seat)}` : `${names(seat)}: paid back`} onClick=${() => may && choose({ to: seat })}>
        <span><b>${names(seat)}</b><small>${state}</small></span><${Wedge} wedge=${view.gifts[seat]} sharp=${view.sharp} />
      </button>`;
    })}
  </div>`;
}

/** ECO-23, ECO-25: market wedges of which I take one. */
function Takings({ game }) {
  const { view, by, names, play } = game;
  const from = view.opened ?? view.discard ?? [];
  const may = by("take").length > 0;
  const other = view.phase.type === "exchanging" ? view.phase.other : null;
  return html`<h3>${other === null ? "The market discard" : `${names(other)}'s market wedges`}: take one</h3><div class="wedges">
    ${from.map((wedge, at) => html`<button key=${at} class=${`piece both ${may ? "can" : ""}`} aria-disabled=${!may} aria-label=${`Take ${marketName(wedge)}`} onClick=${() => may && play({ type: "take", wedge })}><${TwoSides} wedge=${wedge} /></button>`)}
  </div>`;
}

/** ECO-25: with whom I swap. */
function Swaps({ game }) {
  const { view, by, names, play, choice } = game;
  const discard = by("swap_discard")[0];
  const seats = by("swap_seat")[0];
  const wedge = choice.own?.wedge ?? view.supply[0];
  return html`<h3>Swap ${marketName(wedge)} with</h3><div class="owed">
    ${discard ? html`<button class="debt can" onClick=${() => play({ type: "swap_discard", wedge })}><span><b>the discard</b><small>${view.discards} there</small></span></button>` : null}
    ${(seats?.fill.seat.of ?? []).map((seat) => html`<button key=${seat} class="debt can" onClick=${() => play({ type: "swap_seat", seat, wedge })}><span><b>${names(seat)}</b><small>has ${view.supplies[seat]}</small></span></button>`)}
  </div>`;
}
