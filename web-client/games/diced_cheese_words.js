/** Diced Cheese in sentences. */

import { FACE_NAMES, FACES } from "./diced_cheese_faces.js";

const small = (name) => (name === "You" ? "you" : name);
const plural = (count, face) => `${count === 1 ? "a" : count} ${FACE_NAMES[face]}${count === 1 ? "" : "s"}`;
const list = (parts) => (parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : (parts[0] ?? "nothing"));
const dice = (count) => (count === 1 ? "the die" : `${count} dice`);

/** "2 goats and a tower". */
function landed(throws) {
  const parts = FACES.map((face) => [face, throws.filter((one) => one.face === face).length]).filter(([, count]) => count);
  const gone = throws.filter((one) => one.face === null).length;
  return list([...parts.map(([face, count]) => plural(count, face)), ...(gone ? [`${gone} off the table`] : [])]);
}

/** The dice that are rolled next. */
export const toRoll = (set) => set.flatMap((die, number) => (die.where === "available" || die.where === "queso" ? [number] : []));

const READ = {
  "DIC-8": (event) => (event.wheres.filter((where) => where === "queso").length === 1 ? "The queso rolls again." : "The quesos roll again."),
  "DIC-9": () => "A tower keeps the turn alive.",
  "DIC-10": () => "Only no-goudas are left outside the wheel: the turn failed.",
  "DIC-16": (event) => `Towers standing: ${event.wheres.filter((where) => where === "standing").length}.`,
};

const setOf = (view) => view.dice[view.variant === "classic" ? 0 : view.me];

function rollText(view) {
  const set = setOf(view);
  const count = toRoll(set).length;
  if (view.variant === "towers") return `Roll ${dice(count)}: only towers stay`;
  if (set.some((die) => die.where === "queso")) return count === 1 ? "Roll the queso again" : `Roll the ${count} quesos again`;
  return `Roll ${dice(count)}`;
}

export const words = {
  moves: { roll: "Roll", fetch: "Fetch" },
  prompt: (offers, view) => {
    if (offers[0].move === "fetch") return "A die fell off the table. Fetch it, quick!";
    return `${view.variant === "classic" ? "Your turn" : "Go"}: ${rollText(view).toLowerCase()}.`;
  },
  offers: {
    roll: (_offer, _names, view) => rollText(view),
    fetch: () => "Fetch what fell and roll it again, within five seconds",
  },
  why: {
    roll: "Nothing to decide here: click the dice to roll them. The list beside the wheel says what each face does.",
    fetch: "A die fell on the floor. You have five seconds to fetch it; too late, and your whole roll counts for nothing.",
  },
  events: {
    opened: (event) =>
      ({ classic: "One wheel for all: three rounds win.", speed: "Speed Cheese: everybody rolls at once.", towers: "Towers of Eight: the fewest rolls win." })[event.variant],
    rolled_to_start: (event, names) =>
      `For the start: ${event.throws.map((one) => `${names(one.die)} ${FACE_NAMES[one.face]}`).join(", ")}.`,
    round_began: (event, names) => (event.seat === null ? `Round ${event.round} began.` : `Round ${event.round} began with ${small(names(event.seat))}.`),
    rolled: (event, names) => `${names(event.seat)} rolled ${landed(event.throws)}.`,
    fetched: (event, names) => `${names(event.seat)} fetched, and rolled ${landed(event.throws)}.`,
    stacked: () => "One die ended on top of another: the round was void.",
    fell: (event) => `${event.dice.length === 1 ? "A die" : `${event.dice.length} dice`} fell off the table: five seconds to fetch.`,
    came_late: (event, names) => `${names(event.seat)} came too late: the roll did not count.`,
    read: (event) => READ[event.rule]?.(event) ?? null,
    turn_passed: (event, names) =>
      event.pointer === null ? `The dice went on to ${small(names(event.seat))}.` : `The last die pointed at ${small(names(event.seat))}.`,
    round_won: (event, names) => `${names(event.seat)} won the round ${event.rule === "DIC-7" ? "with five towers" : "with a full wheel"}!`,
    started_over: (event, names) => `${names(event.seat)} lost the wheel and started over.`,
    finished: (event, names) => `${names(event.seat)} had eight towers after ${event.rolls} rolls.`,
    stopped: (event, names) => `${names(event.seat)} could not do better any more and stopped.`,
    ended: (event, names) => {
      const first = event.result.places.flatMap((place, seat) => (place === 1 ? [names(seat)] : []));
      return `${list(first)} won the game.`;
    },
  },
};
