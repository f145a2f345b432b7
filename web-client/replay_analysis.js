/** Computer analysis of a replay: chances along the game, the biggest swings, one decision, and 100 games from a moment. */

import { hueOfSeat } from "./avatar.js";
import { html, signal, useEffect, useMemo, useState } from "./html.js";
import { closeSheet, openSheet } from "./sheet.js";
import { moveText, namesOf } from "./words.js";
import { told } from "./told.js";
import { texts } from "./messages/en/replay.js";
import { inRow, translator } from "./messages.js";

const t = translator(texts);

const LOOK_MS = 1500; // between two looks at an analysis that is under way
const BINS = 8; // of a histogram

export const percent = (share) => `${Math.round(100 * share)} %`;

async function fetchAnalysis(id, kind, n, method = "GET") {
  const answer = await fetch(`/r/${id}/analysis/${kind}${n ? `?n=${n}` : ""}`, { method });
  if (!answer.ok) throw new Error(told((await answer.text()).trim()));
  return answer.json();
}

/** An analysis that was asked for before, or that `ask` asks for: {analysis, ask, fault}. */
function useAnalysis(id, kind, n) {
  const [analysis, setAnalysis] = useState(null); // as the server has it
  const [fault, setFault] = useState("");
  const load = (method) => fetchAnalysis(id, kind, n, method).then(setAnalysis, (error) => setFault(error.message));
  useEffect(() => {
    setAnalysis(null);
    load("GET");
  }, [id, kind, n]);
  useEffect(() => {
    if (analysis?.state !== "queued" && analysis?.state !== "running") return undefined;
    const timer = setTimeout(() => load("GET"), LOOK_MS);
    return () => clearTimeout(timer);
  }, [analysis]);
  return { analysis, fault, ask: () => load("POST") };
}

/** The button that asks for an analysis, how far it is, or what it found: `show(result)`. */
function Asked({ id, kind, n = 0, label, about, show }) {
  const { analysis, fault, ask } = useAnalysis(id, kind, n);
  if (fault) return html`<p class="fault" role="alert">${fault}</p>`;
  if (!analysis) return html`<p class="quiet" role="status">${t("looking")}</p>`;
  if (analysis?.state === "done") return show(analysis.result);
  if (analysis.state === "queued" || analysis.state === "running") {
    const share = analysis.progress ?? 0;
    return html`<p role="status">${analysis.state === "queued" ? t("waiting") : t("bots_play", { share: percent(share) })} <progress max="1" value=${share}></progress></p>`;
  }
  return html`${analysis.fault ? html`<p class="fault" role="alert">${told(analysis.fault)}</p>` : null}
    ${about ? html`<p class="quiet">${about}</p>` : null}<button class="can do" onClick=${ask}>${label}</button>`;
}

/** A bar for each seat or move: [{text, share, value, seat, mark}]. */
const Bars = ({ rows }) => html`<ul class="bars">
  ${rows.map(({ text, share, value, seat, mark }) => html`<li key=${text}>
    <span class="text"><bdi>${text}</bdi>${mark ? html` <b>${mark}</b>` : null}</span>
    <span class="bar" style=${{ "--share": share, "--hue": hueOfSeat(seat) }} aria-hidden="true"></span><span class="value">${value}</span>
  </li>`)}
</ul>`;

/** The chances along the game as a plot over its stops: those before a decision hold until the next one. */
export function chancesOf(player, result) {
  const seats = player.info(0).seats.length;
  const rows = player.stops.map(() => null);
  for (const { n, chances } of result.decisions) {
    const stop = player.stopOf(n) - 1; // what is decided in entry n is decided at the stop before it
    if (stop >= 0) rows[stop] = chances;
  }
  for (let stop = 1; stop < rows.length - 1; stop++) rows[stop] ??= rows[stop - 1];
  const { places } = player.info(player.last).result;
  const firsts = places.filter((place) => place === 1).length;
  rows[rows.length - 1] = places.map((place) => (place === 1 ? 1 / firsts : 0));
  return { label: t("chance"), least: 0, most: 1, rows: rows.map((row) => row ?? Array(seats).fill(1 / seats)) };
}

/** What the plot below the scrubber shows instead of the points; null for the points. */
export const chances = signal(null); // {id, plot}

function Whole({ player, result, names, words }) {
  useEffect(() => {
    chances.value = { id: player.id, plot: chancesOf(player, result) };
  }, [result]);
  const lines = useMemo(() => player.lines(words), [player, words]);
  const jump = (n) => {
    closeSheet();
    player.pause();
    player.seek(player.stopOf(n));
  };
  return html`<p>${t("analysis_what", { games: result.games })}</p>
    <h3>${t("swings")}</h3>
    ${result.swings.length ? null : html`<p class="quiet">${t("no_swing")}</p>`}
    <ol class="swings">${result.swings.map(({ n, seat, of, from, to }) => html`<li key=${n}>
      <button class="link-like" onClick=${() => jump(n)}>${t("swing_move", { step: player.stopOf(n), what: lines[player.stopOf(n)].text || names(seat) })}</button><br />${t("swing", { name: names(of), from: percent(from), to: percent(to) })}
    </li>`)}</ol>`;
}

function Decision({ result, words, names }) {
  const text = (move) => moveText(move, words, names);
  const [master, played] = [text(result.master), text(result.played)];
  const mark = (move) => inRow([move === master && t("mark_master"), move === played && t("mark_played")]);
  const rows = result.moves.map(({ move, chance }) => ({ text: text(move), share: chance, value: percent(chance), seat: result.seat, mark: mark(text(move)) }));
  return html`<p>${t(master === played ? "master_same" : "master_other", { name: names(result.seat), played, master })}</p>
    ${result.thought.length ? html`<p>${t("master_thought")}</p>
    <${Bars} rows=${result.thought.map(({ move, value }) => ({ text: text(move), share: value, value: value.toFixed(2), seat: result.seat, mark: mark(text(move)) }))} />` : null}
    <p>${t("what_became")}</p>
    <${Bars} rows=${rows} />
    <p class="quiet">${t("how_often", { name: names(result.seat), games: result.games })}</p>`;
}

/** How often each number of points came, as columns. */
function Histogram({ points, seat, name }) {
  const [least, most] = [Math.min(...points), Math.max(...points)];
  const width = Math.max(1, Math.ceil((most - least + 1) / BINS));
  const counts = Array(Math.floor((most - least) / width) + 1).fill(0);
  for (const one of points) counts[Math.floor((one - least) / width)] += 1;
  const top = Math.max(...counts);
  const label = t("histogram", { name, least, most, middle: points[Math.floor(points.length / 2)] });
  return html`<div class="histogram" role="img" aria-label=${label}>
    <figcaption><bdi>${name}</bdi> <span class="quiet">${t("points_range", { least, most })}</span></figcaption>
    <div class="columns" aria-hidden="true">${counts.map((count, bin) => html`<i key=${bin} title=${`${least + bin * width}: ${count}`} style=${{ "--share": count / top, "--hue": hueOfSeat(seat) }}></i>`)}</div>
  </div>`;
}

function Playouts({ result, names }) {
  const rows = result.wins.map((wins, seat) => ({ text: names(seat), share: wins / result.games, value: `${Math.round(10 * wins) / 10}`, seat }));
  return html`<p>${t("who_first", { games: result.games })}</p><${Bars} rows=${rows} />
    ${result.points?.map((points, seat) => (points.length ? html`<${Histogram} key=${seat} points=${points} seat=${seat} name=${names(seat)} />` : null))}
    <p class="quiet">${t("rookies_played", { name: names(result.seat) })}</p>`;
}

function Sheet({ player, words }) {
  const at = player.at.value;
  const names = namesOf(player.info());
  const next = player.nextDecision();
  return html`<div class="menu analysis">
    <${Asked} id=${player.id} kind="whole" label=${t("analyse")} about=${t("analyse_about")}
      show=${(result) => html`<${Whole} ...${{ player, result, names, words }} />`} />
    ${next === null ? null : html`<h3>${t("next_decision")}</h3>
    <${Asked} key=${`decision ${next}`} id=${player.id} kind="decision" n=${next} label=${t("what_master")} show=${(result) => html`<${Decision} ...${{ result, words, names }} />`} />`}
    ${player.ended ? null : html`<h3>${t("from_here")}</h3>
    <${Asked} key=${`playouts ${at}`} id=${player.id} kind="playouts" n=${player.entry().n} label=${t("play_100")} show=${(result) => html`<${Playouts} ...${{ result, names }} />`} />`}
  </div>`;
}

export const openAnalysis = (player, words) => openSheet(t("analysis"), () => html`<${Sheet} ...${{ player, words }} />`);
