/** Diced Cheese: the felt with the dice, the wheel, and a last die that points at a seat. */

import { html, useEffect, useState } from "../html.js";
import { Ring } from "../seats.js";
import { aboutFace, Face, FACE_NAMES, FACES, Skyline, Wheel } from "./diced_cheese_faces.js";
import { fallen as countFallen, words } from "./diced_cheese_words.js";
import { texts } from "../messages/en/diced_cheese.js";
import { translator } from "../messages.js";

const t = translator(texts);

export { words };

const OUTSIDE = (die) => die.where !== "wheel";
const inWheel = (set) => set.flatMap((die, number) => (die.where === "wheel" ? [number] : []));
const thrownIn = (events, seat) => events.filter((event) => (event.type === "rolled" || event.type === "fetched") && (seat === null || event.seat === seat)).flatMap((event) => event.throws);

export function render(table) {
  const { view, seat, mini } = table;
  const classic = view.variant === "classic";
  const mine = classic ? 0 : seat;
  const board = html`<div class=${`dice-table ${view.variant} ${mini ? "mini" : ""} ${mine === null ? "all" : ""}`}>
    ${mine === null ? html`<${Rivals} table=${table} />` : html`<${Set} ...${{ table, set: mine }} />`}
  </div>`;
  return {
    board,
    next: classic && !view.result && view.turn !== null ? (view.turn + 1) % view.wins.length : null,
    seats: classic || mine === null ? null : view.wins.map((_, other) => html`<${Rival} ...${{ view, other }} />`),
    hand: null,
    bar: seat === null || view.result ? null : html`<${Throw} table=${table} />`,
  };
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

/** The wheel that has just won a round, which fades away: the view already has the next round. */
function WonWheel({ table, set }) {
  const { events, view, moving, n } = table;
  const won = events.find((event) => event.type === "round_won");
  const read = events.findLast((event) => event.type === "read");
  if (!won || !moving || view.result || (view.variant !== "classic" && won.seat !== set)) return null;
  return html`<div class="won-wheel" key=${n}><${Wheel} won=${true} filled=${read.wheres.flatMap((where, number) => (where === "wheel" ? [number] : []))} /></div>`;
}

/** The rotation of heading 0 on the screen, which has my own seat at the bottom. */
const offsetOf = (view) => (view.me === null ? 0 : 180 - (view.me * 360) / view.wins.length);

/** DIC-10: the seat at which a heading points. */
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
    ${dice.map((die, number) => html`<${Lying} key=${rolled.has(number) ? `${number}-${table.n}` : number} ...${{ die, number, untouched, view, alone: alone === die, tumble: moving && !table.played && rolled.has(number), lit: table.offers.length > 0 && isNext(die) }} />`)}
    <${Banner} table=${table} />
    <${Cover} table=${table} />
  </div>`;
}

const isNext = (die) => die.where === "available" || die.where === "queso" || die.where === "fallen";

/** A die on the felt. Each has an area of its own, so that none hides another. */
function Lying({ die, number, untouched, view, alone, tumble, lit }) {
  const fallen = die.where === "fallen";
  const spread = untouched ? 0.5 : die.x / 1000;
  const left = alone ? 50 : fallen ? 50 + (number - 3.5) * 11 : 15 + 23.3 * (number % 4) + 8 * (spread - 0.5);
  const row = Math.floor(number / 4) - 0.5 + (untouched ? 0 : (die.y / 1000 - 0.5) * 0.32);
  const top = alone ? "50%" : fallen ? "84%" : `calc(50cqh + ${row} * min(37cqh, 30cqw))`; // on a high felt the names at the sides stay free
  const turn = untouched || !die.face ? 0 : die.heading + offsetOf(view); // upright before its first throw
  const gone = die.where === "wheel";
  return html`<span
    class=${`die ${gone ? "gone" : ""} ${lit ? "lit" : ""} ${alone ? "alone" : ""} ${fallen ? "fallen" : ""} ${tumble ? "tumble" : ""}`}
    data-place=${`die-${number}`}
    style=${{ left: `${left}%`, top }}
  >${gone ? null : html`<${Face} ...${{ face: untouched ? null : die.face, turn, variant: view.variant }} />`}</span>`;
}

/** The names of the seats round the felt, so that one can see at whom a die points. */
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

/** The latest event in large letters, while it is new. */
function Banner({ table }) {
  const { events, names, view, n } = table;
  const tell = events.find((event) => ["round_won", "stacked", "fell", "came_late", "started_over", "finished"].includes(event.type));
  if (!tell || (tell.type === "started_over" && tell.seat !== view.me)) return null;
  const text = words.events[tell.type](tell, names, view);
  return html`<p class="banner" key=${n}>${text}</p>`;
}

const fetching = (view) => view.phase === "fetch";
const labelOf = ({ offers, view, names, startsIn }) =>
  startsIn ? t("get_ready") : offers.length ? words.offers[offers[0].move](offers[0], names, view) : view.turn !== null ? t("has_dice", { who: names(view.turn) }) : t("rolling");

/** A button over the whole felt: it rolls all dice that are lit. */
function Cover({ table }) {
  const { offers, play, attempt, seat } = table;
  if (seat === null || table.view.result) return null;
  const may = offers.length > 0;
  const act = () => (may ? play({ type: offers[0].move, ...offers[0].fill }) : attempt({ type: "roll" }));
  return html`<button class=${`cover ${may ? "can" : ""}`} aria-disabled=${!may} aria-label=${t(may ? "the_dice_mine" : "the_dice", { what: labelOf(table), number: table.view.rolls[seat] + 1 })} onClick=${act}></button>`;
}

/** The same button below the table, near the thumb, with the clock of a fetch. */
function Throw({ table }) {
  const { offers, play, attempt, view, acting, seat } = table;
  const may = offers.length > 0;
  const act = () => (may ? play({ type: offers[0].move, ...offers[0].fill }) : attempt({ type: "roll" }));
  const clock = fetching(view) ? acting.find((one) => one.seat === seat) : null;
  return html`<button class=${`throw do ${may ? "can" : "idle"} ${clock ? "hurry" : ""}`} aria-disabled=${!may} aria-keyshortcuts="r" onClick=${act}>
    ${clock ? html`<${Ring} clock=${clock} />` : null}<span>${clock ? t("fetch_it", { count: countFallen(view) }) : table.busy ? t("rolling") : labelOf(table)}</span>
  </button>`;
}

const MEANS = { goat: t("in_wheel"), queso: t("roll_again"), no_gouda: t("out_for_now"), tower: t("standing") };
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
    <${Face} ...${{ face, variant: view.variant }} /><span class="legend-name">${FACE_NAMES[face]}<small>${towers && face !== "tower" ? t("roll_again") : MEANS[face]}</small></span>
    <b>${begun || face === "goat" ? counts[face] : 0}<small>${of[face] ?? ""}</small></b>
  </li>`)}</ul>`;
}

/** In the variants: the wheel or the towers of another seat, small. */
function Rival({ view, other }) {
  const dice = view.dice[other];
  const towers = dice.filter((die) => die.where === "standing").length;
  const rolls = t("rolls", { count: view.rolls[other] });
  return html`<span class=${`rival ${view.racing.includes(other) ? "" : "stopped"}`} data-place=${`rival-${other}`}>
    ${view.variant === "towers"
      ? html`<${Skyline} standing=${towers} /><small>${towers}/8</small>`
      : html`<${Wheel} small=${true} filled=${inWheel(dice)} /><small>${inWheel(dice).length}/8${towers ? html`<span class="rival-towers"><${Face} face="tower" />${towers}<span class="sr"> ${t("towers_word", { count: towers })}</span></span>` : ""}</small>`}
    <span class="sr">${rolls}</span>
  </span>`;
}

/** In the variants, for watchers and in the lobby: everybody's own wheel or towers, on the board. */
function Rivals({ table }) {
  const { view, names } = table;
  const count = view.wins.length;
  const pairs = Math.ceil(count / 2);
  const shape = { "--half": count > 3 ? pairs : count, "--lines": count > 3 ? 2 : 1, "--pairs": pairs };
  return html`<ul class="rivals" style=${shape}>${view.wins.map((_, other) => html`<li key=${other}><${Rival} ...${{ view, other }} /><span class="rival-name">${names(other)}</span></li>`)}</ul>`;
}

export function publicOf(view, seat) {
  const rolls = t("rolls", { count: view.rolls[seat] });
  if (view.variant === "towers") return [{ text: view.needed[seat] === null ? rolls : t("done_in", { count: view.needed[seat] }), label: t("rolls_so_far", { rolls }) }];
  return [{ text: "●".repeat(view.wins[seat]) + "○".repeat(3 - view.wins[seat]), label: t("rounds_of_3", { count: view.wins[seat] }), kind: view.wins[seat] ? "good" : "" }];
}

/** What the plot of a replay shows: rounds won, or in Towers of Eight the towers of each seat. */
export const points = (view) => (view.variant === "towers" ? { label: t("plot_towers"), values: view.wheels } : { label: t("plot_rounds"), values: view.wins });

/** The four ways to land, and what they do. */
export const reference = ({ variant }) => html`<table><tbody>${FACES.map((face) => html`<tr key=${face}><td><${Face} ...${{ face, variant }} /></td><td>${aboutFace(variant, face)}</td></tr>`)}</tbody></table>`;

const FULL = [0, 1, 2, 3, 4, 5, 6, 7];

/** How the game went: the rounds that each seat won, or its rolls for eight towers. */
export function account(view, who, order) {
  const towers = view.variant === "towers";
  const standing = (seat) => view.dice[seat].filter((die) => die.face === "tower").length;
  const won = (seat) => html`<td class="pictures">${FULL.slice(0, view.wins[seat]).map((at) => html`<${Wheel} key=${at} small=${true} filled=${FULL} />`)}${view.wins[seat] ? null : t("none")}</td><td><b>${view.wins[seat]}</b></td>`;
  const rolled = (seat) => html`<td class="pictures"><${Skyline} standing=${standing(seat)} /></td><td><b>${view.needed[seat] ?? t("not_in", { count: view.rolls[seat] })}</b></td>`;
  return html`<div class="scroll"><table class="dic-account">
    <thead><tr><td></td><th class="pictures">${towers ? t("head_towers") : t("head_rounds")}</th>${towers ? html`<th>${t("head_rolls")}</th>` : html`<td></td>`}</tr></thead>
    <tbody>${order.map((seat) => html`<tr key=${seat}><th scope="row">${who(seat)}</th>${towers ? rolled(seat) : won(seat)}</tr>`)}</tbody>
  </table><p class="quiet">${towers ? t("fewest_win") : t("three_win", { rounds: view.round })}</p></div>`;
}

const LANDED_MS = 550; // how long the dice lie there before anything else tells how they landed
const START_MS = 2000;

/** Dice that tumble through their faces for `ms`, and then lie as they landed. `names` are written below them, if given. */
function Tumbling({ throws, ms, names = null }) {
  const [step, setStep] = useState(0);
  const [landed, setLanded] = useState(false);
  useEffect(() => {
    const rolling = setInterval(() => setStep((now) => now + 1), 110);
    const landing = setTimeout(() => (clearInterval(rolling), setLanded(true)), ms);
    return () => (clearInterval(rolling), clearTimeout(landing));
  }, []);
  const faceOf = ({ face }, at) => (landed ? face : FACES[(at * 3 + step * (at % 2 ? 1 : 3)) % 4]);
  return html`<span class=${`beat-dice ${landed ? "landed" : ""}`}>${throws.map((one, at) => html`<span key=${one.die} data-face=${faceOf(one, at)}><${Face} face=${faceOf(one, at)} />${names ? html`<small>${names(one.die)}</small>` : null}</span>`)}</span>`;
}

/** The dice roll before anything tells how they land; a roll for the last place of the wheel takes longer. In a race only my own do, and shortly. */
export function beat(events, view, names) {
  const started = events.filter((event) => event.type === "rolled_to_start");
  if (started.length) return starting(started.at(-1).throws, events.find((event) => event.type === "round_began").seat, started.length, names);
  const rolled = events.find((event) => event.type === "rolled" || event.type === "fetched");
  if (!rolled || events.some((event) => event.type === "fell")) return null;
  const stage = (ms) => html`<p class="beat-words">${t("who_rolls", { who: names(rolled.seat) })}</p><${Tumbling} throws=${rolled.throws} ms=${ms} />`;
  if (view.variant === "classic") {
    const ms = (inWheel(view.dice[0]).length === 7 ? 1800 : 1100) - LANDED_MS;
    return { ms: ms + LANDED_MS, stage: stage(ms) };
  }
  if (rolled.seat !== view.me) return null;
  return view.variant === "speed" ? { ms: 400, stage: stage(200) } : { ms: 700, stage: stage(350) };
}

/** Who starts: a die of each seat, and how often they had to roll. */
function starting(throws, first, times, names) {
  const who = t("starts", { who: names(first), times });
  return { ms: START_MS, stage: html`<p class="beat-words">${t("starting_roll")}</p><${Tumbling} throws=${throws} ms=${800} names=${names} /><p class="beat-words"><span style=${{ animationDelay: "1.2s" }}>${who}</span></p>` };
}

/** How the game began, for a page that has created it and has seen no events. */
export const opening = (view, names) => (view.variant === "classic" && view.start.length && view.round === 1 && view.turn !== null && !view.rolls.some(Boolean) ? starting(view.start, view.turn, 1, names) : null);

/** Goats travel from the felt into the wheel once they have tumbled. */
export function motion({ events, view, seat, played, fly, pulse }) {
  const own = view.variant === "classic" ? null : seat;
  if (events.some((event) => event.type === "round_won")) return pulse("wheel");
  const wheel = events.some((event) => event.type === "read") && view.variant !== "towers";
  thrownIn(events, own).forEach((one) => {
    if (one.face !== "goat" || !wheel) return;
    fly(html`<span class=${`die-flying ${played ? "" : "tumble"}`}><${Face} face="goat" turn=${one.heading + offsetOf(view)} /></span>`, `die-${one.die}`, "wheel", { delay: played ? 0 : 420, ms: 320 });
  });
  return undefined;
}
