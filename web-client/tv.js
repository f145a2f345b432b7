/** Now playing: the most watched table large, others small. It needs no input: when a game ends, the next one is shown. */

import { Avatar } from "./avatar.js";
import { html, render, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { icons } from "./icons.js";
import { NoLiveTable, previewed, useFeed, watchable } from "./live_table.js";
import { logLines, newestText } from "./log.js";
import { followLobby, tables, titleOf } from "./net.js";
import { loadStyleSheet, stylesOf } from "./renderers.js";
import { Ring } from "./seats.js";
import { isolated, namesOf } from "./words.js";
import { texts } from "./messages/en/tv.js";
import { inRow, translator } from "./messages.js";

const t = translator(texts);

// Tables beside the large one. In a low window their boards would be cut off if there were more.
const smallTables = () => (innerWidth >= 900 && innerHeight < 900 ? 3 : 4);
const RESULT_MS = 8000; // how long the large table is shown after its game has ended
const IDLE_MS = 3000; // after so long without a movement of the mouse, the controls are hidden

/** The running tables that can be watched, the most watched first; those with people come before games of bots. */
function ranked() {
  const people = (table) => table.seats.filter((seat) => seat.kind === "person").length;
  const running = Object.values(tables.value ?? {}).filter((table) => table.status === "running" && watchable(table));
  return running.sort((a, b) => (b.watchers ?? 0) - (a.watchers ?? 0) || people(b) - people(a) || (a.table < b.table ? -1 : 1));
}

export function TvPage({ go }) {
  useEffect(followLobby, []);
  useEffect(() => void loadStyleSheet("tv.css").catch(() => {}), []);
  const running = ranked();
  const large = useLarge(running);
  const small = running.filter((table) => table.table !== large).slice(0, smallTables());
  const screen = new URLSearchParams(location.search).has("screen"); // for a screen without a keyboard: no controls at all
  const idle = useIdle(screen);
  useAwake();
  return html`<main class=${`page tv ${small.length ? "" : "lonely"} ${screen || idle ? "no-controls" : ""}`} aria-label=${t("now_playing")}>
    ${screen ? html`<h1 class="sr">${t("now_playing")}</h1>` : null}
    ${screen ? null : html`<header class="bar">
      <button class="icon" aria-label=${t("to_lobby")} onClick=${() => go("/")}>${icons.back()}</button>
      <h1>${t("now_playing")}</h1>
      <${FullScreen} />
    </header>`}
    ${large ? html`<${Large} key=${large} id=${large} go=${go} />` : html`<section class="tv-large"><${NoLiveTable} /></section>`}
    <section class="tv-small" aria-label=${t("other_tables")}>
      ${small.map((table) => html`<${Small} key=${table.table} id=${table.table} go=${go} />`)}
    </section>
  </main>`;
}

/** The table that is shown large: the most watched one, until its game has ended and its result was shown. */
function useLarge(running) {
  const [shown, setShown] = useState(null);
  const runs = running.some((table) => table.table === shown);
  const next = runs ? shown : (running[0]?.table ?? null);
  useEffect(() => {
    if (next === shown) return undefined;
    const timer = setTimeout(() => setShown(next), shown ? RESULT_MS : 0);
    return () => clearTimeout(timer);
  }, [next, shown]);
  return shown;
}

/** Whether nobody has moved the mouse for a while. */
function useIdle(always) {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    if (always) return undefined;
    let timer = null;
    const wake = () => {
      setIdle(false);
      clearTimeout(timer);
      timer = setTimeout(() => setIdle(document.fullscreenElement !== null), IDLE_MS);
    };
    const events = ["pointermove", "keydown", "fullscreenchange"];
    wake();
    events.forEach((name) => document.addEventListener(name, wake));
    return () => {
      clearTimeout(timer);
      events.forEach((name) => document.removeEventListener(name, wake));
    };
  }, [always]);
  return idle;
}

/** Keep the screen on while the page is shown, where the browser can. */
function useAwake() {
  useEffect(() => {
    let lock = null;
    const ask = () => document.visibilityState === "visible" && navigator.wakeLock?.request("screen").then((got) => (lock = got), () => {});
    ask();
    document.addEventListener("visibilitychange", ask);
    return () => {
      document.removeEventListener("visibilitychange", ask);
      lock?.release();
    };
  }, []);
}

function FullScreen() {
  const toggle = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.())?.catch(() => {});
  useEffect(() => {
    const onKey = (event) => event.key === "f" && !event.ctrlKey && !event.metaKey && !event.altKey && toggle();
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return html`<button aria-keyshortcuts="f" onClick=${toggle}>${t.rich("full_screen", { key: html`<span class="key-hint"> (F)</span>` })}</button>`;
}

/** One table large: the seats with what is public about them, the board, and what happened last. */
function Large({ id, go }) {
  const feed = useFeed(id);
  const shown = previewed(feed, false);
  if (!shown) return html`<section class="tv-large"><p class="quiet">${t("loading_table")}</p></section>`;
  const { info, now, renderer } = shown;
  const names = namesOf({ ...info, you: null });
  const places = info.result?.places;
  const clockOf = (seat) => now.acting.find((clock) => clock.seat === seat);
  return html`<section class=${`tv-large of-${info.game}`} aria-label=${titleOf(info.game)}>
    <p class="live-head"><b>${titleOf(info.game)}</b>
      <span class="quiet">${inRow([info.watchers && t("watching", { count: info.watchers }), info.watching?.late && t("late", { late: info.watching.late })])}</span>
      <button onClick=${() => go(`/t/${id}`)}>${t("to_table")}</button></p>
    <ul class="tv-seats">
      ${info.seats.map((seat, number) => html`<li key=${number} class=${clockOf(number) ? "acting" : ""}>
        <${Ring} clock=${clockOf(number) && { ends: null, total: null }}><${Avatar} name=${seat.name ?? "+"} bot=${seat.kind === "bot"} seat=${number} picture=${seat.avatar} /></${Ring}>
        <bdi class="name">${seat.name ?? t("free")}</bdi>
        ${places ? html`<b class="place">${places[number]}.</b>` : null}
        <span class="badges">${(renderer.publicOf?.(now.view, number) ?? []).filter((badge) => badge.text).map((badge) => html`<span key=${badge.label ?? badge.text} class=${`badge ${badge.kind ?? ""}`} title=${badge.label}>${badge.brief ? html`<span class="long">${badge.text}</span><span class="brief">${badge.brief}</span>` : badge.text}</span>`)}</span>
      </li>`)}
    </ul>
    <${Board} ...${{ renderer, info, now, names }} />
    <p class="just" aria-live="polite">${newestText(logLines(feed.log.value.slice(-3), renderer.words, () => names))}</p>
  </section>`;
}

/** A board in a shadow root with the style of its own game: several games may use the same class names. */
function Board({ mini = false, ...props }) {
  const place = useRef(null);
  useLayoutEffect(() => {
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: "open" });
    const { game } = props.info;
    render(html`${stylesOf(game).map((address) => html`<link key=${address} rel="stylesheet" href=${address} />`)}
      <div class=${`board in-tv of-${game} ${mini ? "mini" : ""}`} inert><${BoardOf} ...${props} mini=${mini} /></div>`, root);
  });
  useEffect(() => {
    const root = place.current.shadowRoot;
    return () => render(null, root);
  }, []);
  return html`<div class="tv-board" ref=${place}></div>`;
}

function BoardOf({ renderer, info, now, names, mini }) {
  const ignore = () => {};
  const empty = { events: [], ask: null, offers: [], asides: [], seat: null, busy: false, moving: false, mini };
  const given = { view: now.view, n: now.n, seats: info.seats, options: info.options, acting: now.acting, names };
  return renderer.render({ ...empty, ...given, play: ignore, aside: ignore, attempt: ignore, explain: ignore }).board;
}

/** One table small. A click leads to it. */
function Small({ id, go }) {
  const feed = useFeed(id);
  const shown = previewed(feed, false);
  if (!shown) return html`<article class="tv-table"><p class="quiet">${t("loading")}</p></article>`;
  const { info, now, renderer } = shown;
  return html`<article class="tv-table" onClick=${() => go(`/t/${id}`)}>
    <p class="live-head"><a href=${`/t/${id}`}><b>${titleOf(info.game)}</b></a> <span class="quiet">${inRow(info.seats.map((seat) => isolated(seat.name ?? t("free"))))}</span></p>
    <${Board} ...${{ renderer, info, now, names: namesOf({ ...info, you: null }), mini: true }} />
  </article>`;
}
