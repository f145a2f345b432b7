/** The controls of a replay: play, step, speed, the scrubber with chapters, and the keyboard. */

import { html, useEffect, useState } from "./html.js";
import { icons } from "./icons.js";
import { chances, percent } from "./replay_analysis.js";
import { SPEEDS } from "./replay_player.js";
import { SeatPlot } from "./replay_plot.js";
import { sheet } from "./sheet.js";
import { namesOf } from "./words.js";
import { texts } from "./messages/en/replay.js";
import { translator } from "./messages.js";

const t = translator(texts);

const KEYS = {
  ArrowRight: (player) => player.seek(player.at.value + 1),
  ArrowLeft: (player) => player.seek(player.at.value - 1),
  ArrowDown: (player) => player.seekTurn(1),
  ArrowUp: (player) => player.seekTurn(-1),
  PageDown: (player, chapters) => player.seekAmong(chapters, 1),
  PageUp: (player, chapters) => player.seekAmong(chapters, -1),
  Home: (player) => player.seek(0),
  End: (player) => player.seek(player.last),
  " ": (player) => player.toggle(),
};

/** Arrow keys step by entry and by turn, page keys by chapter, space plays. A list or a field keeps its own keys. */
export function useReplayKeys(player, chapters) {
  useEffect(() => {
    const onKey = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || sheet.value) return;
      if (/^(SELECT|TEXTAREA)$/.test(event.target.tagName) || !KEYS[event.key]) return;
      if (event.key === " " && event.target.tagName === "BUTTON") return; // space presses the button
      if (event.key !== " ") player.pause();
      KEYS[event.key](player, chapters.map((chapter) => chapter.stop));
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}

/** The position as a slider, with a mark for each chapter. */
function Scrubber({ player, chapters }) {
  const at = player.at.value;
  const reached = player.reached.value;
  const share = (stop) => `${(100 * stop) / Math.max(1, player.last)}%`;
  const seek = (event) => {
    player.pause();
    player.seek(Number(event.target.value));
  };
  return html`<div class="scrubber">
    <div class="marks" aria-hidden="true">${chapters.map(({ stop }) => html`<i key=${stop} class=${stop <= reached ? "reached" : ""} style=${{ left: share(stop) }}></i>`)}</div>
    <input type="range" min="0" max=${player.last} value=${at} onInput=${seek} aria-label=${t("moment")} aria-valuetext=${t("step_of", { at, last: player.last })} />
  </div>`;
}

/** A list of chapters to jump to. What has not been reached has no title yet, unless `spoil` is set. */
function Chapters({ player, chapters, spoil }) {
  const at = player.at.value;
  const current = chapters.findLast((chapter) => chapter.stop <= at)?.stop ?? "";
  const jump = (event) => {
    player.pause();
    if (event.target.value !== "") player.seek(Number(event.target.value));
    event.target.blur(); // so that the arrow keys step again
  };
  return html`<select class="chapters" aria-label=${t("chapter")} value=${current} onChange=${jump}>
    ${current === "" ? html`<option value="">${t("chapters")}</option>` : null}
    ${chapters.map(({ stop, text }, index) => html`<option key=${stop} value=${stop}>${index + 1}. ${stop <= player.reached.value || spoil ? text : t("not_reached")}</option>`)}
  </select>`;
}

const Button = ({ label, icon, keys, press, disabled, kind = "icon" }) =>
  html`<button class=${kind} aria-label=${label} title=${label} aria-keyshortcuts=${keys} disabled=${disabled} onClick=${press}>${icon()}</button>`;

/** The points as they grew, or after an analysis the chances; a button changes between them. */
function Plots({ player, spoil, plot }) {
  const [points, setPoints] = useState(false);
  const analysed = chances.value?.id === player.id ? chances.value.plot : null;
  const shown = analysed && !(points && plot) ? analysed : plot;
  if (!shown) return null;
  const props = { plot: shown, names: namesOf(player.info()), at: player.at.value, until: spoil ? player.last : player.reached.value, last: player.last, format: shown === analysed ? percent : String };
  return html`<div class="plots">
    <${SeatPlot} ...${props} />
    ${analysed && plot ? html`<button class="link-like" onClick=${() => setPoints(!points)}>${points ? analysed.label : plot.label}</button>` : null}
  </div>`;
}

export function Controls({ player, chapters, spoil, plot }) {
  const at = player.at.value;
  const playing = player.playing.value;
  const by = (move) => () => {
    player.pause();
    move();
  };
  const speed = (event) => {
    player.speed.value = Number(event.target.value);
    event.target.blur();
  };
  return html`<div class="replay-controls" role="group" aria-label=${t("replay")}>
    <${Scrubber} ...${{ player, chapters }} />
    <${Plots} ...${{ player, spoil, plot }} />
    <div class="row">
      <span class="buttons">
        <${Button} label=${t("previous_turn")} keys="ArrowUp" icon=${icons.turnBack} disabled=${at === 0} press=${by(() => player.seekTurn(-1))} />
        <${Button} label=${t("step_back")} keys="ArrowLeft" icon=${icons.stepBack} disabled=${at === 0} press=${by(() => player.seek(at - 1))} />
        <${Button} label=${playing ? t("pause") : t("play")} kind="do" keys="Space" icon=${playing ? icons.pause : icons.play} press=${() => player.toggle()} />
        <${Button} label=${t("step_forward")} keys="ArrowRight" icon=${icons.step} disabled=${player.ended} press=${by(() => player.seek(at + 1))} />
        <${Button} label=${t("next_turn")} keys="ArrowDown" icon=${icons.turn} disabled=${player.ended} press=${by(() => player.seekTurn(1))} />
      </span>
      <span class="count" aria-hidden="true">${at} / ${player.partial ? "…" : player.last}</span>
      <select class="speed" aria-label=${t("speed")} value=${player.speed.value} onChange=${speed}>
        ${SPEEDS.map((one) => html`<option key=${one} value=${one}>${one === 0.5 ? "½" : one}×</option>`)}
      </select>
      ${chapters.length ? html`<${Chapters} ...${{ player, chapters, spoil }} />` : null}
    </div>
  </div>`;
}
