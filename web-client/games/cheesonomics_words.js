/** Cheesonomics in sentences. */

import { html } from "../html.js";
import { ANIMALS, COLOURS, colourOf, countName, has, kindName, marketName, ribbon, sideColour, sideName, sidesOf, traitName, Wedge, wedgeName } from "./cheesonomics_pieces.js";
import { texts } from "../messages/en/cheesonomics.js";
import { either, inRow, listed, sentences, together, translator, YOU } from "../messages.js";

const t = translator(texts);

const TRAITS = [...COLOURS, ...ANIMALS];
const wedgesText = (wedges) => listed(wedges.map((wedge) => wedgeName(wedge, false)));
export const curds = (count) => t("curds", { count });
export const many = (count) => t("wedges", { count });
const given = (wedge) => (wedge ? t("a_wedge", { colour: colourOf(wedge), wedge: wedgeName(wedge, false) }) : t("some_wedge"));
const anyOf = (colours) => either(colours.map(traitName));

/** What wedges bring at these prices. */
export const worth = (view, wedges) => wedges.reduce((sum, wedge) => sum + view.prices[COLOURS.indexOf(colourOf(wedge))], 0);

/** How prices change when a side of the market goes and another one comes; `into` is null if nobody knows it. */
export function priceChange(view, side, into) {
  const counts = (one, colour) => (one && sideColour(one) === colour ? (ribbon(one) ? 2 : 1) : 0);
  return inRow(COLOURS.map((colour, at) => {
    const more = counts(into, colour) - counts(side, colour);
    return more && t(more < 0 ? "falls" : "rises", { colour: traitName(colour), price: view.prices[at] + more });
  }));
}

/** What a turn can be. */
const CAN = { churn: t("can_churn"), produce: t("can_produce"), sell: t("can_sell") };

const PROMPTS = {
  turn: (_phase, view, _names, offered) => t(view.pile <= 5 ? "prompt_turn_few" : "prompt_turn", { can: either(Object.keys(CAN).flatMap((move) => (offered.includes(move) ? [CAN[move]] : []))) }),
  gifts: (phase, view, names) => t("prompt_gifts", { who: names(view.turn), kind: kindName(phase.trait) }),
  picking: () => t("prompt_picking"),
  giving_back: (phase) => t("prompt_giving_back", { count: phase.owed.length }),
  replacing: (phase) => t("prompt_replacing", { colours: anyOf(phase.colours) }),
  flipping: (phase) => t("prompt_flipping", { colours: anyOf(phase.colours) }),
  taking: () => t("prompt_taking"),
  swapping: () => t("prompt_swapping"),
  exchanging: (phase, _view, names) => (phase.other === null ? t("prompt_exchanging") : t("prompt_exchange", { who: names(phase.other) })),
  last_sale: () => t("prompt_last_sale"),
};

const offers = {
  churn: () => t("offer_churn"),
  produce: () => t("offer_produce"),
  sell: ({ fill }) => t("offer_sell", { kind: kindName(fill.trait), most: fill.wedges.most }),
  give: (_offer, names, view) => t("offer_give", { who: names(view.turn) }),
  take_shown: ({ fill }, names) => t("offer_take_shown", { who: names(fill.seat) }),
  give_back: () => t("offer_give_back"),
  replace: ({ fill }) => t("offer_replace", { wedge: marketName(fill.wedge) }),
  flip: () => t("offer_flip"),
  take: () => t("offer_take"),
  swap_discard: () => t("offer_swap_discard"),
  swap_seat: () => t("offer_swap_seat"),
  exchange: () => t("offer_exchange"),
  decline: (_offer, _names, view) => (view.phase.type === "last_sale" ? t("sell_no_more") : t("no_swap")),
};

const most = (view) => Math.max(0, ...TRAITS.map((trait) => view.hand.filter((wedge) => has(wedge, trait)).length));
const bestTrait = (view) => TRAITS.find((trait) => view.hand.filter((wedge) => has(wedge, trait)).length === most(view));
const isPhase = (view, ...types) => types.includes(view.phase.type);

/** Each tip with the situation in which it is true. */
const tips = [
  { id: "last_sale", when: (_offered, view) => isPhase(view, "last_sale"), text: () => t("tip_last_sale") },
  { id: "give", when: (offered) => offered("give"), text: (view, names) => t("tip_give", { who: names(view.turn), kind: kindName(view.phase.trait) }) },
  { id: "take_shown", when: (offered) => offered("take_shown"), text: () => t("tip_take_shown") },
  { id: "give_back", when: (offered) => offered("give_back"), text: () => t("tip_give_back") },
  { id: "flip", when: (offered) => offered("flip"), text: () => t("tip_flip") },
  { id: "replace", when: (offered) => offered("replace"), text: () => t("tip_replace") },
  { id: "take", when: (offered, view) => offered("take") && isPhase(view, "taking"), text: () => t("tip_take") },
  { id: "swap", when: (_offered, view) => isPhase(view, "swapping"), text: () => t("tip_swap") },
  { id: "exchange", when: (offered) => offered("exchange"), text: (view, names) => t("tip_exchange", { who: names(view.phase.other) }) },
  { id: "take_swap", when: (offered, view) => offered("take") && isPhase(view, "exchanging"), text: () => t("tip_take_swap") },
  { id: "sell", when: (offered, view) => offered("sell") && isPhase(view, "turn"), text: () => t("tip_sell") },
  { id: "produce", when: (offered, view) => offered("produce") && most(view) >= 3, text: (view) => t("tip_produce", { kinds: countName(bestTrait(view), most(view)), few: view.pile < most(view) ? "yes" : "no" }) },
  { id: "churn", when: (offered) => offered("churn"), text: () => t("tip_churn") },
];

const events = {
  dealt: (event, names) => t("dealt", { who: names(event.start), knife: event.knives[event.start] }),
  turn_came: () => null,
  awaited: () => null,
  churned: (event, names) => {
    const churned = t("churned", { who: names(event.seat), kind: kindName(event.trait) });
    if (!event.showing.length) return churned;
    const who = event.showing.map(names);
    return sentences([churned, t("showed", { who: together(who), count: who.length, mine: who.includes(YOU) ? "yes" : "no", to: names(event.seat) })]);
  },
  gave: (event, names) => (event.wedge ? t("gave_known", { who: names(event.seat), wedge: given(event.wedge) }) : t("gave", { who: names(event.seat) })),
  collected: (event, names, view) => {
    if (view?.allShown) return null;
    const known = event.gifts.flatMap((gift, seat) => (gift ? [t("gift_from", { wedge: given(gift), who: names(seat) })] : []));
    return names(event.seat) === YOU && known.length ? t("you_got", { gifts: listed(known) }) : t("collected", { who: names(event.seat) });
  },
  took_shown: (event, names) => t("took_shown", { who: names(event.seat), wedge: given(event.wedge), giver: names(event.giver) }),
  gave_back: (event, names) => t("gave_back", { who: names(event.seat), wedge: given(event.wedge), receiver: names(event.receiver) }),
  protected: (event, names, view) => t("protected", { who: names(event.seat), knife: view?.knives?.[event.seat] ?? "", kind: kindName(event.trait) }),
  produced: (event, names) => t("produced", { who: names(event.seat), kind: kindName(event.trait), wedges: wedgesText(event.wedges) }),
  drew: (event, names) => (event.wedges.length && event.wedges[0] ? t("drew", { who: names(event.seat), wedges: wedgesText(event.wedges) }) : null),
  sold: (event, names) => t("sold", { who: names(event.seat), wedges: wedgesText(event.wedges), curds: curds(event.curds) }),
  replaced: (event, names) => t("replaced", { who: names(event.seat), side: sideName(event.up) }),
  flipped: (event, names) => t("flipped", { who: names(event.seat), side: sideName(event.up) }),
  took: (event, names) => t("took", { who: names(event.seat), wedge: event.wedge ? marketName(event.wedge) : t("market_wedge") }),
  kept: (event, names) => t(event.wedge ? "kept_known" : "kept", { who: names(event.seat), wedge: event.wedge && marketName(event.wedge) }),
  swap_named: (event, names) => t(event.other === null ? "swap_discard" : "swap_named", { who: names(event.seat), other: event.other !== null && names(event.other) }),
  swapped: (event, names) => t(event.taken ? "swapped_known" : "swapped", { who: names(event.seat), given: event.taken && marketName(event.given), taken: event.taken && marketName(event.taken) }),
  declined: (event, names, view) => (view?.last ? t("sold_no_more", { who: names(event.seat) }) : t("made_no_swap", { who: names(event.seat) })),
  last_sale_came: (event, names) => t("last_sale_came", { who: names(event.seat) }),
  passed_over: (event, names) => t("passed_over", { who: names(event.seat) }),
  ended: () => t("ended"),
};

/** This list with another value at one place. */
const put = (list = [], place, value) => Object.assign([...list], { [place]: value });

/** The other side of a market wedge. */
const otherSide = (wedge, up) => sidesOf(wedge)[sidesOf(wedge)[0] === up ? 1 : 0];

/**
 * What later events, the market and the reference need to know of earlier ones: the knife of each seat, whether everybody showed a
 * hand so that there are no gifts, whether the last sales have come, what has been sold, and the backs of market wedges that have been seen, by place.
 */
const REMEMBER = {
  dealt: (_known, { knives, market }) => ({ knives, market }),
  churned: (known, { showing }) => ({ ...known, allShown: showing.length + 1 === known.knives?.length }),
  last_sale_came: (known) => ({ ...known, last: true }),
  sold: (known, { wedges }) => ({ ...known, sold: [...(known.sold ?? []), ...wedges] }),
  flipped: (known, { place, up }) => ({ ...known, market: put(known.market, place, up), backs: put(known.backs, place, known.market?.[place] ?? null) }),
  replaced: (known, { place, up, wedge }) => ({ ...known, market: put(known.market, place, up), backs: put(known.backs, place, wedge ? otherSide(wedge, up) : null) }),
};
const remember = (known, event) => REMEMBER[event.type]?.(known, event) ?? known;

const picture = ({ wedges }) => wedges.map((wedge, at) => html`<${Wedge} key=${at} wedge=${wedge} />`);

export const words = {
  tie: t("tie"),
  remember,
  headings: { turn_came: (event, names) => t("heading_turn", { who: names(event.seat) }) },
  pictures: { produced: picture, sold: picture },
  chapters: ["sold", "last_sale_came", "ended"],
  moves: { churn: t("churn"), produce: t("produce"), sell: t("sell"), give: t("give"), take_shown: t("take"), give_back: t("give"), replace: t("replace"), flip: t("flip"), take: t("take"), swap_discard: t("swap"), swap_seat: t("swap"), exchange: t("swap"), decline: t("no") },
  value: (field, value) => {
    if (field === "place") return t("place", { wheel: Math.floor(value / 5) + 1, wedge: (value % 5) + 1 });
    if (typeof value !== "string") return undefined;
    if (value.includes("/")) return marketName(value);
    if (value.includes("-")) return wedgeName(value);
    return field === "up" ? t("side_up", { side: sideName(value) }) : undefined;
  },
  prompt: (asked, view, names) => PROMPTS[view.phase.type]?.(view.phase, view, names, asked.map((offer) => offer.move)) ?? t("your_turn"),
  offers,
  tips,
  events,
};
