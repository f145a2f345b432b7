/** The page of a table: who sits where, what lies on it, what just happened, and what I may do now. */

import { fly, now as placeNow, pulse, remember, was } from "./anim.js";
import { Coach } from "./coach.js";
import * as generic from "./games/generic.js";
import { html, signal, useEffect, useLayoutEffect, useState } from "./html.js";
import { icons } from "./icons.js";
import { drop, follow, games, link, move, request } from "./net.js";
import { Offers } from "./offers.js";
import { rendererOf } from "./renderers.js";
import { Result } from "./result.js";
import { ruleText, Rules } from "./rules.js";
import { Seat } from "./seats.js";
import { moving } from "./settings.js";
import { openSettings, openSheet, sheet } from "./sheet.js";
import * as sound from "./sound.js";
import { Chat, heardFrom, Log, logLines } from "./talk.js";
import { CopyLink, Waiting } from "./waiting.js";
import { namesOf, offerText } from "./words.js";

const said = signal(null); // {text, at}: why something cannot be done
let quiet = null;

/** Say something to whoever sits here, for a while. */
export function tell(text) {
  clearTimeout(quiet);
  said.value = { text, at: Date.now() };
  quiet = setTimeout(() => (said.value = null), 7000);
}

async function explain(game, text, rule) {
  tell(rule ? `${text} (${rule})` : text);
  const sentence = rule ? await ruleText(game, rule) : "";
  if (sentence && sentence !== text) tell(`${text} ${rule}: ${sentence}`);
}

export function TablePage({ id, go }) {
  const [feed, setFeed] = useState(null);
  useEffect(() => {
    const mine = follow(id);
    mine.before = remember;
    setFeed(mine);
    return () => drop(mine);
  }, [id]);
  if (!feed || feed.id !== id) return null;
  const refused = feed.refused.value;
  if (refused) {
    return html`<main class="page alone">
      <h1>This table is not there</h1>
      <p>${refused.code === "no_table" ? "It may have been closed when everybody had left." : refused.message}</p>
      <p><button class="do can" onClick=${() => go("/")}>To the lobby</button></p>
    </main>`;
  }
  const info = feed.info.value;
  const renderer = info && rendererOf(info.game);
  if (!info || !renderer) return html`<main class="page alone"><p role="status">Walking to the table…</p></main>`;
  const begun = Boolean(feed.now.value?.view); // a renderer's hooks begin with the game, and with the renderer
  return html`<${Frame} key=${`${id} ${begun} ${renderer === generic}`} ...${{ feed, info, renderer, go }} />`;
}

/** What the renderer is given: see games/generic.js. */
function useTable(feed, info, renderer) {
  const now = feed.now.value;
  const [sending, setSending] = useState(null);
  const names = namesOf(info);
  const asked = now?.ask ?? null;
  const busy = asked !== null && sending === asked.n;
  const act = async (ask, filled) => {
    if (!ask) return;
    setSending(ask.n);
    try {
      await move(feed.id, ask.n, filled);
    } catch (no) {
      setSending(null);
      const { code, rule, message } = no.error;
      if (code === "illegal_move") explain(info.game, message, rule);
      else if (code !== "stale_ask" && code !== "not_asked") tell(message);
    }
  };
  return {
    view: now?.view ?? null,
    events: now?.fresh ? now.events : [],
    n: now?.n ?? 0,
    ask: asked?.n ?? null,
    offers: busy ? [] : (asked?.offers ?? []),
    asides: now?.asides?.offers ?? [],
    seat: info.you ?? null,
    seats: info.seats,
    options: info.options,
    acting: now?.acting ?? [],
    names,
    busy,
    play: (filled) => act(asked, filled),
    aside: (filled) => act(now?.asides, filled).then(() => setSending(null)),
    explain: (text, rule) => explain(info.game, text, rule),
    moving: moving(),
    mini: false,
  };
}

/** Let the renderer show how the last entry came about, and say that it is my turn. */
function useMotion(renderer, table) {
  useLayoutEffect(() => {
    if (!table.events.length) return;
    if (table.moving) renderer.motion?.({ ...table, fly, was, now: placeNow, pulse });
    sound.play(table.view?.result ? "end" : "move");
  }, [table.n]);
  useEffect(() => {
    if (table.ask !== null) sound.play("turn");
    document.title = table.ask === null ? "Cheeseboard" : "Your turn · Cheeseboard";
  }, [table.ask]);
}

function Frame({ feed, info, renderer, go }) {
  const table = useTable(feed, info, renderer);
  useMotion(renderer, table);
  const what = () => openWhat(feed, info, renderer);
  useKeys(info, what, () => openTalk(feed, info, renderer));
  const parts = table.view ? drawn(renderer, table) : {};
  const game = games.value.find((one) => one.name === info.game);
  const lines = logLines(feed.past.value, renderer.words, table.names, table.view);
  const playing = info.status === "running";
  return html`<main class=${`page table of-${info.game} ${table.seat === null ? "watching" : "seated"}`} data-entry=${table.n}>
    <${Bar} ...${{ feed, info, renderer, game, go, what }} />
    ${info.status === "open" ? null : html`<${Others} ...${{ feed, info, table, renderer, parts }} />`}
    <section class="board" data-place="board" aria-label="The table">
      ${info.status === "open" ? html`<${Waiting} ...${{ feed, info, game, go }} />` : parts.board}
      ${info.status === "ended" ? html`<${Result} ...${{ feed, info, renderer, table, game, go }} />` : null}
      ${info.status === "closed" ? html`<p class="notice">This table was closed.</p>` : null}
    </section>
    <${News} lines=${lines} />
    ${playing ? html`<${Mine} ...${{ feed, info, renderer, table, parts, what }} />` : null}
    <aside class="side" aria-label="Log and chat">
      <h2>What happened</h2>
      <${Log} lines=${lines} />
      <${Chat} feed=${feed} names=${table.names} watcher=${table.seat === null} />
    </aside>
  </main>`;
}

/** What the renderer draws; if it stumbles, the generic one, so that the game goes on. */
function drawn(renderer, table) {
  try {
    return renderer.render(table);
  } catch (fault) {
    console.error(fault);
    return generic.render(table);
  }
}

function useKeys(info, what, chat) {
  useEffect(() => {
    const onKey = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
      if (sheet.value) return;
      if (event.key === "?") openRules(info.game);
      else if (event.key === "w") what();
      else if (event.key === "c") chat();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}

export const openRules = (game) => openSheet("Rules", () => html`<${Rules} game=${game} />`, "wide");

/** Every offer in a sentence, with controls that can fill any of them. */
function openWhat(feed, info, renderer) {
  openSheet("What can I do?", () => html`<${What} ...${{ feed, info, renderer }} />`);
}

function What({ feed, info, renderer }) {
  const table = useTable(feed, feed.info.value ?? info, renderer);
  const { offers, asides, view, names } = table;
  if (!offers.length && !asides.length) {
    const others = table.acting.filter((clock) => clock.seat !== table.seat).map((clock) => names(clock.seat)).join(", ");
    return html`<p>Nothing is asked of you now.${others && ` It is up to ${others}.`}</p>`;
  }
  const whys = [...new Set(offers.map((offer) => renderer.words?.why?.[offer.move]).filter(Boolean))];
  return html`<div>
    ${whys.map((why) => html`<p key=${why}>${why}</p>`)}
    <${Offers} ...${{ offers, act: table.play, words: renderer.words, names, view, ask: table.ask }} />
    ${asides.length ? html`<h3>You may say</h3><${Offers} ...${{ offers: asides, act: table.aside, words: renderer.words, names, view, ask: "aside" }} />` : null}
  </div>`;
}

function openTalk(feed, info, renderer) {
  const narrow = matchMedia("(max-width: 899px)").matches;
  if (!narrow) {
    document.querySelector(".side .chat input")?.focus();
    return;
  }
  openSheet("Log and chat", () => html`<${Talk} ...${{ feed, info, renderer }} />`, "talk");
}

function Talk({ feed, info, renderer }) {
  const names = namesOf(feed.info.value ?? info);
  return html`<div class="side in-sheet">
    <${Log} lines=${logLines(feed.past.value, renderer.words, names, feed.now.value?.view)} />
    <${Chat} feed=${feed} watcher=${info.you === undefined} />
  </div>`;
}

const LINKS = {
  connecting: "Connecting…",
  lost: "Connection lost. Coming back by itself…",
  refused: "The house will not have this page. Reload it, please.",
};

/** What the connection is doing, in words; nothing while all is well. */
export function LinkState() {
  const { state } = link.value;
  return html`<span class=${`link ${state}`} role="status">${LINKS[state] ?? ""}</span>`;
}

function Bar({ feed, info, renderer, game, go, what }) {
  const [read, setRead] = useState(0);
  const chats = heardFrom(feed.chats.value);
  const fresh = chats.length - read;
  const talk = () => {
    setRead(chats.length);
    openTalk(feed, info, renderer);
  };
  return html`<header class="bar">
    <button class="icon" aria-label="To the lobby" onClick=${() => go("/")}>${icons.back()}</button>
    <h1>${game?.title ?? info.game}</h1>
    <${LinkState} />
    ${info.watchers ? html`<span class="watchers" title="watching" aria-label=${`${info.watchers} watching`}>${icons.eye()} ${info.watchers}</span>` : null}
    ${info.status === "running" && info.you !== undefined ? html`<button class="icon word" onClick=${what}>What can I do?</button>` : null}
    <button class="icon" aria-label="Rules" aria-keyshortcuts="?" onClick=${() => openRules(info.game)}>${icons.rules()}</button>
    <button class="icon talk-button" aria-label=${`Log and chat${fresh > 0 ? `, ${fresh} new` : ""}`} onClick=${talk}>${icons.talk()}${fresh > 0 ? html`<b>${fresh}</b>` : null}</button>
    <button class="icon" aria-label="Table menu" onClick=${() => openMenu(feed, info, go)}>${icons.menu()}</button>
  </header>`;
}

function openMenu(feed, info, go) {
  const leave = async () => {
    sheet.value = null;
    try {
      await request("leave", { table: feed.id });
      if (info.status === "open") go("/");
    } catch (no) {
      tell(no.message);
    }
  };
  const seated = info.you !== undefined && (info.status === "open" || info.status === "running");
  openSheet("This table", () => html`<div class="menu">
    ${seated ? html`<button onClick=${leave}>${info.status === "open" ? "Leave the table" : "Leave: a bot stands in for me"}</button>` : null}
    <p>Code <b class="code">${info.code}</b> · ${info.speed} · ${info.public ? "public" : "private"}</p>
    <${CopyLink} />
    <button onClick=${openSettings}>Settings</button>
    <button onClick=${() => closeAnd(go)}>To the lobby</button>
    <p class="quiet commitment">The shuffle was fixed before the first move. Fingerprint ${info.commitment.slice(0, 16)}…</p>
  </div>`);
}

function closeAnd(go) {
  sheet.value = null;
  go("/");
}

const FEW = 3; // with more seats than this, each is drawn narrower on a phone,
const CROWD = 5; // and with more than this everywhere

/** Seats in order round the table, beginning on my left; all of them for a watcher. */
function Others({ feed, info, table, renderer, parts }) {
  const count = info.seats.length;
  const first = table.seat ?? -1;
  const order = [...Array(count).keys()].map((step) => (first + 1 + step) % count).filter((seat) => seat !== table.seat);
  return html`<section class=${`others n-${order.length} ${order.length > CROWD ? "crowd" : order.length > FEW ? "several" : ""}`} aria-label="Seats">
    ${order.map((seat) => html`<${Seat} key=${seat} ...${seatProps(seat, feed, info, table, renderer, parts)} />`)}
  </section>`;
}

function seatProps(number, feed, info, table, renderer, parts) {
  const chats = heardFrom(feed.chats.value).filter((chat) => chat.seat === number && performance.now() - chat.heard < 6000 && Date.now() - chat.at < 20_000);
  return {
    number,
    info,
    clock: table.acting.find((clock) => clock.seat === number),
    badges: table.view ? (renderer.publicOf?.(table.view, number) ?? []) : [],
    extra: parts.seats?.[number],
    bubble: chats.at(-1),
    place: info.result?.places[number],
  };
}

/** What just happened, in one line; read aloud. */
function News({ lines }) {
  const last = lines.at(-1);
  const why = said.value;
  return html`<div class="news">
    <p class="just" aria-live="polite">${last ? last.text : ""}</p>
    ${why ? html`<p class="why" role="status" key=${why.at}>${why.text}<button class="icon" aria-label="Close" onClick=${() => (said.value = null)}>${icons.close()}</button></p>` : null}
  </div>`;
}

/** My band: my seat, what is asked of me, my hand, and the controls. */
function Mine({ feed, info, renderer, table, parts, what }) {
  if (table.seat === null) {
    return html`<section class="me" aria-label="You"><p class="prompt">You are watching.</p></section>`;
  }
  const mine = info.seats[table.seat];
  if (mine.stand_in) return html`<${Away} ...${{ feed, mine, parts }} />`;
  const generic = parts.bar === undefined;
  return html`<section class=${`me ${table.ask !== null ? "asked" : ""}`} aria-label="You">
    <div class="me-head">
      <${Seat} me=${true} ...${seatProps(table.seat, feed, info, table, renderer, parts)} />
      <${Prompt} ...${{ table, renderer }} />
    </div>
    <${Coach} ...${{ game: info.game, table, renderer, what }} />
    <div class="hand" data-place="hand">${parts.hand}</div>
    ${generic && table.offers.length
      ? html`<div class="controls"><${Offers} ...${{ offers: table.offers, act: table.play, words: renderer.words, names: table.names, view: table.view, ask: table.ask }} /></div>`
      : null}
    ${parts.bar ? html`<div class="controls">${parts.bar}</div>` : null}
  </section>`;
}

function Prompt({ table, renderer }) {
  const { offers, view, names, acting, busy } = table;
  if (busy) return html`<p class="prompt">Sent…</p>`;
  if (offers.length) {
    const text = renderer.words?.prompt?.(offers, view, names) ?? (offers.length === 1 ? offerText(offers[0], renderer.words, names, view) : "Your turn: choose one.");
    return html`<p class="prompt yours">${text}</p>`;
  }
  const others = acting.filter((clock) => clock.seat !== table.seat).map((clock) => names(clock.seat));
  return html`<p class="prompt">${others.length ? `Waiting for ${others.join(", ")}.` : ""}</p>`;
}

function Away({ feed, mine, parts }) {
  const back = () => request("back", { table: feed.id }).catch((no) => tell(no.message));
  return html`<section class="me" aria-label="You">
    <p class="prompt">${mine.stand_in} stands in for you.</p>
    <div class="hand" data-place="hand">${parts.hand}</div>
    <div class="controls"><button class="can do" onClick=${back}>Take my seat back</button></div>
  </section>`;
}
