/** Diced Cheese: felt for the dice, a wheel that fills, and a last die that points at somebody. */

import { html } from "../html.js";
import { Ring } from "../seats.js";
import { Face, FACE_NAMES, FACES, Skyline, Wheel } from "./diced_cheese_faces.js";
import { words } from "./diced_cheese_words.js";

export { words };
export const css = true;

const OUTSIDE = (die) => die.where !== "wheel";
const inWheel = (set) => set.flatMap((die, number) => (die.where === "wheel" ? [number] : []));
const thrownIn = (events, seat) => events.filter((event) => (event.type === "rolled" || event.type === "fetched") && (seat === null || event.seat === seat)).flatMap((event) => event.throws);

export function render(table) {
  const { view, seat, mini } = table;
  const classic = view.variant === "classic";
  const mine = classic ? 0 : seat;
  const board = html`<div class=${`dice-table ${view.variant} ${mini ? "mini" : ""} ${mine === null ? "all" : ""}`}>
    ${classic ? null : html`<${Rivals} table=${table} />`}
    ${mine === null ? null : html`<${Set} ...${{ table, set: mine }} />`}
  </div>`;
  return { board, hand: null, bar: seat === null || view.result ? null : html`<${Throw} table=${table} />` };
}

/** One set of dice: the wheel (or the towers), the felt, and what the faces mean. */
function Set({ table, set }) {
  const { view, events, moving } = table;
  const dice = view.dice[set];
  const throws = thrownIn(events, view.variant === "classic" ? null : set);
  const fresh = moving ? throws.filter((one) => one.face === "goat").map((one) => one.die) : [];
  return html`
    ${view.variant === "towers"
      ? html`<div class="wheel-place towers" data-place="wheel"><${Skyline} standing=${dice.filter((die) => die.where === "standing").length} /></div>`
      : html`<div class="wheel-place" data-place="wheel">
          <${Wheel} filled=${inWheel(dice)} fresh=${fresh} />
          <${WonWheel} ...${{ table, set }} />
          <span class="wheel-count" aria-hidden="true">${inWheel(dice).length}<small>/8</small></span>
        </div>`}
    <${Felt} ...${{ table, dice, throws }} />
    <${Legend} ...${{ view, dice }} />`;
}

/** The wheel with which a round was just won, which fades away; the table already has the next round's. */
function WonWheel({ table, set }) {
  const { events, view, moving, n } = table;
  const won = events.find((event) => event.type === "round_won");
  const read = events.findLast((event) => event.type === "read");
  if (!won || !moving || view.result || (view.variant !== "classic" && won.seat !== set)) return null;
  return html`<div class="won-wheel" key=${n}><${Wheel} won=${true} filled=${read.wheres.flatMap((where, number) => (where === "wheel" ? [number] : []))} /></div>`;
}

/** Where the screen shows heading 0: my own seat is at the bottom. */
const offsetOf = (view) => (view.me === null ? 0 : 180 - (view.me * 360) / view.wins.length);

/** DIC-10: at whom a heading points. */
const pointsAt = (heading, seats) => Math.floor((heading * seats + 180) / 360) % seats;

function Felt({ table, dice, throws }) {
  const { view, moving } = table;
  const classic = view.variant === "classic";
  const begun = classic ? view.rolls.some(Boolean) : throws.length || dice.some((die) => die.where !== "available" || die.face);
  const untouched = classic && !begun;
  const rolled = new Map(throws.map((one) => [one.die, one]));
  const outside = dice.flatMap((die, number) => (OUTSIDE(die) ? [number] : []));
  const alone = classic && outside.length === 1 && begun ? dice[outside[0]] : null;
  const at = alone?.face === "no_gouda" ? pointsAt(alone.heading, view.wins.length) : null;
  return html`<div class="felt" data-place="felt">
    ${classic ? html`<${Tags} ...${{ table, at }} />` : null}
    ${at === null ? null : html`<span class="ray" style=${{ transform: `rotate(${alone.heading + offsetOf(view)}deg)` }}></span>`}
    ${dice.map((die, number) => html`<${Lying} key=${rolled.has(number) ? `${number}-${table.n}` : number} ...${{ die, number, untouched, view, alone: alone === die, tumble: moving && rolled.has(number), lit: table.offers.length > 0 && isNext(die) }} />`)}
    <${Banner} table=${table} />
    <${Cover} table=${table} />
  </div>`;
}

const isNext = (die) => die.where === "available" || die.where === "queso" || die.where === "fallen";

/** A die on the felt, each in a part of its own so that none hides another. */
function Lying({ die, number, untouched, view, alone, tumble, lit }) {
  const fallen = die.where === "fallen";
  const spread = untouched ? 0.5 : die.x / 1000;
  const left = alone ? 50 : fallen ? 50 + (number - 3.5) * 10 : 15 + 23.3 * (number % 4) + 8 * (spread - 0.5);
  const top = alone ? 50 : fallen ? 93 : 31 + 37 * Math.floor(number / 4) + (untouched ? 0 : (die.y / 1000 - 0.5) * 12);
  const turn = untouched ? 0 : die.heading + offsetOf(view);
  const gone = die.where === "wheel";
  return html`<span
    class=${`die ${gone ? "gone" : ""} ${lit ? "lit" : ""} ${alone ? "alone" : ""} ${fallen ? "fallen" : ""} ${tumble ? "tumble" : ""}`}
    data-place=${`die-${number}`}
    style=${{ left: `${left}%`, top: `${top}%` }}
  >${gone ? null : html`<${Face} face=${untouched ? null : die.face} turn=${turn} />`}</span>`;
}

/** Who sits where round the felt, so that a pointing die is seen to point at somebody. */
function Tags({ table, at }) {
  const { view, names } = table;
  const seats = view.wins.length;
  return view.wins.map((_, seat) => {
    const turn = (((seat * 360) / seats + offsetOf(view)) * Math.PI) / 180;
    const [x, y] = [Math.sin(turn), -Math.cos(turn)];
    const place = { "--x": x.toFixed(4), "--y": y.toFixed(4), "--ax": Math.max(0.001, Math.abs(x)).toFixed(4), "--ay": Math.max(0.001, Math.abs(y)).toFixed(4) };
    return html`<span key=${seat} class=${`tag-of ${view.turn === seat ? "turn" : ""} ${at === seat ? "pointed" : ""}`} style=${place} aria-hidden="true">${names(seat)}</span>`;
  });
}

/** What just happened, large, while it is new. */
function Banner({ table }) {
  const { events, names, view, n } = table;
  const tell = events.find((event) => ["round_won", "stacked", "fell", "came_late", "started_over", "finished"].includes(event.type));
  if (!tell || (tell.type === "started_over" && tell.seat !== view.me)) return null;
  const text = words.events[tell.type](tell, names, view);
  return html`<p class="banner" key=${n}>${text}</p>`;
}

/** Why nothing can be rolled just now. */
function notNow({ view, names, seat, explain, busy }) {
  if (view.result || busy) return;
  if (view.variant === "towers" && !view.racing.includes(seat)) explain("You have stopped: wait for the others.", "DIC-16");
  else if (view.turn !== null && view.turn !== seat) explain(`It is ${names(view.turn)}'s turn to roll.`, "DIC-5");
}

const fetching = (view) => view.phase === "fetch";
const labelOf = ({ offers, view, names }) =>
  offers.length ? words.offers[offers[0].move](offers[0], names, view) : view.turn !== null ? `${names(view.turn)} ${names(view.turn) === "You" ? "have" : "has"} the dice` : "Rolling…";

/** The whole felt is the thing to click: all dice that are lit are rolled together. */
function Cover({ table }) {
  const { offers, play, seat } = table;
  if (seat === null || table.view.result) return null;
  const may = offers.length > 0;
  const act = () => (may ? play({ type: offers[0].move, ...offers[0].fill }) : notNow(table));
  return html`<button class=${`cover ${may ? "can" : ""}`} aria-disabled=${!may} aria-label=${`The dice: ${labelOf(table)}${may ? `, roll ${table.view.rolls[seat] + 1} of yours` : ""}`} onClick=${act}></button>`;
}

/** The same in reach of the thumb, with the five seconds of a fetch on it. */
function Throw({ table }) {
  const { offers, play, view, acting, seat } = table;
  const may = offers.length > 0;
  const act = () => (may ? play({ type: offers[0].move, ...offers[0].fill }) : notNow(table));
  const clock = fetching(view) ? acting.find((one) => one.seat === seat) : null;
  return html`<button class=${`throw do ${may ? "can" : "idle"} ${clock ? "hurry" : ""}`} aria-disabled=${!may} onClick=${act}>
    ${clock ? html`<${Ring} clock=${clock} />` : null}<span>${clock ? "Fetch it!" : table.busy ? "Rolling…" : labelOf(table)}</span>
  </button>`;
}

const MEANS = { goat: "in the wheel", queso: "roll again", no_gouda: "out for now", tower: "standing" };
const RULES = { goat: "DIC-6", queso: "DIC-8", no_gouda: "DIC-10", tower: "DIC-7" };

/** The four ways to land, what they do, and how many there are. */
function Legend({ view, dice }) {
  const counts = {
    goat: view.variant === "towers" ? dice.filter((die) => die.face === "goat" && OUTSIDE(die)).length : inWheel(dice).length,
    queso: dice.filter((die) => OUTSIDE(die) && die.face === "queso").length,
    no_gouda: dice.filter((die) => OUTSIDE(die) && die.face === "no_gouda").length,
    tower: dice.filter((die) => OUTSIDE(die) && die.face === "tower").length,
  };
  const towers = view.variant === "towers";
  const of = { goat: towers ? "" : "/8", tower: towers ? "/8" : "/5" };
  const begun = view.rolls.some(Boolean);
  return html`<ul class="legend">${FACES.map((face) => html`<li key=${face} title=${RULES[face]}>
    <${Face} face=${face} /><span class="legend-name">${FACE_NAMES[face]}<small>${towers && face !== "tower" ? "roll again" : MEANS[face]}</small></span>
    <b>${begun || face === "goat" ? counts[face] : 0}<small>${of[face] ?? ""}</small></b>
  </li>`)}</ul>`;
}

/** In the variants: everybody's own wheel or towers, small. */
function Rivals({ table }) {
  const { view, seat, names } = table;
  const seats = view.wins.map((_, other) => other).filter((other) => other !== seat);
  return html`<ul class="rivals">${seats.map((other) => {
    const dice = view.dice[other];
    const towers = dice.filter((die) => die.where === "standing").length;
    const state = view.needed[other] !== null ? `done in ${view.needed[other]}` : `${view.rolls[other]} roll${view.rolls[other] === 1 ? "" : "s"}`;
    return html`<li key=${other} data-place=${`rival-${other}`} class=${view.racing.includes(other) ? "" : "stopped"}>
      ${view.variant === "towers" ? html`<${Skyline} standing=${towers} />` : html`<${Wheel} small=${true} filled=${inWheel(dice)} />`}
      <span class="rival-name">${names(other)}<small>${view.variant === "towers" ? state : `${inWheel(dice).length}/8${towers ? `, ${towers} tower${towers === 1 ? "" : "s"}` : ""}`}</small></span>
      <span class="rival-dice" aria-hidden="true">${dice.map((die, at) => (OUTSIDE(die) && view.rolls[other] ? html`<${Face} key=${at} face=${die.face} />` : null))}</span>
    </li>`;
  })}</ul>`;
}

export function publicOf(view, seat) {
  const rolls = `${view.rolls[seat]} roll${view.rolls[seat] === 1 ? "" : "s"}`;
  if (view.variant === "towers") return [{ text: view.needed[seat] === null ? rolls : `done: ${view.needed[seat]}`, label: `${rolls} so far` }];
  return [{ text: `${view.wins[seat]}/3`, label: `${view.wins[seat]} of 3 rounds won`, kind: view.wins[seat] ? "good" : "" }];
}

export function account(view, names) {
  if (view.variant === "towers") {
    const rows = view.needed.map((rolls, seat) => `${names(seat)}: ${rolls === null ? `not done after ${view.rolls[seat]}` : `${rolls} rolls`}`);
    return html`<p>Rolls for eight towers. ${rows.join("; ")}.</p>`;
  }
  return html`<p>Points are rounds won; three of them win. It took ${view.round} round${view.round === 1 ? "" : "s"}.</p>`;
}

/** Goats travel from the felt into the wheel once they have tumbled. */
export function motion({ events, view, seat, fly, pulse }) {
  const own = view.variant === "classic" ? null : seat;
  if (events.some((event) => event.type === "round_won")) return pulse("wheel");
  const wheel = events.some((event) => event.type === "read") && view.variant !== "towers";
  thrownIn(events, own).forEach((one) => {
    if (one.face !== "goat" || !wheel) return;
    fly(html`<span class="die-flying tumble"><${Face} face="goat" turn=${one.heading + offsetOf(view)} /></span>`, `die-${one.die}`, "wheel", { delay: 420, ms: 320 });
  });
  return undefined;
}
