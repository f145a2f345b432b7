/** Do My Bidding: the agents' salon, with the wall of lots, the easel, and whose purse pays for whose bid. */

import { Amount, amountIn, BidBar, Lanes, money, Who, whose } from "../bids.js";
import { useChoice } from "../choice.js";
import { html } from "../html.js";
import { Avatar } from "../seats.js";
import { Envelope, nameOf, Painting, worth } from "./do_my_bidding_art.js";
import { words } from "./do_my_bidding_words.js";

export const css = true;
export { words };

export function render(table) {
  const { view, ask, seat, offers, mini } = table;
  const [amount, setAmount] = useChoice(ask, null);
  const [upTo, setUpTo] = useChoice(`${view.round} ${view.lot}`, null);
  const lot = view.auction ? view.lots[view.lot].arts : [];
  const board = html`<div class=${`dmb ${mini ? "mini" : ""}`}>
    <${Wall} table=${table} />
    ${view.auction ? html`<${Easel} ...${{ table, lot }} /><${Agents} ...${{ table, lot }} />` : html`<${Collections} table=${table} />`}
  </div>`;
  const seats = Object.fromEntries(view.purses.map((_, other) => [other, other === seat ? null : html`<${Small} ...${{ view, lot }} seat=${other} />`]));
  const bid = offers.find((offer) => offer.move === "bid");
  const bidding = html`<${BidBar} ...${{ table, offer: bid, chosen: amount, choose: setAmount }}><${Limit} ...${{ table, bid, amount }} /></${BidBar}>`;
  return {
    board,
    seats,
    hand: seat === null ? null : html`<${Desk} ...${{ table, lot, upTo, setUpTo, bidding: offers.length ? bidding : null }} />`,
    bar: null,
  };
}

/** Why the slider ends where it does, if the purse would hold more (DMB-12). */
function Limit({ table, bid, amount }) {
  const { view, explain } = table;
  if (!bid) return null;
  const { most } = bid.fill.amount;
  if (amountIn(bid.fill.amount, amount) < most || most >= view.purses[view.patrons[view.me]]) return null;
  const why = () => explain("You may not waste your patron's money: at most $1 more than anybody else still in could bid.", "DMB-12");
  return html`<button class="limit" onClick=${why}>at most ${money(most)}: why?</button>`;
}

/** All lots of the round in the order of sale, with who got those that are sold. */
function Wall({ table }) {
  const { view, names, seats } = table;
  return html`<section class="wall" aria-label="Lots of this round">
    <ol>${view.lots.map((lot, at) => {
      const now = at === view.lot && view.auction !== null;
      const state = lot.sale ? `sold to ${names(lot.sale.patron)} for ${money(lot.sale.price)}` : now ? "being sold" : "to come";
      return html`<li key=${`${view.round}-${at}`} class=${`hung ${lot.sale ? "gone" : ""} ${now ? "now" : ""}`} data-place=${`lot-${at}`} aria-label=${`Lot ${at + 1}: ${lot.arts.map(nameOf).join("; ")}; ${state}`}>
        <span class="frames">${lot.arts.map((art, one) => html`<${Painting} key=${one} art=${art} />`)}</span>
        <span class="tag-line">${lot.sale ? html`<i class="dot"></i><${Avatar} name=${seats?.[lot.sale.patron]?.name ?? ""} /> ${money(lot.sale.price)}` : now ? "now" : `lot ${at + 1}`}</span>
      </li>`;
    })}</ol>
  </section>`;
}

/** The lot that is being sold, large, and the bid that stands with whose money it is. */
function Easel({ table, lot }) {
  const { view, names } = table;
  const { bid = null, bidder = null } = view.auction;
  const { within } = worth([], lot);
  return html`<section class="easel" aria-label="The lot on the easel">
    <span class="shown" data-place="easel">${lot.map((art, at) => html`<span key=${at} class="shown-art"><${Painting} art=${art} /><span class="plate">${art.artist}<small>${art.colour}</small></span></span>`)}</span>
    <div class="plaque">
      <span class="what">Round ${view.round} of ${view.rounds}, lot ${view.lot + 1} of ${view.lots.length}</span>
      ${bid === null
        ? html`<b class="standing">—</b><span>${names(view.token)} ${names(view.token) === "You" ? "open" : "opens"} the bidding</span>`
        : html`<b class="standing" data-place="standing">${money(bid)}</b><span>${names(bidder)}${view.patrons[bidder] === bidder ? "" : html`<br />with ${whose(names, view.patrons[bidder])} money`}</span>`}
      ${within ? html`<span class="pairs">These two match each other: +1</span>` : null}
    </div>
  </section>`;
}

/** One lane for each agent: whose purse it is, how far it goes, what the lot is worth to its owner. */
function Agents({ table, lot }) {
  const { view, seat } = table;
  const count = view.purses.length;
  const { auction } = view;
  const lanes = [...Array(count).keys()].map((step) => {
    const agent = (view.token + step) % count;
    const patron = view.patrons[agent];
    const { points } = worth(view.collections[patron], lot);
    const dropped = auction.dropped[agent];
    return {
      seat: agent,
      room: view.purses[patron],
      bid: auction.bids[agent] ?? null,
      state: dropped ? "out" : auction.turn === agent ? "turn" : "",
      mine: agent === seat,
      who: html`<${Pair} ...${{ table, agent, patron }} />`,
      note: html`<${Note} ...${{ table, agent, patron, points, dropped }} />`,
    };
  });
  return html`<section class="agents" aria-label="Who bids with whose money"><${Lanes} lanes=${lanes} standing=${auction.bidder ?? null} table=${table} /></section>`;
}

/** The agent, and the purse that is spent. */
function Pair({ table, agent, patron }) {
  const { view, names, seats } = table;
  const own = agent === patron;
  return html`<${Avatar} name=${seats?.[agent]?.name ?? `${agent + 1}`} bot=${seats?.[agent]?.kind === "bot"} />
    <span class="pair"><b>${names(agent)}${agent === view.token ? html`<i class="token" title="first-bidder token" aria-label="has the first-bidder token">1</i>` : null}</b><small>${own ? "own money" : html`for <b>${names(patron) === "You" ? "you" : names(patron)}</b>`}</small></span>
    <span class=${`purse ${patron === view.me ? "my-purse" : ""}`} data-place=${`purse-${patron}`} title=${own ? "own purse" : `${whose(names, patron)} purse`}><${Avatar} name=${seats?.[patron]?.name ?? `${patron + 1}`} bot=${false} /><b>${money(view.purses[patron])}</b></span>`;
}

function Note({ table, agent, patron, points, dropped }) {
  const { view, names } = table;
  const advice = view.advice[patron];
  const title = `The lot is worth ${points} points to ${names(patron) === "You" ? "you" : names(patron)}`;
  return html`<span class="note" title=${title}>${dropped ? "out" : html`<b>${points}</b> pts`}<span class="sr">${title}</span></span>
    ${advice && agent !== patron && !dropped ? html`<span class="advice" title=${`${names(patron)} advised this`}>“${adviceText(advice)}”</span>` : null}`;
}

const adviceText = (advice) => (advice.up_to === null || advice.up_to === undefined ? "drop" : `to ${money(advice.up_to)}`);

/** At the end: all collections. */
function Collections({ table }) {
  const { view } = table;
  return html`<ol class="collections">${view.collections.map((arts, seat) => html`<li key=${seat}><span class="collection-head"><${Who} table=${table} seat=${seat} /> <b class="score">${view.scores[seat]}</b></span><span class="frames">${arts.map((art, at) => html`<${Painting} key=${at} art=${art} />`)}</span></li>`)}</ol>`;
}

/** The collection of another seat in the strip, with what matches the lot. */
function Small({ view, lot, seat }) {
  const { matches } = worth(view.collections[seat], lot);
  return html`<span class="dmb-small" role="group" aria-label="Collection">${view.collections[seat].map((art, at) => html`<${Painting} key=${at} art=${art} match=${matches[at]} />`)}</span>`;
}

/** My desk: for whom I bid, and who bids for me, each with the collection and what the lot would bring. */
function Desk({ table, lot, upTo, setUpTo, bidding }) {
  const { view, seat, names } = table;
  if (!view.agents.length) return null;
  const patron = view.patrons[seat];
  const agent = view.agents[seat];
  if (patron === seat) {
    return html`<div class="desk alone"><${Panel} ...${{ table, lot, owner: seat }}><b>You bid for yourself</b></${Panel}>${bidding}</div>`;
  }
  return html`<div class="desk">
    <${Panel} ...${{ table, lot, owner: patron, kind: "work" }}>You bid for <b>${names(patron)}</b></${Panel}>
    <${Panel} ...${{ table, lot, owner: seat, kind: "own" }}><b>${names(agent)}</b> bids for you</${Panel}>
    <${Advise} ...${{ table, agent, upTo, setUpTo }} />
    ${bidding}
  </div>`;
}

function Panel({ table, lot, owner, kind = "own", children }) {
  const { view, names } = table;
  const arts = view.collections[owner];
  const { matches, values, matched, points } = worth(arts, lot);
  const whom = names(owner) === "You" ? "you" : names(owner);
  const advice = view.agents[owner] === owner ? null : view.advice[owner];
  return html`<section class=${`panel ${kind}`}>
    <p class="panel-head">${children}</p>
    <p class="sum"><b>${money(view.purses[owner])}</b>${lot.length ? html`, lot <span title=${`${values} for the value, ${matched} for matches`}>${matched ? `${values}+${matched}=` : ""}<b>${points}</b> pts<span class="sr"> for ${whom}</span></span>` : null}${advice ? html` <q>${adviceText(advice)}</q>` : null}</p>
    <span class="frames" style=${{ "--n": arts.length }}>${arts.map((art, at) => html`<${Painting} key=${at} art=${art} match=${matches[at]} />`)}</span>
  </section>`;
}

/** Advice for my agent, for all to hear (DMB-19). It is said, not done: it has the colour of what is told. */
function Advise({ table, agent, upTo, setUpTo }) {
  const { asides, aside, names } = table;
  const range = asides.find((offer) => offer.move === "suggest" && offer.fill.up_to !== null);
  if (!range) return null;
  const blank = range.fill.up_to;
  const value = amountIn(blank, upTo ?? Math.ceil(blank.most / 2));
  return html`<div class="advise" role="group" aria-label=${`Advise ${names(agent)}`}>
    <span class="advised quiet" aria-hidden="true">Your advice to ${names(agent)}:</span>
    <button class="tell" onClick=${() => aside({ type: "suggest", up_to: null })}><span class="sr">Say to ${names(agent)}: </span>“Drop it”</button>
    <${Amount} blank=${blank} value=${value} set=${setUpTo} label=${`Advise ${names(agent)} to bid up to`} />
    <button class="tell" onClick=${() => aside({ type: "suggest", up_to: value })}><span class="sr">Say to ${names(agent)}: </span>“Up to ${money(value)}”</button>
  </div>`;
}

export const publicOf = (view, seat) => [
  { text: `${view.scores[seat]} pts`, label: `${view.scores[seat]} points` },
  { text: money(view.purses[seat]), label: `${money(view.purses[seat])} in the purse` },
  { text: `\u2709\uFE0E${money(view.envelopes[seat])}`, label: `${money(view.envelopes[seat])} in the envelope` },
];

export function account(view, names) {
  return html`<div class="dmb-account">${view.collections.map((arts, seat) => {
    const values = arts.slice(1).reduce((sum, art) => sum + art.value, 0);
    return html`<p key=${seat}><b>${names(seat)}</b> ${arts.length - 1} paintings worth ${values}, and ${view.scores[seat] - values} for matches = ${view.scores[seat]}</p>`;
  })}</div>`;
}

export function motion({ events, view, seat, fly, pulse }) {
  const home = (one) => (one === seat ? "hand" : `seat-${one}`);
  for (const event of events) {
    if (event.type === "bid_made") {
      pulse("standing");
      pulse(`bid-${event.seat}`);
    } else if (event.type === "sold") {
      const { agent, patron, price } = event.sale;
      const arts = view.collections[patron].slice(-2);
      fly(html`<span class="flying-art"><${Painting} art=${arts.at(-1)} /></span>`, "easel", home(patron), { ms: 350 });
      if (price) fly(html`<b class="coin">${money(price)}</b>`, `purse-${patron}`, "board", { ms: 320 });
      if (event.earned) fly(html`<b class="coin"><${Envelope} /> ${money(event.earned)}</b>`, "board", home(agent), { delay: 180, ms: 350 });
    } else if (event.type === "suggested") pulse(`seat-${event.patron}`);
  }
}
