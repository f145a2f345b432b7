/** Looking back: a watcher steps through what they have seen of a running game, and returns to the present with one key. */

import { html, useEffect, useState } from "./html.js";
import { icons } from "./icons.js";
import { sheet } from "./sheet.js";
import { texts } from "./messages/en/table.js";
import { translator } from "./messages.js";

const t = translator(texts);

/** The moment that is shown, and how to choose it. `moment` is null while the present is shown. */
export function useRewind(feed, on) {
  const [at, setAt] = useState(null);
  const moments = feed.moments;
  const index = at === null ? -1 : moments.findIndex((moment) => moment.n >= at);
  const live = index < 0 || index === moments.length - 1;
  const step = (direction) => {
    const next = (live ? moments.length - 1 : index) + direction;
    if (next >= 0) setAt(next >= moments.length - 1 ? null : moments[next].n);
  };
  useEffect(() => {
    feed.keepsMoments = on;
    if (on && !moments.length && feed.now.value) feed.keepMoment();
    if (!on) return undefined;
    const onKey = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || sheet.value || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
      if (event.key === "ArrowLeft") step(-1);
      else if (event.key === "ArrowRight") step(1);
      else if (event.key === "l" || event.key === "End") setAt(null);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
  const behind = live ? 0 : moments.length - 1 - index;
  return { moment: on && !live ? asPast(moments[index]) : null, behind, canGoBack: on && (live ? moments.length > 1 : index > 0), step, toLive: () => setAt(null) };
}

/** A moment that is over: nothing happens, and no clock runs. */
const asPast = (moment) => ({ ...moment, events: [], fresh: false, acting: moment.acting.map(({ seat }) => ({ seat, ends: null, total: null })) });

/** The buttons for it. */
export function Rewind({ rewind }) {
  const { behind, canGoBack, step, toLive } = rewind;
  return html`<div class="rewind row" role="group" aria-label=${t("look_back")}>
    <button class="icon" aria-label=${t("one_back")} aria-keyshortcuts="ArrowLeft" disabled=${!canGoBack} onClick=${() => step(-1)}>${icons.back()}</button>
    <button class="icon turned" aria-label=${t("one_on")} aria-keyshortcuts="ArrowRight" disabled=${!behind} onClick=${() => step(1)}>${icons.back()}</button>
    ${behind ? html`<button class="do can" aria-keyshortcuts="l End" onClick=${toLive}>${t.rich("back_to_live", { behind, key: html`<span class="key-hint"> (L)</span>` })}</button>` : html`<span class="quiet on-air">${t("live")}</span>`}
  </div>`;
}
