/** Chesterfield in sentences. */

import { money, valuesOf, whose } from "../bids.js";
import { KINDS } from "./chesterfield_cards.js";

const many = (count, one, more = `${one}s`) => `${count} ${count === 1 ? one : more}`;

/** "two Feta and a Bleu" would be too long: "Feta ×2, Bleu". */
export function listed(cards) {
  const counts = new Map();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  return [...counts].map(([card, count]) => (count > 1 ? `${card} ×${count}` : card)).join(", ");
}

export const setName = (one) => `${one.cards + (one.cheddar ? 1 : 0)} ${one.cheese}${one.cheddar ? ", one of them a Cheddar" : ""}${one.gruyere ? ", with Gruyere" : ""}`;

/** What everybody paid beside the winner, under Feta. */
function paid({ seat, payments }, names) {
  const others = payments.flatMap((dollars, other) => (other !== seat && dollars ? [`${names(other)} ${money(dollars)}`] : []));
  return others.length ? ` Because of the Feta others paid too: ${others.join(", ")}.` : "";
}

const bleus = (count) => (count ? ` With it came ${many(count, "Bleu")}: ${3 * count} points less.` : "");

const events = {
  dealt: (event, names) => `Everybody got four cheeses and $20. First player: ${names(event.first)}.`,
  turn_came: () => null,
  cashed_in: (event, names) => `${names(event.seat)} cashed in ${listed(event.cards)} for ${money(event.dollars)}.`,
  bid_made: (event, names) => `${names(event.seat)} bid ${money(event.amount)}.`,
  dropped: (event, names) => `${names(event.seat)} dropped out${event.by_itself ? ", without the means to bid" : ""}.`,
  auctioneer_found: (event, names) => `${names(event.seat)} became Auctioneer ${event.paid ? `for ${money(event.paid)}` : "for nothing, as nobody bid"} and looked at the block.`,
  presented: (event, names) => `Under the hammer: ${event.card}, starting at ${money(event.price)}, as ${names(event.seat) === "You" ? "you" : names(event.seat)} chose.`,
  action_played: (event, names) => `${names(event.seat)} played ${event.card}: ${KINDS[event.card].does}.`,
  last_round_called: (event, names) => `Last turns: ${event.turns.map(names).join(", ")}.`,
  silence_fell: () => "Silence: one secret bid from everybody still in.",
  secret_bid_made: (event, names) => (event.amount === null || event.amount === undefined ? `${names(event.seat)} sealed a bid.` : `${names(event.seat)} sealed a bid of ${money(event.amount)}.`),
  secrets_revealed: (event, names) => `The secret bids: ${event.secrets.flatMap((bid, seat) => (bid === null ? [] : [`${names(seat)} ${money(bid)}`])).join(", ")}.`,
  unsold: (event) => `Nobody bid: ${event.card} was thrown away, and every action with it.`,
  came_short: (event, names) => `${names(event.seat)} owed ${money(event.owed)} and did not have it.`,
  sold: (event, names) => `Sold! ${names(event.seat)} got the ${event.card} for ${money(event.payments[event.seat])}.${paid(event, names)}${bleus(event.bleus)}`,
  defaulted: (event, names) => `${names(event.seat)} could not pay, so the ${event.card} was thrown away.${paid(event, names)}${bleus(event.bleus)}`,
  laid: (event, names) => `${names(event.seat)} laid down ${setName(event)}: ${KINDS[event.cheese].points * (event.cards + (event.cheddar ? 1 : 0) - 1)} points.`,
  melted: (event, names, view) => `${names(event.seat)} melted Gruyere over ${view?.sets[event.seat][event.onto]?.cheese ?? "a set"}: 2 points more.`,
  merged: (event, names, view) => `${names(event.seat)} added ${event.cards} to the set of ${view?.sets[event.seat][event.onto]?.cheese ?? "cheese"}.`,
  stood_in: (event, names, view) => `${names(event.seat)} added a Cheddar to the set of ${view?.sets[event.seat][event.onto]?.cheese ?? "cheese"}.`,
  finished: (event, names) => (event.by_itself ? null : `${names(event.seat)} finished laying sets.`),
  choice_came: () => null,
  upkeep_began: () => "The block is sold. Upkeep: $4 for every card above four; $4 to you for every card below.",
  upkeep_chosen: (event, names) => `${names(event.seat)} decided what to keep.`,
  upkeep_revealed: (event, names) => {
    const said = event.dollars.flatMap((dollars, seat) => {
      const gone = event.discards[seat];
      const parts = [gone.length && `threw away ${listed(gone)}`, dollars < 0 && `paid ${money(-dollars)}`, dollars > 0 && `got ${money(dollars)}`].filter(Boolean);
      return parts.length ? [`${names(seat)} ${parts.join(" and ")}`] : [];
    });
    return said.length ? `Upkeep: ${said.join("; ")}.` : "Upkeep: everybody holds four.";
  },
  block_dealt: (event, names) => `A new block of four was dealt. First player: ${names(event.first)}.`,
  merging_began: () => "The last block is over. Cards from the hand may still join sets of their own cheese.",
  ended: (event) => `The auction house closed. The Reserved Cheese was ${listed(event.reserved)}.`,
};

const offers = {
  cash_in: () => "Cash in cards: they are thrown away and you get the dollars printed on them",
  bid: ({ fill }) => `Bid ${money(fill.amount.least)} or more, up to the ${money(fill.amount.most)} that you have`,
  drop: () => "Drop out: you take no more part in this auction",
  present: () => "Put a card of the block under the hammer and name its starting price, which is not yet a bid",
  play_action: ({ fill }) => `Play a card for its action, for this auction only: ${valuesOf(fill.card).map((card) => `${card} (${KINDS[card].does})`).join("; ")}`,
  bid_secretly: ({ fill }) => `Make your one secret bid, ${money(fill.amount.least)} to ${money(fill.amount.most)}: the highest wins`,
  default: () => "Give up the card: it is thrown away, but any Bleu comes to you all the same",
  lay_down: ({ fill }) => {
    const least = fill.cards.least ?? fill.cards;
    const most = fill.cards.most ?? fill.cards;
    const extra = fill.cheddar ? 1 : 0;
    const { points } = KINDS[fill.cheese];
    const worth = least === most ? `${points * (most + extra - 1)}` : `${points * (least + extra - 1)} to ${points * (most + extra - 1)}`;
    return `Lay down ${least === most ? most : `${least} to ${most}`} ${fill.cheese}${extra ? " and a Cheddar that stands in" : ""} for ${worth} points`;
  },
  melt: () => "Lay a Gruyere across one of your sets: it scores 2 more",
  merge: ({ fill }, _names, view) => `Add ${fill.cheese ?? view.sets[view.me][fill.onto].cheese} from your hand to the set that lies before you`,
  stand_in: () => "Add a Cheddar to one of your sets, where it counts as a card of that set",
  finish: () => "Done: you lay nothing more for now",
  keep: ({ fill }) => `Throw away ${fill.discard.least === fill.discard.most ? fill.discard.most : `${fill.discard.least} to ${fill.discard.most}`} cards and pay $4 for each other one above the fourth`,
};

/** What is asked of me, in a sentence. */
function prompt(asked, view, names) {
  const bid = asked.find((offer) => offer.move === "bid");
  const spare = asked.some((offer) => offer.move === "lay_down" || offer.move === "melt" || offer.move === "merge" || offer.move === "stand_in");
  switch (view.phase) {
    case "auctioneer_auction":
      return bid ? "Bid to be the Auctioneer, or drop." : "Too little money: cash in a card or drop.";
    case "cheese_auction":
      return bid ? `Bid for the ${view.card}, use a card, or drop.` : "Too little money: use a card or drop.";
    case "choosing":
      return "Choose a card and its starting price.";
    case "silent_auction":
      return `One secret bid for the ${view.card}.`;
    case "paying":
      return `You owe ${money(view.owed)} and have ${money(view.banks[view.me])}: cash in cards or give up the ${view.card}.`;
    case "upkeep":
      return "You hold more than four: pay $4 for each card too many, or pick some to throw away.";
    case "merging":
      return spare ? "Last chance: add cards from your hand to your sets." : "Nothing of yours fits your sets.";
    default:
      return spare ? "Lay down sets: pick two or more cards of one cheese." : "You have no set to lay.";
  }
}

export const words = {
  moves: { cash_in: "Cash in", bid: "Bid", drop: "Drop out", present: "Open the auction", play_action: "Play", bid_secretly: "Seal the bid", default: "Give up", lay_down: "Lay down", melt: "Melt", merge: "Add", stand_in: "Add Cheddar", finish: "Done", keep: "Decide" },
  value: (field, value) => (field === "onto" ? `set ${value + 1}` : field === "amount" || field === "price" ? money(value) : undefined),
  why: {
    bid: "Bid more than the bid that stands, or drop. The last one in pays and wins. Only cheese counts in the end.",
    cash_in: "Short of money? Pick cards in your hand and cash them in for the dollars on their tags.",
    play_action: "Pick a card in your hand to play its action: it changes this auction for everybody.",
    present: "You alone see the block. Choose a card, and a starting price that nobody may go below.",
    bid_secretly: "After an Emmental everybody bids once, in secret. The highest bid wins, so think well.",
    default: "You owe more than you have. Cash in cards until it is enough, or give up the card.",
    lay_down: "Two or more cards of one cheese are a set. It scores the points in the seal for two cards, and once more for each further one.",
    melt: "A Gruyere across one of your sets adds 2 points to it.",
    finish: "When you have laid what you want, say that you are done.",
    keep: "Each card above four costs you $4. Pick those that you would rather throw away.",
    merge: "Cards in your hand score nothing in the end, unless they join a set of yours.",
  },
  prompt,
  offers,
  events,
};

export { many, whose };
