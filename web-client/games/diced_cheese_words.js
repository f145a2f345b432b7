/** Diced Cheese in sentences. */

import { html } from "../html.js";
import { Face, FACE_NAMES, FACES } from "./diced_cheese_faces.js";
import { texts } from "../messages/en/diced_cheese.js";
import { inRow, listed, together, translator } from "../messages.js";

const t = translator(texts);


/** "2 goats and a tower". */
function landed(throws) {
  const parts = FACES.map((face) => [face, throws.filter((one) => one.face === face).length]).filter(([, count]) => count);
  const gone = throws.filter((one) => one.face === null).length;
  return listed([...parts.map(([face, count]) => t(`landed_${face}`, { count })), ...(gone ? [t("off_table", { count: gone })] : [])]) || t("nothing");
}

/** The dice that are rolled next. */
export const toRoll = (set) => set.flatMap((die, number) => (die.where === "available" || die.where === "queso" ? [number] : []));

const READ = {
  "DIC-8": (event) => t("quesos_again", { count: event.wheres.filter((where) => where === "queso").length }),
  "DIC-9": () => t("tower_alive"),
  "DIC-10": () => t("turn_failed"),
  "DIC-16": (event) => t("towers_standing", { count: event.wheres.filter((where) => where === "standing").length }),
};

const setOf = (view) => view.dice[view.variant === "classic" ? 0 : view.me];

/** What is rolled now, and how many of it. */
const rollOf = (view) => ({ what: kindOfRoll(view), count: toRoll(setOf(view)).length });

function kindOfRoll(view) {
  if (view.variant === "towers") return "towers";
  return setOf(view).some((die) => die.where === "queso") ? "quesos" : "dice";
}

const hasTower = ({ throws }) => throws.some((one) => one.face === "tower");

/** DIC-3: who rolled what for the start; a single tower starts. Rolls without a tower, which there can be many of, are only counted. */
function startText({ throws }, names, misses) {
  const rolled = inRow(throws.map((one) => t("start_roll", { who: names(one.die), face: FACE_NAMES[one.face] })));
  const towers = throws.filter((one) => one.face === "tower");
  return towers.length === 1 ? t("start_one", { misses, rolled, who: names(towers[0].die) }) : t("start_again", { misses, rolled });
}

const isClassic = (view) => view.variant === "classic";
export const fallen = (view) => setOf(view).filter((die) => die.where === "fallen").length;
const inWheel = (view) => setOf(view).filter((die) => die.where === "wheel").length;

/** Each tip with the situation in which it is true. */
const tips = [
  { id: "fetch", when: (offered) => offered("fetch"), text: (view) => t("tip_fetch", { count: fallen(view) }) },
  { id: "last", when: (offered, view) => offered("roll") && view.variant !== "towers" && inWheel(view) === 7, text: () => t("tip_last") },
  { id: "queso", when: (offered, view) => offered("roll") && view.variant !== "towers" && setOf(view).some((die) => die.where === "queso"), text: () => t("tip_queso") },
  { id: "speed", when: (offered, view) => offered("roll") && view.variant === "speed", text: () => t("tip_speed") },
  { id: "towers", when: (offered, view) => offered("roll") && view.variant === "towers", text: () => t("tip_towers") },
  { id: "roll", when: (offered, view) => offered("roll") && isClassic(view), text: () => t("tip_roll") },
];

const picture = (event, { variant }) => event.throws.map((one, at) => (one.face ? html`<${Face} key=${at} ...${{ face: one.face, variant }} />` : null));

export const words = {
  remember: (known, event) => {
    if (event.type === "opened") return { variant: event.variant, misses: 0 };
    return event.type === "rolled_to_start" ? { ...known, misses: hasTower(event) ? 0 : known.misses + 1 } : known;
  },
  headings: { round_began: (event) => t("heading_round", { round: event.round }) },
  pictures: { rolled: picture, fetched: picture },
  chapters: ["round_began", "round_won", "finished", "ended"],
  moves: { roll: t("move_roll"), fetch: t("move_fetch") },
  prompt: (offers, view) => {
    if (offers[0].move === "fetch") return t("prompt_fetch", { count: fallen(view) });
    return t("prompt_roll", { classic: view.variant === "classic" ? "yes" : "no", ...rollOf(view) });
  },
  offers: {
    roll: (_offer, _names, view) => t("roll", rollOf(view)),
    fetch: () => t("offer_fetch"),
  },
  tips,
  events: {
    opened: (event) =>
      ({ classic: t("opened_classic"), speed: t("opened_speed"), towers: t("opened_towers") })[event.variant],
    rolled_to_start: (event, names, known) => (hasTower(event) ? startText(event, names, known?.misses ?? 0) : null),
    round_began: (event, names) => (event.seat === null ? t("round_began", { round: event.round }) : t("round_began_with", { round: event.round, who: names(event.seat) })),
    rolled: (event, names) => t("rolled", { who: names(event.seat), dice: landed(event.throws) }),
    fetched: (event, names) => t("fetched", { who: names(event.seat), dice: landed(event.throws) }),
    stacked: () => t("stacked"),
    fell: (event) => t("fell", { count: event.dice.length }),
    came_late: (event, names) => t("came_late", { who: names(event.seat) }),
    read: (event) => READ[event.rule]?.(event) ?? null,
    turn_passed: (event, names) =>
      event.pointer === null ? t("dice_went", { who: names(event.seat) }) : t("die_pointed", { who: names(event.seat) }),
    round_won: (event, names) => t(event.rule === "DIC-7" ? "won_towers" : "won_wheel", { who: names(event.seat) }),
    started_over: (event, names) => t("started_over", { who: names(event.seat) }),
    finished: (event, names) => t("finished", { who: names(event.seat), rolls: event.rolls }),
    stopped: (event, names) => t("stopped", { who: names(event.seat) }),
    ended: (event, names) => {
      const first = event.result.places.flatMap((place, seat) => (place === 1 ? [names(seat)] : []));
      return t("ended", { who: together(first), count: first.length });
    },
  },
};
