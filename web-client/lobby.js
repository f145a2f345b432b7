/** The front page: what this is, a live table, play now, open tables, a private table, and a code to join by. */

import { html, useEffect, useState } from "./html.js";
import { Emblem, icons } from "./icons.js";
import { AskName, settleName } from "./name.js";
import { drop, findByCode, follow, followLobby, games, mine, request, tables, titleOf, user } from "./net.js";
import { rendererOf } from "./renderers.js";
import { Avatar, kindOf } from "./seats.js";
import { openSettings } from "./sheet.js";
import { LinkState, openRules } from "./table.js";
import { logLines } from "./talk.js";
import { namesOf } from "./words.js";

export function LobbyPage({ go }) {
  useEffect(followLobby, []);
  const list = Object.values(tables.value ?? {});
  const open = list.filter((table) => table.status === "open");
  const running = list.filter((table) => table.status === "running");
  return html`<main class="page lobby">
    <header class="masthead">
      <img src="/icon.svg" alt="" width="48" height="48" />
      <div><h1>Cheeseboard</h1><p>Five table games, live, with friends or with bots. No account, just a name.</p></div>
      <${LinkState} />
      <button class="icon" aria-label="Settings" onClick=${openSettings}>${icons.dials()}</button>
    </header>
    <${Mine} go=${go} />
    <${PlayNow} go=${go} />
    <${Live} running=${running} go=${go} />
    <${OpenTables} ...${{ open, running, go }} />
    <footer class="quiet">Every game is open to programs too: <a href="/bots">bring your own bot</a>.</footer>
  </main>`;
}

/** The way back to where I sit. */
function Mine({ go }) {
  if (!mine.value.length) return null;
  const label = (id) => `Back to ${titleOf(tables.value?.[id]?.game) ?? "your table"}`;
  return html`<section class="mine-waiting" aria-label="Your tables">
    <h2>Your seat is waiting</h2>
    ${mine.value.map((id) => html`<button key=${id} class="can do" onClick=${() => go(`/t/${id}`)}>${label(id)}</button>`)}
  </section>`;
}

const SEATS = 4;
const FIRST = "cheesedog"; // the game that explains itself fastest is chosen first

function PlayNow({ go }) {
  const [game, setGame] = useState(null);
  const [more, setMore] = useState(false);
  const [fault, setFault] = useState("");
  const [choices, setChoices] = useState({ speed: "normal", level: "rookie", options: {} });
  const [busy, setBusy] = useState(false);
  const chosen = games.value.find((one) => one.name === (game ?? FIRST)) ?? games.value[0];
  const begin = async (kind) => {
    setFault("");
    setBusy(true);
    const [least, most] = chosen.seats;
    const seats = Math.min(most, Math.max(least, choices.seats ?? SEATS));
    const wish = { game: chosen.name, seats, speed: choices.speed, options: choices.options };
    try {
      await settleName();
      const bots = kind === "bots" ? { bots: choices.level } : {};
      const made = await request("create", { ...wish, ...bots, public: kind !== "private" });
      go(`/t/${made.table}`);
    } catch (no) {
      setFault(no.message);
      setBusy(false);
    }
  };
  const pick = (name) => {
    setGame(name);
    setChoices({ ...choices, seats: undefined, options: {} });
  };
  return html`<section class="play" aria-label="Play">
    <h2>Play now</h2>
    <div class="shelf" role="radiogroup" aria-label="Game">
      ${games.value.map((one) => html`<${GameCard} key=${one.name} game=${one} chosen=${one === chosen} pick=${pick} />`)}
    </div>
    <p class="blurb">${chosen?.blurb ?? ""}</p>
    <div class="row start">
      <${AskName} />
      <button class="can do big" disabled=${!chosen || busy} onClick=${() => begin("bots")}>Play with bots</button>
    </div>
    <p class="row other-ways">
      <button disabled=${!chosen || busy} onClick=${() => begin("open")}>${icons.door()} Open table</button>
      <button disabled=${!chosen || busy} onClick=${() => begin("private")}>${icons.lock()} Private table</button>
      <button aria-expanded=${more} onClick=${() => setMore(!more)}>${icons.dials()} Choices</button>
      ${chosen ? html`<button onClick=${() => openRules(chosen.name)}>${icons.rules()} Rules</button>` : null}
    </p>
    ${more && chosen ? html`<${Choices} game=${chosen} ...${{ choices, setChoices }} />` : null}
    ${fault && html`<p class="fault" role="alert">${fault}</p>`}
  </section>`;
}

function GameCard({ game, chosen, pick }) {
  const [least, most] = game.seats;
  return html`<button class=${`game-card of-${game.name}`} role="radio" aria-checked=${chosen} onClick=${() => pick(game.name)}>
    <${Emblem} game=${game.name} />
    <span class="game-title">${game.title}</span>
    <span class="quiet">${least === most ? least : `${least}–${most}`} players</span>
  </button>`;
}

function Choices({ game, choices, setChoices }) {
  const [least, most] = game.seats;
  const counts = [...Array(most - least + 1).keys()].map((step) => least + step);
  const set = (name) => (event) => setChoices({ ...choices, [name]: event.target.value });
  const value = Math.min(most, Math.max(least, choices.seats ?? SEATS));
  return html`<div class="choices">
    <label>Seats <select value=${value} onChange=${(event) => setChoices({ ...choices, seats: Number(event.target.value) })}>
      ${counts.map((count) => html`<option value=${count}>${count}</option>`)}
    </select></label>
    <label>Speed <select value=${choices.speed} onChange=${set("speed")}>
      ${["relaxed", "normal", "blitz", "untimed"].map((speed) => html`<option value=${speed}>${speed}</option>`)}
    </select></label>
    <label>Bots <select value=${choices.level} onChange=${set("level")}>
      ${["random", "rookie", "master"].map((level) => html`<option value=${level}>${level}</option>`)}
    </select></label>
    ${Object.entries(game.options).map(([name, values]) => {
      const now = choices.options[name] ?? values[0];
      const change = (event) => setChoices({ ...choices, options: { ...choices.options, [name]: values[event.target.selectedIndex] } });
      return html`<label key=${name}>${name.replaceAll("_", " ")} <select onChange=${change}>
        ${values.map((item) => html`<option selected=${item === now}>${item === true ? "yes" : item === false ? "no" : String(item)}</option>`)}
      </select></label>`;
    })}
  </div>`;
}

/** A real table, as everybody may see it, moving. */
function Live({ running, go }) {
  const [held, setHeld] = useState(null);
  const here = running.some((table) => table.table === held);
  const next = here ? held : (best(running)?.table ?? null);
  useEffect(() => {
    if (next === held) return undefined;
    const timer = setTimeout(() => setHeld(next), held ? RESULT_MS : 0); // a game that has ended is shown a little longer
    return () => clearTimeout(timer);
  }, [next, held]);
  return html`<section class="live" aria-label="A table to watch">
    <h2>On the board now</h2>
    ${held ? html`<${Window} key=${held} id=${held} go=${go} />` : html`<${NoLive} />`}
  </section>`;
}

const RESULT_MS = 6000;
const best = (running) => [...running].sort((a, b) => people(b) - people(a))[0];
const people = (table) => table.seats.filter((seat) => seat.kind === "person").length;

const QUIET_MS = 1500; // how long all tables are quiet before the bots are asked for a game

/** Nothing to watch: the bots are asked for a game, by whoever sees this first. */
function NoLive() {
  const listed = tables.value !== null;
  useEffect(() => {
    if (!listed) return undefined;
    let asked = false; // once is enough, however long the answer takes
    const ask = () => {
      if (asked || document.visibilityState !== "visible") return;
      asked = true;
      showGame().catch(() => {}).finally(() => (asked = false));
    };
    const timer = setInterval(ask, QUIET_MS * (1 + Math.random()));
    return () => clearInterval(timer);
  }, [listed]);
  return html`<div class="live-window empty"><p class="quiet">All tables are quiet. The bots are sitting down for a game…</p></div>`;
}

function showGame() {
  const game = games.value[Math.floor(Math.random() * games.value.length)];
  const seats = Math.min(game.seats[1], Math.max(game.seats[0], SEATS));
  return request("create", { game: game.name, seats, seat: null, bots: "rookie" });
}

function Window({ id, go }) {
  const [feed, setFeed] = useState(null);
  useEffect(() => {
    const mine = follow(id);
    setFeed(mine);
    return () => drop(mine);
  }, [id]);
  const info = feed?.info.value;
  const now = feed?.now.value;
  const renderer = info && rendererOf(info.game);
  if (!renderer || !now?.view) return html`<div class="live-window empty"><p class="quiet">Looking over their shoulders…</p></div>`;
  const names = namesOf({ ...info, you: null });
  const lines = logLines(feed.past.value.slice(-3), renderer.words, names, now.view);
  const title = titleOf(info.game);
  return html`<div class="live-window">
    <p class="live-head"><b>${title}</b> <span class="quiet">${info.seats.map((seat) => seat.name ?? "free").join(", ")}</span></p>
    <div class=${`board mini of-${info.game}`} inert>
      <${Mini} ...${{ renderer, info, now, names }} />
    </div>
    <p class="just">${lines.at(-1)?.text ?? ""}</p>
    <button onClick=${() => go(`/t/${id}`)}>Watch this table</button>
  </div>`;
}

function Mini({ renderer, info, now, names }) {
  const nothing = () => {};
  const empty = { events: [], ask: null, offers: [], asides: [], seat: null, busy: false, moving: false };
  const given = { view: now.view, n: now.n, seats: info.seats, options: info.options, acting: now.acting, names };
  return renderer.render({ ...empty, ...given, play: nothing, aside: nothing, explain: nothing, mini: true }).board;
}

function OpenTables({ open, running, go }) {
  const row = (table, verb) => html`<li key=${table.table}>
    <span class="game-title">${titleOf(table.game)}</span>
    <span class="who-plays"><span class="faces">${table.seats.map((seat, at) => html`<span key=${at} title=${`${seat.name ?? "free"} (${kindOf(seat)})`}><${Avatar} name=${seat.name ?? "+"} bot=${seat.kind === "bot"} /></span>`)}</span>
      <span class="quiet">${table.speed}${table.watchers ? `, ${table.watchers} watching` : ""}</span></span>
    <button onClick=${() => go(`/t/${table.table}`)}>${verb}</button>
  </li>`;
  return html`<section class="tables" aria-label="Tables">
    <h2>Open tables</h2>
    <ul class="rows">
      ${open.map((table) => row(table, "Join"))}
      ${open.length ? null : html`<li class="quiet">None just now. Open one, and others will see it here.</li>`}
    </ul>
    <${JoinByCode} go=${go} />
    <h2>Being played</h2>
    <ul class="rows">
      ${running.slice(0, 12).map((table) => row(table, "Watch"))}
      ${running.length ? null : html`<li class="quiet">None just now.</li>`}
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
    } catch (no) {
      setFault(no.message);
    }
  };
  return html`<form class="join" onSubmit=${join}>
    <label>Have a code? <input maxlength="12" minlength="4" required autocapitalize="off" autocomplete="off" value=${code} onInput=${(event) => setCode(event.target.value)} /></label>
    <button type="submit">Join</button>
    ${fault && html`<span class="fault" role="alert">${fault}</span>`}
  </form>`;
}
