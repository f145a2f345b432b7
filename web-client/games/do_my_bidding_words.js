/** Do My Bidding in sentences. */

import { money } from "../bids.js";
import { html } from "../html.js";
import { Painting } from "./do_my_bidding_art.js";
import { texts } from "../messages/en/do_my_bidding.js";
import { listed, sentences, together, translator } from "../messages.js";

const t = translator(texts);

const nothing = (value) => value === null || value === undefined;


const events = {
  dealt: (event, names) => t("dealt", { who: names(event.token) }),
  round_began: (event, names) => {
    if (event.agents.every((agent, patron) => agent === patron)) return t("last_round", { round: event.round });
    return t("round_began", { pairs: listed(event.agents.map((agent, patron) => t("pair", { agent: names(agent), patron: names(patron) }))) });
  },
  lot_called: (event, names) => t("lot_called", { lot: event.lot + 1, who: names(event.token) }),
  turn_came: () => null,
  bid_made: (event, names, view) => {
    const patron = view?.patrons?.[event.seat];
    const own = nothing(patron) || patron === event.seat ? "yes" : "no";
    return t("bid_made", { who: names(event.seat), amount: money(event.amount), own, patron: own === "no" ? names(patron) : "", all: event.by_itself ? "yes" : "no" });
  },
  dropped: (event, names, view) => {
    if (!event.by_itself) return t("dropped", { who: names(event.seat) });
    const patron = view?.patrons?.[event.seat];
    if (nothing(patron) || patron === event.seat) return t("out_of_money", { who: names(event.seat) });
    return t("purse_empty", { who: names(event.seat), patron: names(patron) });
  },
  suggested: (event, names) => t(nothing(event.up_to) ? "suggested_drop" : "suggested", { patron: names(event.patron), agent: names(event.agent), amount: money(event.up_to) }),
  sold: (event, names) => {
    const { agent, patron, price, values, matches } = event.sale;
    const sold = t(agent === patron ? "sold_alone" : "sold", { amount: money(price), agent: names(agent), patron: names(patron) });
    const scored = t("scored", { patron: names(patron), agent: names(agent), matches, values, points: values + matches, earned: event.earned ? "yes" : "no", amount: money(event.earned) });
    return sentences([sold, scored]);
  },
  round_ended: (_event, _names, view) => (view?.last ? t("last_round_over") : t("round_over")),
  ended: (event, names) => {
    const first = event.result.places.flatMap((place, seat) => (place === 1 ? [names(seat)] : []));
    return t("ended", { who: together(first), count: first.length });
  },
};


const offers = {
  bid: ({ fill }, names, view) => t("offer_bid", { least: money(fill.amount.least), most: money(fill.amount.most), patron: names(view.patrons[view.me]) }),
  drop: () => t("offer_drop"),
  suggest: ({ fill }, names, view) => {
    const agent = names(view.agents[view.me]);
    return fill.up_to === null ? t("offer_advise_drop", { agent }) : t("offer_advise", { agent });
  },
};

function prompt(_asked, view, names) {
  const patron = view.patrons[view.me];
  const opening = nothing(view.auction.bid);
  return t(opening ? "prompt_open" : "prompt_bid", { patron: names(patron) });
}

/** Whether I bid with the money of another player. */
const forAnother = (view) => view.patrons[view.me] !== view.me;
const nobodyBid = (view) => nothing(view.auction?.bid);

/** Each tip with the situation in which it is true. */
const tips = [
  { id: "own_agent", when: (offered, view) => offered("drop") && forAnother(view) && view.auction?.bidder === view.agents[view.me], text: (view, names) => t("tip_own_agent", { name: names(view.auction.bidder), amount: money(view.auction.bid) }) },
  { id: "last_round", when: (offered, view) => offered("bid") && !forAnother(view), text: () => t("tip_last_round") },
  { id: "open", when: (offered, view) => offered("bid") && nobodyBid(view), text: (view, names) => t("tip_open", { patron: names(view.patrons[view.me]) }) },
  { id: "bid", when: (offered, view) => offered("bid") && forAnother(view), text: (view, names) => t("tip_bid", { patron: names(view.patrons[view.me]) }) },
  { id: "drop", when: (offered, view) => offered("drop") && forAnother(view), text: (view, names) => t("tip_drop", { patron: names(view.patrons[view.me]) }) },
];

/** What sentences about later events need: for whom each agent bids in this round, and its lots. */
function remember(known, event) {
  if (event.type !== "round_began") return known;
  const patrons = [];
  event.agents.forEach((agent, patron) => (patrons[agent] = patron));
  return { patrons, lots: event.lots, last: event.agents.every((agent, patron) => agent === patron) };
}

/** The paintings of a lot. */
const picture = ({ lot }, { lots }) => lots?.[lot]?.map((art, at) => html`<${Painting} key=${at} art=${art} />`);

export const words = {
  remember,
  headings: { round_began: (event) => t("heading_round", { round: event.round }), lot_called: (event) => t("heading_lot", { lot: event.lot + 1 }) },
  pictures: { lot_called: picture },
  chapters: ["round_began", "ended"],
  moves: { bid: t("move_bid"), drop: t("move_drop"), suggest: t("advise") },
  value: (field, value) => (field === "amount" || field === "up_to" ? (value === null ? t("advice_drop") : money(value)) : undefined),
  tips,
  prompt,
  offers,
  events,
};
