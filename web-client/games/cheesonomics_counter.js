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

/** A piece that can be chosen here; the button below the table then does what was chosen. */
function Choosable({ game, may, chosen, label, choice, children }) {
  const press = () => may && game.choose(chosen ? { ...choice, ...NOT_CHOSEN } : choice);
  return html`<button class=${`piece both ${may ? "can" : ""} ${chosen ? "chosen" : ""}`} aria-disabled=${!may} aria-pressed=${may ? chosen : undefined} aria-label=${chosen ? t("chosen_label", { label }) : label} onClick=${press}>${children}</button>`;
}

const NOT_CHOSEN = { from: null, taken: null, swap: null };

/** ECO-8: the hands that I am shown; one wedge from each. */
function Shown({ game }) {
  const { view, by, names, choice } = game;
  return view.phase.showing.map((seat) => {
    const may = by("take_shown").some((offer) => offer.fill.seat === seat);
    return html`<div key=${seat} class="counter-row"><h3>${t("hand_of", { name: names(seat) })}</h3><div class="wedges">
      ${(view.shown[seat] ?? []).map((wedge, at) => html`<${Choosable} key=${at} ...${{ game, may, chosen: choice.from === seat && choice.taken === at, label: t("take_from", { wedge: wedgeName(wedge, view.sharp), name: names(seat) }), choice: { from: seat, taken: at } }}><${Wedge} wedge=${wedge} sharp=${view.sharp} /><//>`)}
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

/** The market wedges of which I take one. */
export const takings = (view) => view.opened ?? view.discard ?? [];

/** ECO-23, ECO-25: market wedges of which I take one. */
function Takings({ game }) {
  const { view, by, names, choice } = game;
  const exchange = by("exchange").length > 0;
  const give = exchange ? ownChosen(game) : null;
  const may = exchange || by("take").length > 0;
  const other = view.phase.type === "exchanging" ? view.phase.other : null;
  return html`<h3>${t("take_one", { other: other === null ? "none" : names(other), give: give ? "yes" : "no", wedge: give && marketName(give) })}</h3><div class="wedges">
    ${takings(view).map((wedge, at) => html`<${Choosable} key=${at} ...${{ game, may, chosen: choice.taken === at, label: t(give ? "take_for" : "take_it", { wedge: marketName(wedge), give: give && marketName(give) }), choice: { taken: at, own: choice.own } }}><${TwoSides} wedge=${wedge} /><//>`)}
  </div>`;
}

/** The market wedge of mine that I chose to give in a swap, or null. */
export const ownChosen = ({ view, choice }) => (view.supply.includes(choice.own?.wedge) ? choice.own.wedge : null);

/** With whom a swap is made when it is not a seat. */
export const DISCARD = "discard";

/** ECO-25: with whom I swap. With an opponent I choose what I give after I have seen what I may take. */
function Swaps({ game }) {
  const { view, by, names, choice, choose } = game;
  const own = ownChosen(game);
  const partner = (swap, name, note) => {
    const on = choice.swap === swap;
    return html`<button key=${swap} class=${`debt ${on ? "chosen" : "can"}`} aria-pressed=${on} onClick=${() => choose({ swap: on ? null : swap, own: choice.own })}><span><b>${name}</b><small>${note}</small></span></button>`;
  };
  return html`<h3>${t("swap_with")}</h3><div class="owed">
    ${by("swap_discard").length ? partner(DISCARD, t("the_discard"), own ? t("give_wedge", { wedge: marketName(own) }) : t("choose_own")) : null}
    ${(by("swap_seat")[0]?.fill.seat.of ?? []).map((seat) => partner(seat, names(seat), t("has", { count: view.supplies[seat] })))}
  </div>`;
}
