/** Tips for a first game: what the situation is about, each said once. */

import { html, useEffect, useRef, useState } from "./html.js";
import { hints, load, save } from "./settings.js";
import { tipsNow } from "./words.js";
import { texts } from "./messages/en/page.js";
import { translator } from "./messages.js";

const t = translator(texts);

/** The most telling tip that holds now and that the user has not seen yet, if hints are on. Making a move dismisses it. */
export function Coach({ game, table, renderer }) {
  const [seen, setSeen] = useState(() => load(`seen.${game}`, []));
  const shown = useRef(null); // the id of the tip on the screen
  const dismiss = () => {
    if (shown.current === null) return;
    const next = [...seen, shown.current];
    shown.current = null;
    save(`seen.${game}`, next);
    setSeen(next);
  };
  useEffect(() => {
    if (table.busy) dismiss();
  }, [table.busy]);
  if (table.busy || table.seats[table.seat]?.stand_in) return null; // a bot makes the move
  const tip = hints.value ? tipsNow(renderer.words, table.offers, table.view, table.names).find(({ id }) => !seen.includes(id)) : null;
  shown.current = tip?.id ?? null;
  if (!tip) return null;
  return html`<p class="coach" role="note">
    <span>${tip.text}</span>
    <button class="icon word" onClick=${dismiss}>${t("got_it")}</button>
  </p>`;
}
