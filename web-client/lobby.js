/** The lobby: start a game, watch a live table, join a table from the list or by its code. */

import { rememberCreated } from "./anim.js";
import { Avatar } from "./avatar.js";
import { ConnectionStatus, openRules } from "./bar.js";
import { DEFAULT_LEVEL, gameOf, lengthText, seatsOf, speedText, TableChoices, Variants, variantOf } from "./choices.js";
import { effect, html, signal, useEffect, useState } from "./html.js";
import { Emblem, icons } from "./icons.js";
import { hasLesson, isLearned } from "./lessons.js";
import { AskName, saveName } from "./name.js";
import { findByCode, followLobby, games, levels, myTables, request, tables, titleOf } from "./net.js";
import { gameAt, RecentGames } from "./recent.js";
import { fileUrl } from "./renderers.js";
import { kindOf } from "./seats.js";
import { load, save } from "./settings.js";
import { openSettings } from "./sheet.js";
import { NoLiveTable, previewed, useFeed, watchable } from "./live_table.js";
import { logLines, newestText } from "./log.js";
import { RuleChoice, shortRule } from "./watch_rule.js";
import { capital, isolated, namesOf } from "./words.js";
import { told } from "./told.js";
import { texts } from "./messages/en/page.js";
import { inRow, translator } from "./messages.js";

const t = translator(texts);

export function LobbyPage({ go }) {
  useEffect(followLobby, []);
  const list = Object.values(tables.value ?? {});
  const open = list.filter((table) => table.status === "open");
  const running = list.filter((table) => table.status === "running");
  return html`<main class="page lobby">
    <header class="masthead">
      <img src=${fileUrl("icon.svg")} alt="" width="48" height="48" />
      <div><h1>Cheeseboard</h1><p>${t("slogan")}</p></div>
      <${ConnectionStatus} />
      <button class="icon" aria-label=${t("settings")} onClick=${openSettings}>${icons.dials()}</button>
    </header>
    <${MyTables} go=${go} />
    <${PlayNow} go=${go} />
    <${LiveTable} running=${running} go=${go} />
    <${OpenTables} ...${{ open, running, go }} />
    <${RecentGames} go=${go} />
    <footer class="quiet">${t.rich("bring_bot", { link: html`<a href="/bots">${t("bring_bot_link")}</a>` })}</footer>
  </main>`;
}

/** Buttons that lead back to the tables where I have a seat. */
function MyTables({ go }) {
  if (!myTables.value.length) return null;
  const label = (id) => {
    const game = tables.value?.[id]?.game ?? gameAt(id);
    return game ? t("back_to", { title: titleOf(game) }) : t("back_to_table");
  };
  return html`<section class="mine-waiting" aria-label=${t("your_tables")}>
    <h2>${t("seat_waits")}</h2>
    ${myTables.value.map((id) => html`<button key=${id} class="can do" onClick=${() => go(`/t/${id}`)}>${label(id)}</button>`)}
  </section>`;
}

const DEFAULT_GAME = "cheesedog"; // the easiest one to learn
const last = signal(load("choices", {})); // what was chosen last: {game, level, seats, speed, options, watched, watching, late}
effect(() => save("choices", last.value));

function PlayNow({ go }) {
  const [more, setMore] = useState(false);
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);
  const chosen = gameOf(last.value.game) ?? gameOf(DEFAULT_GAME) ?? games.value[0];
  const choices = { level: DEFAULT_LEVEL, options: {}, ...last.value };
  const change = (value) => (last.value = { ...last.value, ...value });
  const create = async (kind) => {
    setFault("");
    setBusy(true);
    const alone = kind === "bots"; // there is no clock, and nobody watches, unless that is chosen
    const fields = { game: chosen.name, seats: seatsOf(chosen, choices.seats), options: optionsOf(chosen, choices.options) };
    const rules = { speed: choices.speed ?? (alone ? "untimed" : "normal"), public: alone ? Boolean(choices.watched) : kind !== "private" };
    try {
      await saveName();
      const made = await request("create", { ...fields, ...rules, ...(choices.watching ? { watching: choices.watching } : {}), ...(choices.late === undefined ? {} : { late: choices.late }), ...(alone ? { bots: choices.level } : {}) });
      change({ game: chosen.name });
      if (alone) rememberCreated(made.table);
      go(`/t/${made.table}`);
    } catch (error) {
      setFault(error.message);
      setBusy(false);
    }
  };
  return html`<section class="play" aria-label=${t("play")}>
    <div class="play-head"><h2>${t("play_now")}</h2><${JoinByCode} go=${go} /></div>
    <div class="shelf" role="radiogroup" aria-label=${t("game")}>
      ${games.value.map((one) => html`<${GameCard} key=${one.name} game=${one} chosen=${one === chosen} pick=${(game) => change({ game, seats: undefined, options: {} })} />`)}
    </div>
    <p class="blurb">${chosen?.blurb ?? ""}</p>
    ${chosen ? html`<${Variants} game=${chosen} options=${choices.options} change=${(options) => change({ options })} />` : null}
    <div class="row start">
      <${AskName} picture />
      <button class="can do big" disabled=${!chosen || busy} onClick=${() => create("bots")}>${t("play_with_bots")}</button>
      ${chosen && hasLesson(chosen.name) ? html`<a class=${`button big learn ${isLearned(chosen.name) ? "" : "new"}`} href=${`/learn/${chosen.name}`}>${icons.lesson()} ${t("learn")}</a>` : null}
    </div>
    <p class="quiet alone">${t("alone", { timed: choices.speed ? "yes" : "no", speed: choices.speed && capital(speedText(choices.speed)), watched: choices.watched ? "yes" : "no" })}</p>
    <p class="row other-ways">
      <button class="friends" disabled=${!chosen || busy} onClick=${() => create("private")}>${icons.lock()} ${t("private_table")}</button>
      <button disabled=${!chosen || busy} onClick=${() => create("open")}>${icons.door()} ${t("open_table")}</button>
      <button aria-expanded=${more} onClick=${() => setMore(!more)}>${icons.dials()} ${t("options")}</button>
      ${chosen ? html`<button onClick=${() => openRules(chosen.name)}>${icons.rules()} ${t("rules")}</button>` : null}
    </p>
    ${more && chosen ? html`<${TableChoices} game=${chosen} value=${{ ...choices, speed: choices.speed ?? "" }} change=${({ seats, speed, options }) => change({ seats, speed: speed || undefined, options })} anySpeed=${t("any_speed")}>
      <label>${t("bots")} <select value=${choices.level} onChange=${(event) => change({ level: event.target.value })}>
        ${Object.entries(levels.value).map(([level, what]) => html`<option key=${level} value=${level}>${t("level_is", { level: told(level), what: told(what) })}</option>`)}
      </select></label>
      <${LateChoice} value=${choices.late} change=${(late) => change({ late })} />
      <${RuleChoice} value=${choices.watching ?? { see: "public" }} mine=${0} change=${(watching) => change({ watching })} />
      <label class="check"><input type="checkbox" checked=${Boolean(choices.watched)} onChange=${(event) => change({ watched: event.target.checked })} /> ${t("let_watch")}</label>
    </${TableChoices}>` : null}
    ${fault && html`<p class="fault" role="alert">${fault}</p>`}
  </section>`;
}

/** Whether friends who come late may take a bot's seat: undefined means at private tables only, as the server does without a choice. */
function LateChoice({ value, change }) {
  const choices = [[undefined, t("late_private")], [true, t("late_yes")], [false, t("late_no")]];
  return html`<label>${t("late_friends")} <select value=${String(value)} onChange=${(event) => change(choices.find(([one]) => String(one) === event.target.value)[0])}>
    ${choices.map(([one, text]) => html`<option key=${text} value=${String(one)}>${text}</option>`)}
  </select></label>`;
}

/** The chosen options that the game still has. */
const optionsOf = (game, options) => Object.fromEntries(Object.entries(options).filter(([name, value]) => game.options[name]?.includes(value)));

function GameCard({ game, chosen, pick }) {
  const [least, most] = game.seats;
  return html`<button class=${`game-card of-${game.name}`} role="radio" aria-checked=${chosen} onClick=${() => pick(game.name)}>
    <${Emblem} game=${game.name} />
    <span class="game-title">${game.title}</span>
    <span class="quiet">${least === most ? t("players", { count: least }) : t("players_range", { least, most })}</span>
    <span class="quiet">${lengthText(game)}</span>
  </button>`;
}

/** A live table as watchers see it. */
function LiveTable({ running, go }) {
  const [shown, setShown] = useState(null);
  const isRunning = running.some((table) => table.table === shown);
  const next = isRunning ? shown : (best(running)?.table ?? null);
  useEffect(() => {
    if (next === shown) return undefined;
    const timer = setTimeout(() => setShown(next), shown ? RESULT_MS : 0);
    return () => clearTimeout(timer);
  }, [next, shown]);
  return html`<section class="live" aria-label=${t("a_table")}>
    <h2>${t("live_now")} <a class="button" href="/tv">${t("all_live")}</a></h2>
    ${shown ? html`<${TablePreview} key=${shown} id=${shown} go=${go} />` : html`<${NoLiveTable} />`}
  </section>`;
}

const RESULT_MS = 6000; // how long a table is shown after its game has ended
const best = (running) => running.filter(watchable).sort((a, b) => people(b) - people(a))[0];
const people = (table) => table.seats.filter((seat) => seat.kind === "person").length;

/** A small view of a table. Nothing in it can be used by itself: a click anywhere opens the table. */
function TablePreview({ id, go }) {
  const feed = useFeed(id);
  const shown = previewed(feed);
  if (!shown) return html`<div class="live-window empty"><p class="quiet">${t("loading_table")}</p></div>`;
  const { info, now, renderer } = shown;
  const names = namesOf({ ...info, you: null });
  const newest = newestText(logLines(feed.log.value.slice(-3), renderer.words, () => names));
  const title = titleOf(info.game);
  const watch = () => go(`/t/${id}`);
  return html`<div class="live-window" onClick=${watch}>
    <p class="live-head"><b>${title}</b> <span class="quiet">${inRow(info.seats.map((seat) => isolated(seat.name ?? t("free"))))}</span></p>
    <div class=${`board mini of-${info.game}`} inert>
      <${MiniBoard} ...${{ renderer, info, now, names }} />
    </div>
    <p class="just">${newest}</p>
    <button>${t("watch_table")}</button>
  </div>`;
}

function MiniBoard({ renderer, info, now, names }) {
  const ignore = () => {};
  const empty = { events: [], ask: null, offers: [], asides: [], seat: null, busy: false, moving: false };
  const given = { view: now.view, n: now.n, seats: info.seats, options: info.options, acting: now.acting, names };
  return renderer.render({ ...empty, ...given, play: ignore, aside: ignore, attempt: ignore, explain: ignore, mini: true }).board;
}

/** What somebody can do at a running table. */
function verbOf(table) {
  const joins = table.late && table.seats.some((seat) => seat.level);
  if (table.watching?.see === "nobody") return joins ? t("join") : t("private_game");
  return joins ? t("watch_or_join") : t("watch");
}

/** What to know about a table before one opens it. */
const factsOf = (table) => [
  ...(table.host ? [t.rich("hosted_by", { name: html`<bdi>${table.host}</bdi>` })] : []),
  speedText(table.speed),
  ...(table.watchers ? [t("watching", { count: table.watchers })] : []),
  ...(table.watching ? [shortRule(table.watching)] : []),
];

function OpenTables({ open, running, go }) {
  const row = (table, verb) => html`<li key=${table.table}>
    <span class="game-title">${titleOf(table.game)} <small class="variant">${variantOf(gameOf(table.game), table.options)}</small></span>
    <span class="who-plays"><span class="faces">${table.seats.map((seat, at) => html`<span key=${at} title=${t("seat_kind", { name: seat.name ?? t("free"), kind: kindOf(seat) })}><${Avatar} name=${seat.name ?? "+"} bot=${seat.kind === "bot"} seat=${at} picture=${seat.avatar} /></span>`)}</span>
      <span class="quiet">${factsOf(table).map((fact, at) => html`<span key=${at}>${at ? ", " : ""}${fact}</span>`)}</span></span>
    <button onClick=${() => go(`/t/${table.table}`)}>${verb}</button>
  </li>`;
  return html`<section class="tables" aria-label=${t("tables")}>
    <h2>${t("open_tables")}</h2>
    <ul class="rows">
      ${open.map((table) => row(table, t("join")))}
      ${open.length ? null : html`<li class="quiet">${t("none_open")}</li>`}
    </ul>
    <h2>${t("running_games")}</h2>
    <ul class="rows">
      ${running.slice(0, 12).map((table) => row(table, verbOf(table)))}
      ${running.length ? null : html`<li class="quiet">${t("none_now")}</li>`}
    </ul>
  </section>`;
}

function JoinByCode({ go }) {
  const [code, setCode] = useState("");
  const [fault, setFault] = useState("");
  const join = async (event) => {
    event.preventDefault();
    try {
      go(`/t/${await findByCode(code.trim())}`);
    } catch (error) {
      setFault(t("code_refused", { reason: capital(error.message) }));
    }
  };
  return html`<form class="join" onSubmit=${join}>
    <label><span class="sr">${t("have_code")}</span><input placeholder=${t("have_code")} maxlength="12" minlength="4" required autocapitalize="off" autocomplete="off" value=${code} onInput=${(event) => setCode(event.target.value)} /></label>
    <button type="submit">${t("join")}</button>
    ${fault && html`<span class="fault" role="alert">${fault}</span>`}
  </form>`;
}
