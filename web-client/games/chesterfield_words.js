/** Chesterfield in sentences. */

import { money, valuesOf } from "../bids.js";
import { html } from "../html.js";
import { Cheese, KINDS } from "./chesterfield_cards.js";
import { texts } from "../messages/en/chesterfield.js";
import { inRow, inside, listed as inWords, sentences, translator } from "../messages.js";

const t = translator(texts);

/** A short list: "Feta ×2 and Bleu". */
export function listed(cards) {
  const counts = new Map();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  return inWords([...counts].map(([card, count]) => (count > 1 ? t("times", { card, count }) : card)));
}

export const setName = (one) => t("set_name", { count: one.cards + (one.cheddar ? 1 : 0), cheese: one.cheese, cheddar: one.cheddar ? "yes" : "no", gruyere: one.gruyere ? "yes" : "no" });

/** The cheese of the set that an event is about; "none" if it is not known. */
const ontoOf = ({ seat, onto }, view) => view?.sets?.[seat]?.[onto]?.cheese ?? "none";

/** What the other seats paid under Feta. */
function paid({ seat, payments }, names) {
  const others = payments.flatMap((dollars, other) => (other !== seat && dollars ? [t("who_amount", { who: names(other), amount: money(dollars) })] : []));
  return others.length ? t("feta_paid", { others: inWords(others) }) : null;
}

const bleus = (count, who) => (count ? t("bleus_came", { who, count, points: 3 * count }) : null);

const events = {
  dealt: (event, names) => t("dealt", { who: names(event.first) }),
  turn_came: () => null,
  cashed_in: (event, names) => t("cashed_in", { who: names(event.seat), cards: listed(event.cards), amount: money(event.dollars) }),
  bid_made: (event, names) => t("bid_made", { who: names(event.seat), amount: money(event.amount) }),
  dropped: (event, names) => (event.by_itself ? t("out_of_money", { who: names(event.seat) }) : t("dropped", { who: names(event.seat) })),
  auctioneer_found: (event, names) => t("auctioneer_found", { who: names(event.seat), paid: event.paid ? "yes" : "no", amount: money(event.paid) }),
  presented: (event, names) => t("presented", { who: names(event.seat), card: event.card, amount: money(event.price) }),
  action_played: (event, names) => t("action_played", { who: names(event.seat), card: event.card, does: KINDS[event.card].does }),
  last_round_called: (event, names) => event.turns.length ? t("last_turns", { names: inRow(inside(event.turns.map(names))) }) : t("last_turn"),
  silence_fell: () => t("silence_fell"),
  secret_bid_made: (event, names) => (event.amount === null || event.amount === undefined ? t("sealed", { who: names(event.seat) }) : t("sealed_amount", { who: names(event.seat), amount: money(event.amount) })),
  secrets_revealed: (event, names) => t("secrets_revealed", { bids: inWords(event.secrets.flatMap((bid, seat) => (bid === null ? [] : [t("who_amount", { who: names(seat), amount: money(bid) })]))) }),
  unsold: (event) => t("unsold", { card: event.card }),
  came_short: (event, names) => t("came_short", { who: names(event.seat), amount: money(event.owed) }),
  sold: (event, names) => sentences([t("sold", { who: names(event.seat), card: event.card, amount: money(event.payments[event.seat]) }), paid(event, names), bleus(event.bleus, names(event.seat))]),
  defaulted: (event, names) => sentences([t("defaulted", { who: names(event.seat), card: event.card }), paid(event, names), bleus(event.bleus, names(event.seat))]),
  laid: (event, names) => t("laid", { who: names(event.seat), set: setName(event), points: KINDS[event.cheese].points * (event.cards + (event.cheddar ? 1 : 0) - 1) }),
  melted: (event, names, view) => t("melted", { who: names(event.seat), cheese: ontoOf(event, view) }),
  merged: (event, names, view) => t("merged", { who: names(event.seat), count: event.cards, cheese: ontoOf(event, view) }),
  stood_in: (event, names, view) => t("stood_in", { who: names(event.seat), cheese: ontoOf(event, view) }),
  finished: (event, names) => (event.by_itself ? null : t("laid_no_more", { who: names(event.seat) })),
  choice_came: () => null,
  upkeep_began: () => t("upkeep_began"),
  upkeep_chosen: (event, names) => t("upkeep_chosen", { who: names(event.seat) }),
  upkeep_revealed: (event, names) => {
    const said = event.dollars.flatMap((dollars, seat) => {
      const gone = event.discards[seat];
      const flow = dollars < 0 ? "paid" : dollars > 0 ? "got" : "none";
      if (!gone.length && flow === "none") return [];
      return [t("upkeep_of", { who: names(seat), threw: gone.length ? (flow === "none" ? "only" : "and") : "none", cards: listed(gone), flow, amount: money(Math.abs(dollars)) })];
    });
    return said.length ? t("upkeep_revealed", { all: inWords(said) }) : t("upkeep_none");
  },
  block_dealt: (event, names) => t("block_dealt", { who: names(event.first) }),
  merging_began: () => t("merging_began"),
  ended: (event) => t("ended", { cards: listed(event.reserved) }),
};

const offers = {
  cash_in: () => t("offer_cash_in"),
  bid: ({ fill }) => t("offer_bid", { least: money(fill.amount.least), most: money(fill.amount.most) }),
  drop: () => t("offer_drop"),
  present: () => t("offer_present"),
  play_action: ({ fill }) => t("offer_play_action", { cards: inRow(valuesOf(fill.card).map((card) => t("card_does", { card, does: KINDS[card].does }))) }),
  bid_secretly: ({ fill }) => t("offer_secret", { least: money(fill.amount.least), most: money(fill.amount.most) }),
  default: () => t("offer_default"),
  lay_down: ({ fill }) => {
    const least = fill.cards.least ?? fill.cards;
    const most = fill.cards.most ?? fill.cards;
    const extra = fill.cheddar ? 1 : 0;
    const { points } = KINDS[fill.cheese];
    const worth = (cards) => points * (cards + extra - 1);
    return t(least === most ? "offer_lay" : "offer_lay_range", { least, most, cheese: fill.cheese, cheddar: extra ? "yes" : "no", from: worth(least), points: worth(most) });
  },
  melt: () => t("offer_melt"),
  merge: ({ fill }, _names, view) => t("offer_merge", { cheese: fill.cheese ?? view.sets[view.me][fill.onto].cheese }),
  stand_in: () => t("offer_stand_in"),
  finish: () => t("offer_finish"),
  keep: ({ fill }) => t(fill.discard.least === fill.discard.most ? "offer_keep" : "offer_keep_range", { least: fill.discard.least, most: fill.discard.most }),
};

/** CCA-28: whether I may pay for all cards above the fourth, or must throw some away. */
const upkeepPrompt = ({ least, most }, count) => t(least ? "prompt_upkeep_poor" : "prompt_upkeep", { count, least, payable: most - least });

/** What a bidder can do with cards. */
const cardsText = (has) => (has("play_action") ? "play" : has("cash_in") ? "cash" : "none");

/** What is asked of me, in a sentence. */
function prompt(asked, view) {
  const has = (...moves) => asked.some((offer) => moves.includes(offer.move));
  const lays = has("lay_down", "melt", "merge", "stand_in");
  const cards = cardsText(has);
  switch (view.phase) {
    case "auctioneer_auction":
      return has("bid") ? t("prompt_auctioneer") : t("prompt_poor");
    case "cheese_auction":
      return has("bid") ? t("prompt_bid", { card: view.card, cards }) : t("prompt_poor");
    case "choosing":
      return t("prompt_present");
    case "silent_auction":
      return t("prompt_secret", { card: view.card });
    case "paying":
      return t("prompt_paying", { owed: money(view.owed), have: money(view.banks[view.me]), cash: has("cash_in") ? "yes" : "no", card: view.card });
    case "upkeep":
      return upkeepPrompt(asked.find((offer) => offer.move === "keep").fill.discard, view.hand.length);
    case "merging":
      return lays ? t("prompt_merge") : t("prompt_no_merge");
    default:
      return has("lay_down") ? t("prompt_lay") : lays ? t("prompt_melt") : t("prompt_keep");
  }
}

/** The prompt for a narrow page, if the usual one is long. */
function briefPrompt(asked, view) {
  const has = (...moves) => asked.some((offer) => moves.includes(offer.move));
  if (!has("bid")) return undefined;
  return view.phase === "auctioneer_auction" ? t("prompt_auctioneer_brief") : t("prompt_bid_brief", { cards: cardsText(has) });
}

const holds = (view, card) => view.hand.includes(card);
const inForce = (view, card) => view.actions.includes(card);
const pairs = (view) => view.hand.some((card, at) => view.hand.indexOf(card) !== at);

/** What the card that is sold would bring me. */
function gain({ card, hand, sets, me }) {
  const { points } = KINDS[card];
  const count = hand.filter((one) => one === card).length;
  if (card === "Cheddar") return t("gain_stand_in");
  if (count) return t("gain_more", { count, points });
  if (card === "Gruyere" && sets[me].some((set) => !set.gruyere)) return t("gain_melt");
  if (sets[me].some((set) => set.cheese === card)) return t("gain_set", { points });
  const helped = hand.includes("Cheddar");
  return t(helped ? "gain_cheddar" : "gain_none", { points });
}

/** Each tip with the situation in which it is true. */
const tips = [
  { id: "paying", when: (offered, view) => view.phase === "paying" && offered("cash_in"), text: () => t("tip_paying") },
  { id: "no_money", when: (offered, view) => offered("cash_in") && view.phase.endsWith("_auction") && !offered("bid"), text: () => t("tip_no_money") },
  { id: "feta", when: (offered, view) => offered("bid") && inForce(view, "Feta"), text: () => t("tip_feta") },
  { id: "roquefort", when: (offered, view) => offered("bid") && inForce(view, "Roquefort"), text: () => t("tip_roquefort") },
  { id: "bleu", when: (offered, view) => offered("bid") && inForce(view, "Bleu"), text: () => t("tip_bleu") },
  { id: "secret", when: (offered) => offered("bid_secretly"), text: () => t("tip_secret") },
  { id: "auctioneer", when: (offered, view) => offered("bid") && view.phase === "auctioneer_auction", text: () => t("tip_auctioneer") },
  { id: "present", when: (offered) => offered("present"), text: () => t("tip_present") },
  { id: "stand_in_lay", when: (offered, view) => offered("lay_down") && holds(view, "Cheddar") && view.hand.some((card) => card !== "Cheddar"), text: () => t("tip_stand_in") },
  { id: "lay_down", when: (offered, view) => offered("lay_down") && pairs(view), text: () => t("tip_lay_down") },
  { id: "melt", when: (offered) => offered("melt"), text: () => t("tip_melt") },
  { id: "no_set", when: (offered, view) => view.phase === "laying_down" && !offered("lay_down", "melt"), text: () => t("tip_no_set") },
  { id: "keep", when: (offered) => offered("keep"), text: () => t("tip_keep") },
  { id: "merge", when: (offered, view) => view.phase === "merging" && offered("merge", "stand_in"), text: () => t("tip_merge") },
  { id: "bid", when: (offered, view) => offered("bid") && view.phase === "cheese_auction", text: () => t("tip_bid") },
  { id: "play_action", when: (offered) => offered("play_action"), text: () => t("tip_play_action") },
];

/** What sentences about later events need: the sets of each seat, and the number of the block. */
function remember(known, event) {
  if (event.type === "dealt") return { ...known, block: 1, blocks: 10 - event.hands.length };
  if (event.type === "block_dealt") return { ...known, block: (known.block ?? 1) + 1 };
  if (event.type !== "laid") return known;
  const sets = [...(known.sets ?? [])];
  sets[event.seat] = [...(sets[event.seat] ?? []), { cheese: event.cheese }];
  return { ...known, sets };
}

const picture = (card) => html`<${Cheese} card=${card} />`;

export const words = {
  short: t("short"), // in the header on a phone
  tie: t("tie"),
  remember,
  headings: {
    dealt: (event) => t("block_number", { count: 10 - event.hands.length }),
    block_dealt: (_event, _names, known) => (known.blocks ? t("block_of", { number: known.block + 1, count: known.blocks }) : t("next_block")),
    presented: (event) => event.card,
    upkeep_began: () => t("upkeep"),
    merging_began: () => t("final_merge"),
  },
  pictures: { presented: (event) => picture(event.card), action_played: (event) => picture(event.card), sold: (event) => picture(event.card), unsold: (event) => picture(event.card), laid: (event) => picture(event.cheese) },
  chapters: ["block_dealt", "laid", "ended"],
  moves: { cash_in: t("move_cash_in"), bid: t("move_bid"), drop: t("move_drop"), present: t("move_present"), play_action: t("move_play"), bid_secretly: t("move_seal"), default: t("move_default"), lay_down: t("move_lay"), melt: t("melt"), merge: t("add"), stand_in: t("add_cheddar"), finish: t("done"), keep: t("move_keep") },
  value: (field, value) => (field === "onto" ? t("set_number", { number: value + 1 }) : field === "amount" || field === "price" ? money(value) : undefined),
  tips,
  gain,
  prompt,
  briefPrompt,
  offers,
  events,
};

