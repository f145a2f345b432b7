/** A guided first game: a short word about each thing when it is asked for the first time. */

import { html, useState } from "./html.js";
import { hints, keep, kept } from "./settings.js";

/** What is new in this ask, if hints are wanted and there is something to say. */
export function Coach({ game, table, renderer }) {
  const [seen, setSeen] = useState(() => kept(`seen.${game}`, []));
  if (!hints.value || !table.offers.length) return null;
  const why = renderer.words?.why ?? {};
  const asked = table.offers.map((offer) => offer.move);
  const fresh = Object.keys(why).find((move) => asked.includes(move) && !seen.includes(move)); // the words stand in order of weight
  if (!fresh) return null;
  const done = () => {
    const next = [...seen, fresh];
    keep(`seen.${game}`, next);
    setSeen(next);
  };
  return html`<p class="coach" role="note">
    <span>${why[fresh]}</span>
    <button class="icon word" onClick=${done}>Got it</button>
  </p>`;
}
