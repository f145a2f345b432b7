/** Do My Bidding in sentences. */

import { money, whose } from "../bids.js";

const plural = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;
const match = (count) => `${count} match${count === 1 ? "" : "es"}`;
const to = (names, seat) => (names(seat) === "You" ? "you" : names(seat));
const nothing = (value) => value === null || value === undefined;

/** "for Ann", or "for yourself" in the last round. */
const forWhom = (names, agent, patron) => {
  if (agent !== patron) return `for ${to(names, patron)}`;
  return names(agent) === "You" ? "for yourself" : "alone";
};

const events = {
  dealt: (event, names) => `Everybody got a first painting and a purse of $15. ${names(event.token)} got the first-bidder token.`,
  round_began: (event, names) => {
    if (event.agents.every((agent, patron) => agent === patron)) return `Round ${event.round}, the last: everybody bids for themselves, with their own money.`;
    return `Round ${event.round}. ${event.agents.map((agent, patron) => `${names(agent)} for ${to(names, patron)}`).join(", ")}.`;
  },
  lot_called: (event, names) => `Lot ${event.lot + 1} was called; ${to(names, event.token)} first.`,
  turn_came: () => null,
  bid_made: (event, names, view) => {
    const patron = view?.patrons[event.seat];
    const money_of = nothing(patron) || patron === event.seat ? "" : ` of ${whose(names, patron)} money`;
    return `${names(event.seat)} bid ${money(event.amount)}${money_of}${event.by_itself ? ", all that was possible" : ""}.`;
  },
  dropped: (event, names) => `${names(event.seat)} dropped out${event.by_itself ? ", with too little to bid more" : ""}.`,
  suggested: (event, names) => `${names(event.patron)} to ${to(names, event.agent)}: “${nothing(event.up_to) ? "Drop this one." : `Go up to ${money(event.up_to)}.`}”`,
  sold: (event, names) => {
    const { agent, patron, price, values, matches } = event.sale;
    const who = `Sold for ${money(price)}: ${names(agent)} won it ${forWhom(names, agent, patron)}.`;
    const scored = ` ${names(patron)} scored ${matches ? `${values} + ${match(matches)} = ` : ""}${plural(values + matches, "point")}`;
    return `${who}${scored}${event.earned ? `, and ${money(event.earned)} went into ${whose(names, agent)} envelope` : ""}.`;
  },
  round_ended: () => "The round is over: every envelope was emptied into its owner's purse.",
  ended: (event, names) => `The salon closed. Best collection: ${event.result.places.flatMap((place, seat) => (place === 1 ? [names(seat)] : [])).join(" and ")}.`,
};

const purseOf = (view, names) => {
  const patron = view.patrons[view.me];
  return patron === view.me ? "your own purse" : `${whose(names, patron)} purse`;
};

const offers = {
  bid: ({ fill }, names, view) => `Bid ${money(fill.amount.least)} to ${money(fill.amount.most)} from ${purseOf(view, names)}; at most $1 more than anybody else still in could bid`,
  drop: () => "Drop out: this lot goes to somebody else",
  suggest: ({ fill }, names, view) => {
    const agent = to(names, view.agents[view.me]);
    return fill.up_to === null ? `Advise ${agent} to drop this lot` : `Advise ${agent} to bid up to an amount for you; everybody hears it, and ${agent} need not listen`;
  },
};

function prompt(asked, view, names) {
  const patron = view.patrons[view.me];
  const opening = nothing(view.auction.bid);
  const whom = patron === view.me ? "yourself" : names(patron);
  return opening ? `Open the bidding for ${whom}.` : `Bid for ${whom}, or drop.`;
}

export const words = {
  moves: { bid: "Bid", drop: "Drop", suggest: "Advise" },
  value: (field, value) => (field === "amount" || field === "up_to" ? (value === null ? "drop" : money(value)) : undefined),
  why: {
    bid: "You bid with another player's money. If you win, they score the painting, and you earn a dollar for each point.",
    drop: "If it costs your patron too much, drop out. Money that is left stays in the purse.",
  },
  prompt,
  offers,
  events,
};
