/** The counter, which replaces the tray while I choose: shown hands, seats to give to, market wedges to take. */

import { html } from "../html.js";
import { marketName, TwoSides, Wedge, wedgeName } from "./cheesonomics_pieces.js";
import { texts } from "../messages/en/cheesonomics.js";
import { translator } from "../messages.js";

const t = translator(texts);

const PANELS = { picking: Shown, giving_back: Owed, taking: Takings, exchanging: Takings, swapping: Swaps };

/** Whether there is something on the counter for this viewer. */
export const hasCounter = ({ view, seat, mini }) => !mini && seat !== null && view.turn === seat && view.phase.type in PANELS;

export function Counter({ game }) {
  const Panel = PANELS[game.view.phase.type];
  return html`<section class="counter" aria-label=${t("on_counter")}><${Panel} game=${game} /></section>`;
}

/** ECO-8: the hands that I am shown; one wedge from each. */
function Shown({ game }) {
  const { view, by, names, play } = game;
  return view.phase.showing.map((seat) => {
    const may = by("take_shown").some((offer) => offer.fill.seat === seat);
    return html`<div key=${seat} class="counter-row"><h3>${t("hand_of", { name: names(seat) })}</h3><div class="wedges">
      ${(view.shown[seat] ?? []).map((wedge, at) => html`<button key=${at} class=${`piece ${may ? "can" : ""}`} aria-disabled=${!may} aria-label=${t("take_from", { wedge: wedgeName(wedge, view.sharp), name: names(seat) })} onClick=${() => may && play({ type: "take_shown", seat, wedge })}><${Wedge} wedge=${wedge} sharp=${view.sharp} /></button>`)}
    </div></div>`;
  });
}

/** ECO-9: the seats to which I owe a wedge, and what I got from them. */
function Owed({ game }) {
  const { view, by, names, choice, choose } = game;
  const owed = by("give_back")[0]?.fill.seat.of ?? [];
  const to = choice.to ?? owed[0];
  const others = view.hands.map((_, seat) => seat).filter((seat) => seat !== view.turn);
  return html`<h3>${t("give_back_to", { name: owed.length ? names(to) : "…" })}</h3><div class="owed">
    ${others.map((seat) => {
      const may = owed.includes(seat);
      const state = may || view.phase.owed.includes(seat) ? t("gave_you") : t("paid_back");
      return html`<button key=${seat} class=${`debt ${may && to !== seat ? "can" : ""} ${may && to === seat ? "chosen" : ""}`} aria-disabled=${!may} aria-pressed=${may ? to === seat : undefined} aria-label=${may ? t("give_back_label", { name: names(seat) }) : t("paid_back_label", { name: names(seat) })} onClick=${() => may && choose({ to: seat })}>
        <span><b>${names(seat)}</b><small>${state}</small></span><${Wedge} wedge=${view.gifts[seat]} sharp=${view.sharp} />
      </button>`;
    })}
  </div>`;
}

/** ECO-23, ECO-25: market wedges of which I take one. */
function Takings({ game }) {
  const { view, by, names, play } = game;
  const from = view.opened ?? view.discard ?? [];
  const exchange = by("exchange")[0];
  const give = exchange && ownChosen(game);
  const may = Boolean(exchange) || by("take").length > 0;
  const other = view.phase.type === "exchanging" ? view.phase.other : null;
  const move = (wedge) => (exchange ? { type: "exchange", give, take: wedge } : { type: "take", wedge });
  return html`<h3>${t("take_one", { other: other === null ? "none" : names(other), give: give ? "yes" : "no", wedge: give && marketName(give) })}</h3><div class="wedges">
    ${from.map((wedge, at) => html`<button key=${at} class=${`piece both ${may ? "can" : ""}`} aria-disabled=${!may} aria-label=${t(give ? "take_for" : "take_it", { wedge: marketName(wedge), give: give && marketName(give) })} onClick=${() => may && play(move(wedge))}><${TwoSides} wedge=${wedge} /></button>`)}
  </div>`;
}

/** The market wedge of mine that I give in a swap: the one that I chose, or the first. */
export const ownChosen = ({ view, choice }) => (view.supply.includes(choice.own?.wedge) ? choice.own.wedge : view.supply[0]);

/** ECO-25: with whom I swap. With an opponent I choose what I give after I have seen what I may take. */
function Swaps({ game }) {
  const { view, by, names, play } = game;
  const discard = by("swap_discard")[0];
  const seats = by("swap_seat")[0];
  const wedge = ownChosen(game);
  return html`<h3>${t("swap_with")}</h3><div class="owed">
    ${discard ? html`<button class="debt can" onClick=${() => play({ type: "swap_discard", wedge })}><span><b>${t("the_discard")}</b><small>${t("give_wedge", { wedge: marketName(wedge) })}</small></span></button>` : null}
    ${(seats?.fill.seat.of ?? []).map((seat) => html`<button key=${seat} class="debt can" onClick=${() => play({ type: "swap_seat", seat })}><span><b>${names(seat)}</b><small>${t("has", { count: view.supplies[seat] })}</small></span></button>`)}
  </div>`;
}
