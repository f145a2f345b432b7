/** Form controls for any offer: a button if it has no blanks, else a control for each blank and a button that sends it. */

import { html, useState } from "./html.js";
import { fieldName, isBlank, moveName, offerText, valueText } from "./words.js";
import { texts } from "./messages/en/table.js";
import { translator } from "./messages.js";

const t = translator(texts);

/** A legal filling to start with: the minimum of each blank. */
export function firstFilling(offer) {
  const filled = {};
  for (const [name, blank] of Object.entries(offer.fill)) {
    if (!isBlank(blank)) filled[name] = blank;
    else if (!blank.of) filled[name] = blank.least;
    else if (blank.least === undefined) filled[name] = blank.of[0];
    else filled[name] = blank.of.slice(0, blank.least);
  }
  return filled;
}

/** What a form starts with: nothing is chosen that the user has not chosen, so that no press gives anything away by accident. */
function startFilling(offer) {
  const filled = firstFilling(offer);
  for (const [name, blank] of blanksOf(offer)) if (blank.of) filled[name] = blank.least === undefined ? null : [];
  return filled;
}

/** Whether this filling fits the offer. The server checks the same. */
export function fits(offer, filled) {
  return Object.entries(offer.fill).every(([name, blank]) => {
    const value = filled[name];
    if (!isBlank(blank)) return JSON.stringify(blank) === JSON.stringify(value);
    if (!blank.of) return Number.isInteger(value) && blank.least <= value && value <= blank.most;
    const left = blank.of.map((item) => JSON.stringify(item));
    const take = (item) => {
      const at = left.indexOf(JSON.stringify(item));
      return at >= 0 && left.splice(at, 1).length === 1;
    };
    if (blank.least === undefined) return take(value);
    return Array.isArray(value) && value.length >= blank.least && value.length <= blank.most && value.every(take);
  });
}

/** Build the move from a filled offer. */
export const moveOf = (offer, filled) => ({ type: offer.move, ...offer.fill, ...filled });

/** The blanks that leave a choice. */
const blanksOf = (offer) => Object.entries(offer.fill).filter(([, blank]) => isBlank(blank) && !isForced(blank));

const isForced = (blank) => (blank.of ? blank.of.length === (blank.least ?? 1) : blank.least === blank.most);

/** All offers, each with its controls. `act` sends a move. */
export function Offers({ offers, act, words, names, view, ask }) {
  return html`<ul class="offers">
    ${offers.map((offer, at) => html`<li key=${`${ask}-${at}`}><${OneOffer} ...${{ offer, act, words, names, view }} /></li>`)}
  </ul>`;
}

function OneOffer({ offer, act, words, names, view }) {
  const blanks = blanksOf(offer);
  const text = offerText(offer, words, names, view);
  if (!blanks.length) {
    return html`<button class="can do" onClick=${() => act(moveOf(offer, firstFilling(offer)))}>${text}</button>`;
  }
  return html`<${Form} ...${{ offer, blanks, text, act, words, names }} />`;
}

function Form({ offer, blanks, text, act, words, names }) {
  const [filled, setFilled] = useState(() => startFilling(offer));
  const set = (name) => (value) => setFilled({ ...filled, [name]: value });
  const valid = fits(offer, filled);
  return html`<div class="offer" role="group" aria-label=${text}>
    <span class="quiet">${text}</span>
    ${blanks.map(([name, blank]) => {
      const parts = { name, blank, value: filled[name], set: set(name), words, names };
      if (!blank.of) return html`<${Amount} key=${name} ...${parts} />`;
      if (blank.least === undefined) return html`<${OneOf} key=${name} ...${parts} />`;
      return html`<${SomeOf} key=${name} ...${parts} />`;
    })}
    <button class="can do" disabled=${!valid} onClick=${() => act(moveOf(offer, filled))}>
      ${moveName(offer.move, words)}
    </button>
  </div>`;
}

/** A whole number: a slider, and buttons for single steps. */
export function Amount({ name, blank, value, set }) {
  const step = (by) => set(Math.min(blank.most, Math.max(blank.least, value + by)));
  return html`<div class="amount">
    <button aria-label=${t("less", { name: fieldName(name) })} disabled=${value <= blank.least} onClick=${() => step(-1)}>−</button>
    <input
      type="range"
      aria-label=${fieldName(name)}
      min=${blank.least}
      max=${blank.most}
      value=${value}
      onInput=${(event) => set(Number(event.target.value))}
    />
    <output>${value}</output>
    <button aria-label=${t("more", { name: fieldName(name) })} disabled=${value >= blank.most} onClick=${() => step(1)}>+</button>
  </div>`;
}

function OneOf({ name, blank, value, set, words, names }) {
  return html`<div class="choice" role="group" aria-label=${fieldName(name)}>
    ${blank.of.map(
      (item, at) =>
        html`<button key=${at} aria-pressed=${JSON.stringify(item) === JSON.stringify(value)} onClick=${() => set(item)}>
          ${valueText(item, name, words, names)}
        </button>`,
    )}
  </div>`;
}

function SomeOf({ name, blank, value, set, words, names }) {
  const chosen = chosenPlaces(blank.of, value);
  const toggle = (at) => {
    const next = chosen.includes(at) ? chosen.filter((other) => other !== at) : [...chosen, at];
    set(next.map((place) => blank.of[place]));
  };
  return html`<div class="choice" role="group" aria-label=${t("named_range", { name: fieldName(name), least: blank.least, most: blank.most })}>
    ${blank.of.map(
      (item, at) =>
        html`<button key=${at} aria-pressed=${chosen.includes(at)} onClick=${() => toggle(at)}>
          ${valueText(item, name, words, names)}
        </button>`,
    )}
  </div>`;
}

/** The indices of the chosen values. Of equal items, the first ones count as chosen. */
function chosenPlaces(items, values) {
  const places = [];
  for (const value of values) {
    const at = items.findIndex((item, place) => !places.includes(place) && JSON.stringify(item) === JSON.stringify(value));
    if (at >= 0) places.push(at);
  }
  return places;
}
