/** The page of a finished game: the table as a viewpoint saw it at any moment, and the controls to move in time. */

import { fly, now as placeNow, pulse, rememberPlaces, was } from "./anim.js";
import { Copy } from "./copy.js";
import { frameClass, Others } from "./frame.js";
import * as generic from "./games/generic.js";
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./html.js";
import { icons } from "./icons.js";
import { titleOf, user } from "./net.js";
import { loadStyleSheet, rendererOf, renderTable } from "./renderers.js";
import { openAnalysis } from "./replay_analysis.js";
import { CheckDeal } from "./replay_check.js";
import { Controls, useReplayKeys } from "./replay_controls.js";
import { openPlayOn, openSameDeal } from "./replay_play_on.js";
import { filePlayback } from "./replay_file.js";
import { openRemark, RemarksAt, useRemarks } from "./replay_remarks.js";
import { chaptersOf, fetchPlayback, Player } from "./replay_player.js";
import { pointsOf } from "./replay_plot.js";
import { Result } from "./result.js";
import { mayAnimate } from "./settings.js";
import { openSheet } from "./sheet.js";
import * as sound from "./sound.js";
import { namesOf } from "./words.js";
import { texts } from "./messages/en/replay.js";
import { language, translator } from "./messages.js";

const t = translator(texts);

const ANIMATED_MS = 500; // with less time between two entries, nothing is animated
const ADDRESS_MS = 400; // after the last change, the address names the moment

/** The parts of the address /r/ID/ENTRY?seat=VIEW. */
function readAddress() {
  const [, , n] = /^\/r\/([a-z0-9]+)(?:\/(\d+))?$/.exec(location.pathname) ?? [];
  const query = new URLSearchParams(location.search);
  return { n: query.has("result") ? Infinity : n ? Number(n) : null, view: query.get("seat") ?? "public" };
}

/** Whether what has come of a playback has the beginning of the game and entry n. */
const reaches = ({ entries }, n) => entries.some(({ messages }) => messages[0].some(({ view }) => view)) && entries.at(-1).n >= (n ?? 0);

/** The viewpoint of a player, as the address names it. */
const viewOf = ({ seats }) => (seats.length > 1 ? "open" : `${seats[0] ?? "public"}`);

/** The address of a moment. */
function addressOf(player, view) {
  const moment = player.at.value > 0 ? `/${player.entry().n}` : "";
  const query = [view === "public" ? "" : `seat=${view}`, globalThis.embedded ? "embed" : ""].filter(Boolean).join("&");
  return `/r/${player.id}${moment}${query ? `?${query}` : ""}`;
}

/** The same for others, also if this page is inside another one. */
const shared = (player, view) => addressOf(player, view).replace(/[?&]embed/, "");

export function ReplayPage({ id, go }) {
  const [view, setView] = useState(() => readAddress().view);
  const [player, setPlayer] = useState(null);
  const [fault, setFault] = useState(null);
  const [file, setFile] = useState(null); // of this computer, instead of a game of the archive
  const styled = useStyle();
  const openFile = (chosen) => {
    setPlayer(null);
    setFault(null);
    setView("public");
    setFile(chosen);
  };
  useDrop(openFile);
  useEffect(() => {
    let wanted = true;
    let latest = player; // of the viewpoint before, then of this one
    const show = (playback) => {
      if (!wanted) return true;
      const n = latest?.entry().n ?? (file ? null : readAddress().n);
      if (playback.partial && !reaches(playback, n)) return false;
      const next = new Player(playback);
      next.file = file;
      if (n !== null) next.seek(next.stopOf(n));
      if (latest) next.reached.value = Math.max(next.at.value, next.stopOf(latest.entry(latest.reached.value).n));
      next.speed.value = latest?.speed.value ?? 1;
      if (latest?.partial && latest.playing.value) next.play();
      latest = next;
      setPlayer(next);
      return true;
    };
    const playback = file ? filePlayback(file, view) : fetchPlayback(id, view, show);
    playback.then(show, (error) => wanted && setFault(error));
    return () => (wanted = false);
  }, [id, view, file]);
  useEffect(() => () => player?.pause(), [player]);
  if (fault) return html`<${NoReplay} ...${{ id, fault, go, openFile }} />`;
  const renderer = player && rendererOf(player.game);
  if (!renderer || !styled) return html`<main class="page alone"><p role="status">${t("opening")}</p></main>`;
  return html`<${Replay} key=${`${player.seats.join()} ${renderer === generic}`} ...${{ player, renderer, view, setView, go, openFile }} />`;
}

/** Open a replay file that is dropped anywhere on the page. */
function useDrop(openFile) {
  useEffect(() => {
    const allow = (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault();
    const drop = (event) => {
      allow(event);
      if (event.dataTransfer?.files.length) openFile(event.dataTransfer.files[0]);
    };
    addEventListener("dragover", allow);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", allow);
      removeEventListener("drop", drop);
    };
  }, []);
}

/** A button that opens a replay file, for those who cannot drop one. */
const OpenFile = ({ openFile }) => html`<label class="button open-file">${t("open_file")}
  <input type="file" class="sr" accept=".jsonl" onChange=${(event) => event.target.files.length && openFile(event.target.files[0])} />
</label>`;

/** Load the style sheet of this page, and return whether it is there. */
function useStyle() {
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    loadStyleSheet("replay.css").then(() => setLoaded(true), () => setLoaded(true));
  }, []);
  return loaded;
}

function NoReplay({ id, fault, go, openFile }) {
  const gone = fault.status === 404;
  return html`<main class="page alone">
    <h1>${t("no_replay")}</h1>
    <p>${gone ? t("no_replay_why") : fault.message}</p>
    <p class="row">
      ${gone ? html`<a class="button" href=${`/t/${id}`}>${t("to_the_table")}</a>` : null}
      <${OpenFile} openFile=${openFile} />
      <button class="do can" onClick=${() => go("/")}>${t("to_lobby")}</button>
    </p>
  </main>`;
}

/** The `table` object that renderers get (games/generic.js), for one of the viewpoints. Nothing can be done. */
function tableOf(player, index, explain) {
  const info = player.info();
  const now = player.feeds.value[index].now.value;
  const nothing = () => {};
  return {
    view: now.view,
    events: player.stepped ? now.events : [],
    n: now.n,
    ask: null,
    offers: [],
    asides: [],
    seat: player.seats[index],
    seats: info.seats,
    options: info.options,
    acting: now.acting.map(({ seat }) => ({ seat, ends: null, total: null })),
    names: namesOf(info),
    busy: false,
    play: nothing,
    aside: nothing,
    attempt: nothing,
    explain,
    moving: mayAnimate() && player.stepMs >= ANIMATED_MS,
    mini: false,
  };
}

function Replay({ player, renderer, view, setView, go, openFile }) {
  const [spoil, setSpoil] = useState(false);
  const explain = (text, rule) => openSheet(t("explanation"), () => html`<p>${rule ? t("with_rule", { text, rule }) : text}</p>`);
  const lines = useMemo(() => player.lines(renderer.words), [player, renderer]);
  const chapters = useMemo(() => chaptersOf(lines, renderer.words), [lines]);
  const plot = useMemo(() => pointsOf(player, renderer), [player, renderer]);
  rememberPlaces(); // the page still shows the entry before
  const table = tableOf(player, 0, explain);
  const parts = renderTable(renderer, table);
  const info = player.info();
  const title = titleOf(info.game);
  useReplayKeys(player, chapters);
  useMotion(renderer, table);
  useAddress(player, view, title);
  const [remarks, reloadRemarks] = useRemarks(player.file ? null : player.id);
  const logProps = { player, lines, spoil, setSpoil, remarks };
  const doings = doingsOf(player, go, renderer.words, reloadRemarks);
  const line = lines[player.at.value];
  const about = () => openSheet(t("this_game"), () => html`<${About} ...${{ player, view, title, doings, openFile }} />`);
  const openLog = () => openSheet(t("what_happened"), () => html`<${ReplayLog} ...${logProps} />`, "talk");
  useChallenge(player, go);
  const everybody = { ...info, you: undefined }; // all seats are shown round the board
  return html`<main class=${`page table replay is-${info.status} of-${info.game} ${table.seat === null ? "watching" : "seated"} ${frameClass(everybody, parts)}`} data-entry=${table.n} data-view=${viewOf(player)}>
    <header class="bar">
      ${globalThis.embedded ? null : html`<button class="icon" aria-label=${t("to_lobby")} onClick=${() => go("/")}>${icons.back()}</button>`}
      <h1>${title} <small>${player.file ? t("replay_file") : t("a_replay")}</small></h1>
      <${Viewpoint} ...${{ info, view, setView }} />
      <button class="icon talk-button" aria-label=${t("what_happened")} onClick=${openLog}>${icons.talk()}</button>
      <button class="icon" aria-label=${t("about_game")} onClick=${about}>${icons.menu()}</button>
    </header>
    <${Others} ...${{ feed: player.feeds.value[0], info: everybody, table, renderer, parts }} />
    <section class="board" data-place="board" aria-label=${t("the_table")}>
      ${parts.board}
    </section>
    ${player.ended ? html`<${Result} key="result" ...${{ feed: player.feeds.value[0], info, renderer, table, game: null, go, replay: player.file ? "file" : "page" }} />` : null}
    <div class="news"><p class="just" aria-live="polite">${line.text}</p>${line.note ? html`<p class="note">${line.note}</p>` : null}<${RemarksAt} remarks=${remarks} n=${line.n} /></div>
    <section class="me" aria-label=${t("replay")}>
      <${Hands} ...${{ player, renderer, parts, explain }} />
      <${Controls} ...${{ player, chapters, spoil, plot }} />
      ${doings.length ? html`<p class="replay-acts">${doings.map(([label, act]) => html`<button key=${label} onClick=${act}>${label}</button>`)}</p>` : null}
    </section>
    <aside class="side" aria-label=${t("what_happened")}><h2>${t("what_happened")}</h2><${ReplayLog} ...${logProps} /></aside>
  </main>`;
}

/** The hand of the seat whose view is shown; with all viewpoints open, the hand of every seat. */
function Hands({ player, renderer, parts, explain }) {
  if (player.seats.length === 1) {
    return player.seats[0] === null || !parts.hand ? null : html`<div class="hand" data-place="hand">${parts.hand}</div>`;
  }
  return html`<div class="hands">
    ${player.seats.map((seat, index) => (seat === null ? null : html`<${OpenHand} key=${seat} ...${{ player, renderer, index, explain }} />`))}
  </div>`;
}

function OpenHand({ player, renderer, index, explain }) {
  const table = tableOf(player, index, explain);
  const { hand } = renderTable(renderer, { ...table, events: [] });
  return hand ? html`<div class="open-hand" role="group" aria-label=${t("hand_of", { name: table.names(table.seat) })}><bdi class="name">${table.names(table.seat)}</bdi><div class="hand">${hand}</div></div>` : null;
}

function Viewpoint({ info, view, setView }) {
  const choose = (event) => {
    setView(event.target.value);
    event.target.blur(); // so that the arrow keys step again
  };
  return html`<select class="viewpoint" aria-label=${t("viewpoint")} value=${view} onChange=${choose}>
    <optgroup label=${t("as_seen_by")}>
      <option value="public">${t("watchers")}</option>
      ${info.seats.map((seat, number) => html`<option key=${number} value=${number}>${seat.name}</option>`)}
      <option value="open">${t("all_open")}</option>
    </optgroup>
  </select>`;
}

/** What happened so far. Every line leads to its moment. What has not been reached is hidden until somebody asks for it. */
function ReplayLog({ player, lines, spoil, setSpoil, remarks }) {
  const at = player.at.value;
  const box = useRef(null);
  const [all, setAll] = useState(spoil);
  useEffect(() => {
    const show = () => box.current?.querySelector("li:has([aria-current])")?.scrollIntoView({ block: "nearest" });
    requestAnimationFrame(show); // a dialog that is being opened has no size yet
  }, [at]);
  const show = () => {
    setAll(true);
    setSpoil(true);
    box.current.focus(); // the button goes away
  };
  const shown = lines.filter((line) => line.parts.length && (all || line.stop <= player.reached.value)).flatMap(paragraphs);
  const current = shown.findLast((one) => one.stop <= at && one.parts.length);
  const jump = (stop) => {
    player.pause();
    player.seek(stop);
  };
  return html`<ol class="log replay-log" ref=${box} tabindex="0" aria-label=${t("what_happened")}>
    ${shown.map((one) => html`
      ${one.heading ? html`<li key=${`${one.key}h`} class=${`log-head ${one.stop > at ? "later" : ""}`}>${one.heading}</li>` : null}
      ${one.parts.length ? html`<li key=${one.key} class=${one.stop > at ? "later" : ""}>
        <button aria-current=${one === current ? "step" : null} onClick=${() => jump(one.stop)}><${Sentences} parts=${one.parts} /></button>
        ${one.note ? html`<p class="note">${one.note}</p>` : null}
        ${one.last ? html`<${RemarksAt} remarks=${remarks} n=${one.n} />` : null}
      </li>` : null}`)}
    ${all || player.reached.value === player.last ? null : html`<li class="quiet">${t("rest_hidden")} <button class="link-like" onClick=${show}>${t("show_all")}</button></li>`}
  </ol>`;
}

/** What happened at one stop: a paragraph, and a further one below each heading. The note comes with the first, remarks with the last. */
function paragraphs({ stop, n, parts, note }) {
  const found = [];
  for (const part of parts) {
    if (!found.length || part.heading) found.push({ stop, n, key: part.key, heading: part.heading, parts: [], note: found.length ? null : note, last: false });
    if (part.text) found.at(-1).parts.push(part);
  }
  found.at(-1).last = true;
  return found;
}

/** What happened, a line for each thing, with the pictures of the live table's log. */
const Sentences = ({ parts }) =>
  parts.map((part, at) => html`${at ? " " : ""}<span key=${part.key} class="sentence">${part.picture ? html`<span class="log-picture" aria-hidden="true">${part.picture}</span>` : null}${part.text}</span>`);

/** What can be done with this moment: [label, act]. A file of this computer, or a page inside another one, is only looked at. */
function doingsOf(player, go, words, reloadRemarks) {
  if (player.file || player.partial || globalThis.embedded) return [];
  const played = player.info(player.last).seats.some((seat) => seat.user === user.value?.id);
  return [
    [t("analysis"), () => openAnalysis(player, words)],
    [t("play_on"), () => openPlayOn(player, go)],
    [t("same_deal"), () => openSameDeal(player, go)],
    ...(played ? [[t("leave_remark"), () => openRemark(player, reloadRemarks)]] : []),
  ];
}

/** Open the challenge that the address names, once. */
function useChallenge(player, go) {
  useEffect(() => {
    const seat = Number(new URLSearchParams(location.search).get("challenge") ?? NaN);
    if (player.info(0).seats[seat]) openSameDeal(player, go, seat);
  }, []);
}

function About({ player, view, title, doings, openFile }) {
  const first = new Date(player.entries[0].at);
  const date = (day) => day.toLocaleDateString(language, { dateStyle: "long" });
  const { id, file } = player;
  const checkDeal = () => openSheet(t("check_deal"), () => html`<${CheckDeal} ...${{ id, file, commitment: player.info(player.last).commitment }} />`);
  return html`<div class="menu">
    <p>${t.rich("played_on", { title, date: date(first), names: player.info(0).seats.map((seat, index) => html`${index ? ", " : ""}<bdi key=${index}>${seat.name}</bdi>`) })}</p>
    ${player.file ? html`<p class="quiet">${t("local_file")}</p>
    <button onClick=${checkDeal}>${t("check_deal")}</button>` : html`<${Copy} text=${`${location.origin}${shared(player, view)}`} label=${t("copy_moment")} />
    ${globalThis.embedded ? html`<a class="button" target="_blank" rel="noopener" href=${shared(player, view)}>${t("open_in")}</a>` : null}
    ${doings.map(([label, act]) => html`<button key=${label} onClick=${act}>${label}</button>`)}
    <a class="button" href=${`/replays/${player.id}.jsonl`} download>${t("download")}</a>
    <button onClick=${checkDeal}>${t("check_deal")}</button>
    <p class="quiet">${t("kept_until", { date: date(player.keptUntil) })}</p>`}
    <${OpenFile} openFile=${openFile} />
    <p class="quiet">${t.rich("keys", { step: html`<kbd>←</kbd> <kbd>→</kbd>`, turn: html`<kbd>↑</kbd> <kbd>↓</kbd>`, chapter: html`<kbd>${t("key_page_up")}</kbd> <kbd>${t("key_page_down")}</kbd>`, ends: html`<kbd>${t("key_home")}</kbd> <kbd>${t("key_end")}</kbd>`, space: html`<kbd>${t("key_space")}</kbd>` })}</p>
  </div>`;
}

/** Animate a step forward, as the live table does. */
function useMotion(renderer, table) {
  useLayoutEffect(() => {
    if (!table.events.length) return;
    if (table.moving) renderer.motion?.({ ...table, fly, was, now: placeNow, pulse });
    sound.play(table.view?.result ? "end" : sound.soundOf(table.events));
  }, [table.n]);
}

/** Keep the address at the moment that is shown, so that a reload or a copied address leads back to it. */
function useAddress(player, view, title) {
  const at = player.at.value;
  useEffect(() => {
    document.title = t("page_title", { title });
    if (player.file) return undefined; // the server does not have it
    const timer = setTimeout(() => history.replaceState(null, "", addressOf(player, view)), ADDRESS_MS);
    return () => clearTimeout(timer);
  }, [player, view, at]);
}
