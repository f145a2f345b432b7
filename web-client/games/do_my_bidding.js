/** Do My Bidding: the agents' salon, with the wall of lots, the easel, and whose purse pays for whose bid. */

import { Amount, amountIn, BidBar, bidOf, Going, Hammer, MiniBids, money, nextBidder } from "../bids.js";
import { dropAbove } from "../auto.js";
import { inTurn } from "../beats.js";
import { useChoice } from "../choice.js";
import { html } from "../html.js";
import { keepInside } from "../inside.js";
import { Avatar } from "../avatar.js";
import { ARTISTS, colourName, COLOURS, Envelope, nameOf, Painting, valueOf, worth } from "./do_my_bidding_art.js";
import { words } from "./do_my_bidding_words.js";
import { texts } from "../messages/en/do_my_bidding.js";
import { inRow, translator } from "../messages.js";

const t = translator(texts);

export { words };

export function render(table) {
  const { view, ask, seat, offers, mini } = table;
  const [amount, setAmount] = useChoice(ask, null);
  const [upTo, setUpTo] = useChoice(`${view.round} ${view.lot}`, null);
  const lot = view.auction ? view.lots[view.lot].arts : [];
  const [advising, setAdvising] = useChoice(`${view.round} ${view.lot}`, false);
  const bids = view.purses.map((_, one) => (view.auction ? bidOf(view.auction, one) : undefined));
  const board = html`<div class=${`dmb ${mini ? "mini" : ""}`}>
    <${Wall} table=${table} />
    <${Easel} ...${{ table, lot }} />
    ${mini && view.auction ? html`<${MiniBids} bids=${bids} names=${table.names} />` : null}
  </div>`;
  const bid = offers.find((offer) => offer.move === "bid");
  return {
    board,
    bids,
    next: view.auction ? nextBidder(view.auction, view.auction.turn) : null,
    seats: view.purses.map((_, other) => html`<${Agent} ...${{ table, lot }} seat=${other} />`),
    hand: seat === null || mini ? null : html`<${Desk} ...${{ table, lot, upTo, setUpTo, advising, setAdvising }} />`,
    bar: offers.length ? html`<${BidBar} ...${{ table, offer: bid, chosen: amount, choose: setAmount, note: gainOf(view, lot) }} />` : null,
  };
}

/** What I get if my bid wins: dollars for the points of my patron, or in the last round the points. */
function gainOf({ patrons, collections, me }, lot) {
  const { points } = worth(collections[patrons[me]], lot);
  return patrons[me] === me ? t("you_score", { points }) : t("you_earn", { amount: money(points) });
}

/** All lots of the round in the order of sale, with the buyers of those that are sold. */
function Wall({ table }) {
  const { view, names, seats } = table;
  return html`<section class="wall" aria-label=${t("lots")}>
    <ol>${view.lots.map((lot, at) => {
      const now = at === view.lot && view.auction !== null;
      const state = lot.sale ? t("sold_to", { who: names(lot.sale.patron), amount: money(lot.sale.price) }) : now ? t("being_sold") : t("to_come");
      return html`<li key=${`${view.round}-${at}`} class=${`hung ${lot.sale ? "gone" : ""} ${now ? "now" : ""}`} data-place=${`lot-${at}`} aria-label=${t("lot_label", { lot: at + 1, paintings: inRow(lot.arts.map(nameOf)), state })}>
        <span class="frames">${lot.arts.map((art, one) => html`<${Painting} key=${one} art=${art} />`)}</span>
        <span class="tag-line">${lot.sale ? html`<i class="dot"></i><${Avatar} name=${seats?.[lot.sale.patron]?.name ?? ""} seat=${lot.sale.patron} picture=${seats?.[lot.sale.patron]?.avatar} /> ${money(lot.sale.price)}` : now ? t("now") : t("lot", { lot: at + 1 })}</span>
      </li>`;
    })}</ol>
  </section>`;
}

/** The lot that is being sold, the standing bid, and whose money it is. */
function Easel({ table, lot }) {
  const { view, names } = table;
  const { bid = null, bidder = null } = view.auction ?? {};
  const { within } = worth([], lot);
  if (!view.auction) return html`<section class="easel"><div class="plaque"><span class="what">${t("salon_closed")}</span></div></section>`;
  return html`<section class="easel" aria-label=${t("on_easel")}>
    <span class="shown" data-place="easel">${lot.map((art, at) => html`<span key=${at} class="shown-art"><${Painting} art=${art} /><span class="plate">${art.artist}<small>${colourName(art.colour)}</small></span></span>`)}</span>
    <div class="plaque">
      <span class="what">${t("round_and_lot", { round: view.round, rounds: view.rounds, lot: view.lot + 1, lots: view.lots.length })}</span>
      ${bid === null
        ? html`<b class="standing">—</b><span>${t("opens", { who: names(view.token) })}</span>`
        : html`<b class="standing" data-place="standing">${money(bid)}</b><span>${names(bidder)}${view.patrons[bidder] === bidder ? "" : html`<br />${t("with_money", { patron: names(view.patrons[bidder]) })}`}</span>`}
      ${within ? html`<span class="pairs">${t("these_match")}</span>` : null}
    </div>
  </section>`;
}

/** At a seat: for whom it bids, with how much money, what the lot is worth to its patron; and its own collection. */
function Agent({ table, lot, seat }) {
  const { view, names } = table;
  const arts = view.collections[seat];
  const { matches } = worth(arts, lot);
  const collection = html`<span class=${`dmb-small ${arts.length > 8 ? "many" : ""}`} role="group" aria-label=${t("collection")}>${arts.map((art, at) => html`<${Painting} key=${at} art=${art} match=${matches[at]} />`)}</span>`;
  if (!view.auction) return collection;
  const patron = view.patrons[seat];
  const own = patron === seat;
  const whom = names(patron);
  const { points } = worth(view.collections[patron], lot);
  const advice = own ? null : view.advice[patron];
  return html`<span class="agent">
    <span class="for">${own ? t("own_money") : t.rich("for", { who: html`<b>${t("you_or_name", { who: whom })}</b>` })}</span>
    <span class="stake" title=${t("worth_to", { points, who: whom })}><span class="purse" data-place=${`purse-${patron}`}>${money(view.purses[patron])}</span> <span class="long">${t("lot_worth", { points })}</span><span class="brief">+<b class="seal">${points}</b></span>${advice ? html` <q>${adviceText(advice)}</q>` : null}</span>
  </span>${collection}`;
}

const adviceText = (advice) => (advice.up_to === null || advice.up_to === undefined ? t("advice_drop") : t("advice_to", { amount: money(advice.up_to) }));

/** My desk: for whom I bid, and who bids for me, each with the collection and the points of the lot. */
function Desk({ table, lot, upTo, setUpTo, advising, setAdvising }) {
  const { view, seat, names } = table;
  if (!view.agents.length || !view.auction) return html`<div class="desk alone"><${Panel} ...${{ table, lot, owner: seat }}><b>${t("your_collection")}</b></${Panel}></div>`;
  const patron = view.patrons[seat];
  const agent = view.agents[seat];
  if (patron === seat) return html`<div class="desk alone"><${Panel} ...${{ table, lot, owner: seat }}><b>${t("for_yourself")}</b></${Panel}></div>`;
  return html`<div class="desk">
    <${Panel} ...${{ table, lot, owner: patron, kind: "work" }}>${t.rich("you_bid_for", { name: html`<b>${names(patron)}</b>` })}</${Panel}>
    <${Panel} ...${{ table, lot, owner: seat, kind: "for-me" }}>${t.rich("bids_for_you", { name: html`<b>${names(agent)}</b>` })}</${Panel}>
    <${Advise} ...${{ table, agent, lot, upTo, setUpTo, advising, setAdvising }} />
  </div>`;
}

function Panel({ table, lot, owner, kind = "for-me", children }) {
  const { view, names } = table;
  const arts = view.collections[owner];
  const { matches, values, matched, points } = worth(arts, lot);
    const advice = view.agents[owner] === owner ? null : view.advice[owner];
  return html`<section class=${`panel ${kind}`}>
    <p class="panel-head">${children}</p>
    <p class=${`sum ${advice ? "with-advice" : ""}`}>${lot.length ? html`${t.rich("purse_and_lot", { amount: html`<b>${money(view.purses[owner])}</b>`, points: html`<span title=${t("values_and_matches", { values, matched })}>${matched ? html`<span class="addends">${values}+${matched}=</span>` : null}<b>${points}</b></span>` })}<span class="sr"> ${t("for", { who: t("you_or_name", { who: names(owner) }) })}</span>` : html`<b>${money(view.purses[owner])}</b>`}${advice ? html` <q>${adviceText(advice)}</q>` : null}</p>
    <span class="frames" style=${{ "--n": arts.length }}>${arts.map((art, at) => html`<${Painting} key=${at} art=${art} match=${matches[at]} />`)}</span>
  </section>`;
}

/** Advice for my agent, which is public (DMB-19). An aside is not a move, so it does not have the accent colour. */
function Advise({ table, agent, lot, upTo, setUpTo, advising, setAdvising }) {
  const { asides, aside, names, view, seat } = table;
  const range = asides.find((offer) => offer.move === "suggest" && offer.fill.up_to !== null);
  if (!range) return null;
  const blank = range.fill.up_to;
  const value = amountIn(blank, upTo ?? worth(view.collections[seat], lot).points);
  const say = (up_to) => {
    setAdvising(false);
    aside({ type: "suggest", up_to });
  };
  return html`<div class="advise">
    <button class="tell" aria-expanded=${advising} aria-keyshortcuts="v" onClick=${() => setAdvising(!advising)}aria-label=${t("advise_name", { name: names(agent) })}>${t("advise")}<span class="agent-name"> ${names(agent)}</span></button>
    ${advising ? html`<div class="popover" ref=${keepInside} role="group" aria-label=${t("advise_name", { name: names(agent) })}>
      <button class="tell" onClick=${() => say(null)}><span class="sr">${t("say_to", { name: names(agent) })} </span>${t("say_drop")}</button>
      <${Amount} blank=${blank} value=${value} set=${setUpTo} label=${t("advise_up_to", { name: names(agent) })} />
      <button class="tell" onClick=${() => say(value)}><span class="sr">${t("say_to", { name: names(agent) })} </span>${t("say_up_to", { amount: money(value) })}</button>
    </div>` : null}
  </div>`;
}

export const publicOf = (view, seat) => [
  { text: t("pts", { points: view.scores[seat] }), brief: html`<b class="seal">${view.scores[seat]}</b>`, label: t("points", { points: view.scores[seat] }) },
  { text: money(view.purses[seat]), label: t("in_purse", { amount: money(view.purses[seat]) }) },
  { text: `\u2709\uFE0E${money(view.envelopes[seat])}`, brief: `\u2709\uFE0E${view.envelopes[seat]}`, label: t("in_envelope", { amount: money(view.envelopes[seat]) }) },
  ...(seat === view.token ? [{ mark: "1", label: t("has_token") }] : []),
];

export const points = (view) => ({ label: t("plot_points"), values: view.scores });

/** What the page can answer by itself. */
export const automations = ({ view, seat }) => (view.auction && !view.auction.dropped[seat] ? [dropAbove(`do_my_bidding ${view.round} ${view.lot}`, view.purses[view.patrons[seat]])] : []);

/** How the points came about: values and matches of what was bought. The first painting scores nothing. */
export function account(view, who, order) {
  const rows = order.map((seat) => ({ seat, bought: view.collections[seat].slice(1) }));
  const sumOf = (arts) => arts.reduce((sum, art) => sum + art.value, 0);
  return html`<div class="scroll"><table class="dmb-account">
    <thead><tr><td></td><th class="pictures">${t("head_bought")}</th><th>${t("head_values")}</th></tr></thead>
    <tbody>${rows.map(({ seat, bought }) => html`<tr key=${seat}><th scope="row">${who(seat)}</th>
      <td class="pictures">${bought.map((art, at) => html`<${Painting} key=${at} art=${art} />`)}${bought.length ? null : t("nothing")}</td>
      <td>${sumOf(bought)} + ${view.scores[seat] - sumOf(bought)} = <b>${view.scores[seat]}</b></td></tr>`)}</tbody>
  </table><p class="quiet">${t("account_note")}</p></div>`;
}

/** All 49 paintings with their values; those that have been seen are marked. */
export function reference(view) {
  const seen = new Set([...view.collections.flat(), ...view.box, ...view.lots.flatMap((lot) => lot.arts)].map((art) => `${art.artist} ${art.colour}`));
  return html`<table><thead><tr><td></td>${COLOURS.map((colour) => html`<th key=${colour}>${colourName(colour)}</th>`)}</tr></thead><tbody>
    ${ARTISTS.map((artist) => html`<tr key=${artist}><th scope="row">${artist}</th>${COLOURS.map((colour) => html`<td key=${colour} class=${seen.has(`${artist} ${colour}`) ? "seen" : ""}>${valueOf(artist, colour)}${seen.has(`${artist} ${colour}`) ? " ✓" : ""}</td>`)}</tr>`)}
  </tbody></table><p class="quiet">${t("reference_note")}</p>`;
}

/** The gavel falls before the next lot is called, for each lot that is sold (DMB-13). */
export function beat(events, view) {
  const beats = [];
  let lots = view.lots.map(({ arts }) => arts);
  let lot = lots[view.lot] ?? [];
  for (const event of events) {
    if (event.type === "round_began") lots = event.lots;
    else if (event.type === "lot_called") lot = lots[event.lot];
    else if (event.type === "sold") beats.push({ ms: beats.length ? 1000 : 1400, stage: html`<span class="flying-art">${lot.map((art, at) => html`<${Painting} key=${at} art=${art} />`)}</span><${Hammer} /><${Going} />` });
  }
  return inTurn(beats);
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
