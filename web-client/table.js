/** The page of a table: the seats, the board, the latest event, and what I may do now. */

import { deal, fly, isCreatedHere, isJustCreated, now as placeNow, pulse, rememberPlaces, was } from "./anim.js";
import { useAbout } from "./about.js";
import { AutoButton, useAutomation } from "./auto.js";
import { ConnectionStatus, openLogAndChat, TopBar } from "./bar.js";
import { beatOf, Cheer, Stage, useBeats } from "./beats.js";
import { Coach } from "./coach.js";
import { frameClass, Others, seatProps } from "./frame.js";
import * as generic from "./games/generic.js";
import { useDragging } from "./drag.js";
import { html, useEffect, useLayoutEffect, useMemo, useState } from "./html.js";
import { useKeys } from "./keys.js";
import { AskMaster } from "./master.js";
import { LessonOffer, offersLesson } from "./lessons.js";
import { Just, knownOf, Log, useLogLines } from "./log.js";
import { closeFeed, connection, games, move, openFeed, request, titleOf } from "./net.js";
import { clearNotice, Notice, showNotice } from "./notice.js";
import { Offers } from "./offers.js";
import { offline } from "./offline.js";
import { openPerson } from "./people.js";
import { React } from "./reactions.js";
import { FittingPrompt } from "./prompt.js";
import { Countdown, useSecondsToStart } from "./race.js";
import { remember } from "./recent.js";
import { rendererOf, renderTable } from "./renderers.js";
import { useRewind } from "./rewind.js";
import { Result } from "./result.js";
import { Seat } from "./seats.js";
import { mayAnimate } from "./settings.js";
import { closeSheet, openSheet } from "./sheet.js";
import * as sound from "./sound.js";
import { Chat, silence } from "./talk.js";
import { useTurn } from "./turn.js";
import { Waiting } from "./waiting.js";
import { NothingYet, Watching } from "./watching.js";
import { ConsentBar } from "./watch_rule.js";
import { capital, namesOf, offerText, tipsNow } from "./words.js";
import { told } from "./told.js";
import { texts } from "./messages/en/table.js";
import { listed, translator } from "./messages.js";

const t = translator(texts);

/** The name of the game's phase, if it has phases. */
const phaseOf = (view) => view?.phase?.type ?? view?.phase ?? "";

// What the page says when it may not show a table, by error code: the heading, and what it means.
const REFUSED = {
  no_table: [t("cannot_open"), t("no_table_why")],
  dismissed: [t("sent_away"), t("sent_away_why")],
  no_watchers: [t("no_watchers"), t("no_watchers_why")],
  table_locked: [t("locked_table"), t("locked_why")],
};

const MAY_CHANGE = new Set(["dismissed", "no_watchers", "table_locked"]); // if the host decides otherwise

// How the server's reasons call a seat.
const SEAT = new RegExp(t("seat_number", { number: "(\\d+)" }), "gi");

/** The server refused a move: show its reason, or nothing if the move only came too late. `names` are those of the seats. */
function showRefusal(game, names, { code, rule, message }) {
  const reason = told(message).replaceAll(SEAT, (_, number) => names(number - 1));
  if (code === "illegal_move") showNotice(t("refusal", { reason: capital(reason) }), game, rule);
  else if (code !== "stale_ask" && code !== "not_asked") showNotice(reason);
}

let attempting = false; // one move that is not offered is sent at a time: refused moves count towards the rate limit

export function TablePage({ id, go }) {
  const [feed, setFeed] = useState(null);
  useEffect(() => {
    const opened = openFeed(id);
    opened.beforeChange = rememberPlaces;
    if (isCreatedHere(id)) opened.beats.hold();
    setFeed(opened);
    return () => closeFeed(opened);
  }, [id]);
  const error = feed?.error.value;
  useEffect(() => {
    if (error) closeSheet(); // what it shows is of a table that this page may not show any more
  }, [error]);
  if (!feed || feed.id !== id) return null;
  if (error) {
    return html`<main class="page alone">
      <h1>${REFUSED[error.code]?.[0] ?? t("cannot_open")}</h1>
      <p>${REFUSED[error.code]?.[1] ?? told(error.message)}</p>
      <p class="row"><button class="do can" onClick=${() => go("/")}>${t("to_lobby")}</button>
        ${MAY_CHANGE.has(error.code) ? html`<button onClick=${() => location.reload()}>${t("try_again")}</button>` : null}</p>
    </main>`;
  }
  const info = feed.info.value;
  const renderer = info && rendererOf(info.game);
  if (!info || !renderer) {
    const unreached = !["connecting", "open"].includes(connection.value.state);
    return html`<main class="page alone"><h1 class="sr">Cheeseboard</h1><p role="status">${t("opening_table")}</p>
      ${unreached && !offline.value ? html`<${ConnectionStatus} />` : null}
      ${unreached || offline.value ? html`<p><button class="do can" onClick=${() => go("/")}>${t("to_lobby")}</button></p>` : null}</main>`;
  }
  const started = Boolean(feed.now.value?.view); // the key changes with the game's start and the renderer, which resets hooks
  return html`<${TableFrame} key=${`${id} ${started} ${renderer === generic}`} ...${{ feed, info, renderer, go }} />`;
}

const CLOSED = {
  "the host closed it": t("closed_by_host"),
  "everybody left": t("closed_left"),
  "nobody is here": t("closed_empty"),
  "nobody moved for a day": t("closed_idle"),
  "its log is damaged": t("closed_damaged"),
  "it is lost": t("closed_lost"),
  "it was begun with rules that this service does not have": t("closed_rules"),
};
const whyClosed = (info) => CLOSED[info.closed] ?? t("closed");

/** The `table` object that renderers get; games/generic.js describes it. */
function useTable(feed, info, renderer, moment = null) {
  const now = moment ?? feed.now.value;
  const [sending, setSending] = useState(null);
  const names = namesOf(info);
  const currentAsk = now?.ask ?? null;
  const busy = currentAsk !== null && sending === currentAsk.n;
  const startsIn = useSecondsToStart(currentAsk);
  const act = async (ask, filled) => {
    if (!ask) return;
    setSending(ask.n);
    try {
      await move(feed.id, ask.n, filled);
    } catch (error) {
      setSending(null);
      showRefusal(info.game, names, error.answer);
    }
  };
  const attempt = async (filled) => {
    if (busy || attempting || startsIn) return;
    if (!currentAsk) {
      showNotice(waitingText(now?.acting ?? [], info.you, names) || t("nothing_to_do"));
      return;
    }
    attempting = true;
    await move(feed.id, currentAsk.n, filled).catch((error) => showRefusal(info.game, names, error.answer));
    attempting = false;
  };
  return {
    view: now?.view ?? null,
    events: now?.fresh ? now.events : [],
    known: useMemo(() => knownOf(feed.log.value, renderer.words, now?.n ?? 0), [feed.log.value, now?.n]),
    n: now?.n ?? 0,
    ask: currentAsk?.n ?? null,
    offers: busy || startsIn ? [] : (currentAsk?.offers ?? []),
    startsIn,
    asides: now?.asides?.offers ?? [],
    seat: info.you ?? info.shown ?? null, // watchers may see the table as a seat does
    seats: info.seats,
    options: info.options,
    acting: now?.acting ?? [],
    names,
    busy,
    play: (filled) => act(currentAsk, filled),
    aside: (filled) => act(now?.asides, filled).then(() => setSending(null)),
    attempt,
    explain: (text, rule) => showNotice(text, info.game, rule),
    moving: mayAnimate(),
    played: now?.played ?? false, // whether a beat has shown the events
    mini: false,
  };
}

/** Animate the last entry and play its sound. */
function useMotion(renderer, table, started = false) {
  useLayoutEffect(() => {
    if (started) deal();
  }, []);
  useLayoutEffect(() => {
    if (!table.events.length) return;
    if (table.moving) renderer.motion?.({ ...table, fly, was, now: placeNow, pulse });
    sound.playEntry(table.events, table.view?.result);
  }, [table.n]);
  useEffect(() => clearNotice, [table.ask, phaseOf(table.view)]); // a notice is about what could be done then
}

function TableFrame({ feed, info, renderer, go }) {
  useEffect(() => remember(info), [info]);
  const watcher = info.you === undefined;
  const rewind = useRewind(feed, watcher);
  const table = useTable(feed, info, renderer, rewind.moment);
  useMotion(renderer, table, feed.now.value?.view && (isJustCreated(feed.id) || (feed.now.value.fresh && feed.now.value.by === "house")));
  useAbout();
  useDragging();
  useBeats(feed, (events, view) => sound.withBeat(events, mayAnimate() && !rewind.moment ? beatOf(renderer, events, feed.now.value?.view ?? null, view, namesOf(feed.info.value), feed.id) : null));
  const isAnswered = useAutomation(renderer, table);
  useTurn(isAnswered ? null : table.ask, promptText(table, renderer), titleOf(info.game));
  const openMoves = () => openSheet(t("what_can_i_do"), () => html`<${AllMoves} ...${{ feed, info, renderer }} />`);
  useKeys(info, openMoves, () => openLogAndChat(feed, info, renderer));
  const parts = table.view ? renderTable(renderer, table) : {};
  const game = games.value.find((one) => one.name === info.game);
  const allLines = useLogLines(feed, renderer.words, info);
  const lines = rewind.moment ? allLines.filter((line) => line.n <= table.n) : allLines;
  const playing = info.status === "running";
  return html`<main class=${`page table of-${info.game} is-${info.status} ${table.seat === null ? "watching" : "seated"} ${frameClass(info, parts)}`} data-entry=${table.n}>
    <${TopBar} ...${{ feed, info, renderer, game, go, openMoves }} />
    <${ConsentBar} ...${{ feed, info }} />
    ${info.status === "open" ? null : html`<${Others} ...${{ feed, info, table, renderer, parts }} />`}
    <section class="board" data-place="board" aria-label=${t("the_table")}>
      ${info.status === "open" ? (feed.beats.shown.value ? null : html`<${Waiting} ...${{ feed, info, game, go }} />`) : (parts.board ?? (playing ? html`<${NothingYet} info=${info} />` : null))}
      ${info.status === "closed" ? html`<p class="notice">${whyClosed(info)} ${t("open_new")}</p>` : null}
      ${rewind.moment ? null : html`<${Stage} feed=${feed} />`}
      <${Countdown} seconds=${table.startsIn} />
      <${Cheer} key=${table.n} ...${{ table, renderer }} />
    </section>
    ${info.status === "ended" ? html`<${Result} ...${{ feed, info, renderer, table, game, go }} />` : null}
    ${info.status === "open" ? null : html`<${News} ...${{ lines, info, table, renderer }} />`}
    ${playing || (info.status === "ended" && table.view) ? html`<${MySeat} ...${{ feed, info, renderer, table, parts, rewind }} />` : null}
    <aside class="side" aria-label=${t("log_and_chat")}>
      <h2>${t("what_happened")}</h2>
      <${Log} ...${{ feed, lines, mine: info.you ?? null }} />
      <${Chat} feed=${feed} watcher=${watcher} about=${(chat) => openPerson(feed, chat)} />
    </aside>
  </main>`;
}

/** Every offer as a sentence, with controls to fill it. */
function AllMoves({ feed, info, renderer }) {
  const table = useTable(feed, feed.info.value ?? info, renderer);
  const { offers, asides, view, names } = table;
  if (!offers.length && !asides.length) {
    return html`<p>${t("nothing_to_do")} ${waitingText(table.acting, table.seat, names)}</p>`;
  }
  const tips = tipsNow(renderer.words, offers, view, names);
  return html`<div>
    ${tips.map(({ id, text }) => html`<p key=${id}>${text}</p>`)}
    <${AskMaster} key=${table.ask} ...${{ info: feed.info.value ?? info, table, words: renderer.words }} />
    <${Offers} ...${{ offers, act: table.play, words: renderer.words, names, view, ask: table.ask }} />
    ${asides.length ? html`<h3>${t("you_may_say")}</h3><${Offers} ...${{ offers: asides, act: table.aside, words: renderer.words, names, view, ask: "aside" }} />` : null}
  </div>`;
}

/** What lies over the lower edge of the board: the latest event, which screen readers announce, a hint, and the current notice. */
function News({ lines, info, table, renderer }) {
  const [declined, setDeclined] = useState(false);
  const played = lines.some(({ seat, by }) => seat === info.you && by === "seat"); // whoever plays without the lesson gets hints
  return html`<div class="news">
    <${Just} lines=${lines} />
    ${offersLesson(info) && !declined && !played ? html`<${LessonOffer} ...${{ info, title: titleOf(info.game), done: () => setDeclined(true) }} />` : html`<${Coach} ...${{ game: info.game, table, renderer }} />`}
    <${Notice} />
  </div>`;
}

/** My part of the page: my hand on the near edge of the table, and below it my seat, the prompt and the controls. */
function MySeat({ feed, info, renderer, table, parts, rewind }) {
  if (info.you === undefined) {
    const views = (rewind.moment ?? feed.now.value)?.views ?? null;
    return html`<${Watching} ...${{ feed, info, renderer, table, parts, views, rewind }} />`;
  }
  const away = info.status === "running" && info.seats[table.seat].stand_in;
  const genericControls = parts.bar === undefined && table.offers.length > 0;
  return html`<section class=${`me ${table.ask !== null ? "asked" : ""}`} aria-label=${t("you")}>
    <div class="hand" data-place="hand">${parts.hand}</div>
    <div class="controls">
      <${Seat} me=${true} react=${silence(info, false) ? null : html`<${React} table=${feed.id} />`} ...${seatProps(table.seat, feed, info, table, renderer, parts)} />
      ${away ? html`<p class="prompt">${t("stands_in", { name: away })}</p>` : html`<${Prompt} ...${{ table, renderer }} /><${AutoButton} ...${{ table, renderer }} />`}
      <div class="buttons">
        ${away ? html`<${TakeBack} feed=${feed} />` : parts.bar}
        ${genericControls && !away ? html`<${Offers} ...${{ offers: table.offers, act: table.play, words: renderer.words, names: table.names, view: table.view, ask: table.ask }} />` : null}
      </div>
    </div>
  </section>`;
}

/** For whom the table waits, other than this seat; "" if for nobody. */
function waitingText(acting, seat, names) {
  const others = acting.filter((clock) => clock.seat !== seat).map((clock) => names(clock.seat));
  return others.length ? t("waiting_for", { names: listed(others) }) : "";
}

/** What is asked of me; "" if nothing is. */
function promptText({ offers, view, names }, renderer) {
  if (!offers.length) return "";
  return renderer.words?.prompt?.(offers, view, names) ?? (offers.length === 1 ? offerText(offers[0], renderer.words, names, view) : t("choose_one"));
}

function Prompt({ table, renderer }) {
  const { offers, names, acting, busy, startsIn } = table;
  if (startsIn) return html`<p class="prompt">${t("race_starts")}</p>`;
  if (busy) return html`<p class="prompt">${t("sent")}</p>`;
  if (offers.length) return html`<${FittingPrompt} key=${promptText(table, renderer)} text=${promptText(table, renderer)} brief=${renderer.words?.briefPrompt?.(offers, table.view)} />`;
  return html`<p class="prompt">${waitingText(acting, table.seat, names)}</p>`;
}

function TakeBack({ feed }) {
  const back = () => request("back", { table: feed.id }).catch((error) => showNotice(error.message));
  return html`<button class="can do" onClick=${back}>${t("take_back")}</button>`;
}
