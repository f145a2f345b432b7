/** Cheesonomics in sentences. */

import { COLOURS, colourOf, marketName, sideName, wedgeName } from "./cheesonomics_pieces.js";

const small = (name) => (name === "You" ? "you" : name);
const list = (parts) => (parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : (parts[0] ?? ""));
const wedgesText = (wedges) => list(wedges.map((wedge) => wedgeName(wedge, false)));
const a = (text) => `${/^[aeiou]/.test(text) ? "an" : "a"} ${text}`;
export const curds = (count) => `${count} curd${count === 1 ? "" : "s"}`;
export const many = (count) => `${count} wedge${count === 1 ? "" : "s"}`;
const places = (place) => `wheel ${Math.floor(place / 5) + 1}, wedge ${(place % 5) + 1}`;

const given = (wedge) => (wedge ? a(wedgeName(wedge, false)) : "a wedge");
const hers = (names, seat) => (names(seat) === "You" ? "your" : `${names(seat)}'s`);

/** What wedges bring at these prices. */
export const worth = (view, wedges) => wedges.reduce((sum, wedge) => sum + view.prices[COLOURS.indexOf(colourOf(wedge))], 0);

const PROMPTS = {
  turn: () => "Your turn: churn, produce or sell.",
  gifts: (phase, view, names) => `${names(view.turn)} asks for ${phase.trait}: give one.`,
  picking: () => "Take a wedge from a hand you are shown.",
  giving_back: (phase) => `Give a wedge back (${phase.owed.length} to go).`,
  replacing: (phase) => `Replace a ${phase.colours.join(" or ")} market wedge by your own.`,
  flipping: (phase) => `Flip a market wedge that shows ${phase.colours.join(" or ")}.`,
  taking: () => "Take a market wedge from the discard.",
  swapping: () => "A star was sold: swap a market wedge, or not.",
  exchanging: () => "Take the market wedge for which you swap.",
  last_sale: () => "The pile is empty: sell once more, or not.",
};

const offers = {
  churn: () => "Churn: name a colour or an animal, and everybody gives you one of it",
  produce: () => "Produce: lay all you hold of a colour or an animal into your wheels",
  sell: ({ fill }) => `Sell ${fill.trait}: up to ${fill.wedges.most} from your wheels`,
  give: (_offer, names, view) => `Give ${small(names(view.turn))} a wedge that matches: which?`,
  take_shown: ({ fill }, names) => `Take a wedge from ${hers(names, fill.seat)} hand`,
  give_back: () => "Give a wedge back to each who gave one",
  replace: ({ fill }) => `Put ${marketName(fill.wedge)} into the market`,
  flip: () => "Flip a market wedge of a colour that you sold",
  take: () => "Take a market wedge",
  swap_discard: () => "Put one of your market wedges on the discard and take another",
  swap_seat: () => "Give somebody one of your market wedges and take one of theirs",
  decline: (_offer, _names, view) => (view.phase.type === "last_sale" ? "Sell nothing more" : "Make no swap"),
};

const why = {
  churn: "Click a space of the tray to name it: everybody gives you a wedge of that kind, or shows you their hand. Then you give each one back.",
  produce: "Wedges in your wheels cannot be churned away. You lay down all of one colour or animal and draw back to five.",
  sell: "Pick up to three wedges of one colour or one animal from your wheels. Each brings the price of its colour.",
  give: "Somebody churns. You hold what was named, so you must give one wedge of it, of your choice.",
  take_shown: "They had no match, so they show you their hand and you take any one wedge.",
  give_back: "You owe everybody one wedge: give what you need least.",
  flip: "After a sale you flip a market wedge of a colour that you sold. That mostly lowers its price for the next.",
  replace: "In the sharp version you first put a market wedge of your own in place of one whose colour you sold.",
  take: "You take a new market wedge for the one that you used.",
  swap_discard: "You sold a wedge with a star, so you may swap one of your market wedges.",
  decline: "The pile is empty: this is your last chance to sell at market prices. What stays in your wheels brings one curd each.",
};

const events = {
  dealt: (event, names) => `${names(event.start)} held the ${event.knives[event.start]} knife and began.`,
  turn_came: () => null,
  awaited: () => null,
  churned: (event, names) => {
    const none = event.showing.length ? ` ${list(event.showing.map(names))} had none and showed the hand.` : "";
    return `${names(event.seat)} churned ${event.trait}.${none}`;
  },
  gave: (event, names) => (event.wedge ? `${names(event.seat)} chose ${given(event.wedge)} to give.` : `${names(event.seat)} chose a gift.`),
  collected: (event, names) => {
    const known = event.gifts.flatMap((gift, seat) => (gift ? [`${given(gift)} from ${small(names(seat))}`] : []));
    return names(event.seat) === "You" && known.length ? `You got ${list(known)}.` : `${names(event.seat)} collected the gifts.`;
  },
  took_shown: (event, names) => `${names(event.seat)} took ${given(event.wedge)} from ${small(names(event.giver))}.`,
  gave_back: (event, names) => `${names(event.seat)} gave ${given(event.wedge)} to ${small(names(event.receiver))}.`,
  protected: (event, names, view) => `${hers(names, event.seat).replace(/^y/, "Y")} ${view?.knives[event.seat] ?? ""} knife went on ${event.trait}.`,
  produced: (event, names) => `${names(event.seat)} produced ${event.trait}: ${wedgesText(event.wedges)}.`,
  drew: (event, names) => (event.wedges.length && event.wedges[0] ? `${names(event.seat)} drew ${wedgesText(event.wedges)}.` : null),
  sold: (event, names) => `${names(event.seat)} sold ${wedgesText(event.wedges)} for ${curds(event.curds)}.`,
  replaced: (event, names) => `${names(event.seat)} put ${sideName(event.up)} into the market.`,
  flipped: (event, names) => `${names(event.seat)} flipped a market wedge: ${sideName(event.up)} now.`,
  took: (event, names) => `${names(event.seat)} took ${event.wedge ? marketName(event.wedge) : "a market wedge"} from the discard.`,
  kept: (event, names) => `${names(event.seat)} kept the replaced market wedge${event.wedge ? `, ${marketName(event.wedge)}` : ""}.`,
  swap_named: (event, names) => `${names(event.seat)} chose to swap with ${event.other === null ? "the discard" : small(names(event.other))}.`,
  swapped: (event, names) => `${names(event.seat)} swapped${event.taken ? ` ${marketName(event.given)} for ${marketName(event.taken)}` : ""}.`,
  declined: (event, names) => `${names(event.seat)} declined.`,
  last_sale_came: (event, names) => `The pile is empty. A last sale for ${small(names(event.seat))}.`,
  passed_over: (event, names) => `${names(event.seat)} had nothing to sell.`,
  ended: () => "The market closed.",
};

export const words = {
  moves: { churn: "Churn", produce: "Produce", sell: "Sell", give: "Give", take_shown: "Take", give_back: "Give", replace: "Replace", flip: "Flip", take: "Take", swap_discard: "Swap", swap_seat: "Swap", decline: "No" },
  value: (field, value) => {
    if (field === "place") return places(value);
    if (typeof value !== "string") return undefined;
    if (value.includes("/")) return marketName(value);
    if (value.includes("-")) return wedgeName(value);
    return field === "up" ? `${sideName(value)} up` : undefined;
  },
  prompt: (_offers, view, names) => PROMPTS[view.phase.type]?.(view.phase, view, names) ?? "Your turn.",
  offers,
  why,
  events,
};
