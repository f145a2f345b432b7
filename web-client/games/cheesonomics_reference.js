/** The reference of Cheesonomics: all wedges with what has been seen of them, and all market wedges. */

import { html } from "../html.js";
import { ANIMALS, COLOURS, has, marketName, sideName, TraitIcon, traitName, TwoSides } from "./cheesonomics_pieces.js";
import { texts } from "../messages/en/cheesonomics.js";
import { translator } from "../messages.js";

const t = translator(texts);

/** ECO-2: the backs of the five market wedges with one front, by steps from its colour, and the ribbons of front and back. */
const BACKS = [[1, "", ""], [2, "", "+"], [3, "", ""], [4, "", ""], [1, "+", ""]];
const MARKET = COLOURS.map((colour, at) => BACKS.map(([step, front, back]) => `${colour}${front}/${COLOURS[(at + step) % 5]}${back}`));

export function reference(view, { sold = [], backs = [] } = {}) {
  const seen = [...view.wheels.flat(), ...(view.hand ?? []), ...sold];
  const turned = backs.flatMap((back, place) => (back ? [{ back, place }] : []));
  return html`<table><thead><tr><td></td>${COLOURS.map((colour) => html`<th key=${colour}><${TraitIcon} trait=${colour} /> ${view.prices[COLOURS.indexOf(colour)]}</th>`)}</tr></thead><tbody>
    ${ANIMALS.map((animal) => html`<tr key=${animal}><th scope="row"><${TraitIcon} trait=${animal} /> ${traitName(animal)}</th>${COLOURS.map((colour) => html`<td key=${colour}>${t("of_4", { count: seen.filter((wedge) => has(wedge, animal) && has(wedge, colour)).length })}</td>`)}</tr>`)}
  </tbody></table><p class="quiet">${t("reference_note")}</p>
  <h3>${t("all_market")}</h3>
  <div class="all-market">${MARKET.flat().map((wedge, at) => html`<span key=${at} role="img" aria-label=${marketName(wedge)}><${TwoSides} wedge=${wedge} /></span>`)}</div>
  <p class="quiet">${t("market_note")}</p>
  ${turned.length ? html`<h3>${t("backs_seen")}</h3><ul class="backs">${turned.map(({ back, place }) => html`<li key=${place}>${t("back_seen", { wheel: Math.floor(place / 5) + 1, wedge: (place % 5) + 1, side: sideName(view.market[place]), back: sideName(back) })}</li>`)}</ul>` : null}`;
}
