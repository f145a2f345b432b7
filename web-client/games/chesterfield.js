/** Chesterfield: the auction house, with the block and the card under the hammer; the seats show their bids and sets. */

import { Amount, amountIn, BidBar, bidOf, Going, Hammer, MiniBids, money, nextBidder, valuesOf, within } from "../bids.js";
import { dropAbove } from "../auto.js";
import { useChoice } from "../choice.js";
import { html } from "../html.js";
import { icons } from "../icons.js";
import { Back, Card, Cheese, IN_DECK, inOrder, KINDS, tradeOf } from "./chesterfield_cards.js";
import { listed, setName, words } from "./chesterfield_words.js";
import { texts } from "../messages/en/chesterfield.js";
import { inRow, inside, listed as inWords, translator } from "../messages.js";

const t = translator(texts);

export { words };

const NOTHING = [];
const offered = (offers, move) => offers.find((offer) => offer.move === move);
const TITLES = { laying_down: t("laying_sets"), upkeep: t("upkeep"), merging: t("final_merge"), over: t("auction_over") };

export function render(table) {
  const { view, ask, seat, mini } = table;
  const [picked, pick] = useChoice(ask, NOTHING);
  const [amount, setAmount] = useChoice(ask, null);
  const [card, setCard] = useChoice(ask, null);
  const [sure, setSure] = useChoice(ask, false); // whether "Give up" was pressed once
  const hand = inOrder(view.hand ?? []);
  const cards = picked.map((place) => hand[place]);
  const choices = seat === null ? [] : choicesFor(table, cards);
  const bids = view.hands.map((_, one) => bidFor(view, one));
  const board = html`<div class=${`cca ${mini ? "mini" : ""}`}>
    <${Stage} ...${{ table, card, setCard }} />
    ${mini && bids[0] ? html`<${MiniBids} bids=${bids} names=${table.names} />` : null}
  </div>`;
  return {
    board,
    bids,
    next: view.auction && view.phase !== "silent_auction" ? nextBidder(view.auction, view.waiting[0]) : null,
    seats: view.hands.map((_, other) => html`<${Small} view=${view} seat=${other} />`),
    hand: seat === null ? null : html`<${Hand} ...${{ table, hand, picked, pick, choices }} />`,
    bar: bar(table, { cards, choices, amount, setAmount, card, sure, setSure }),
  };
}

/** What a seat bids, or whether it is done where all choose at the same time. */
function bidFor(view, seat) {
  const { phase, auction, waiting } = view;
  if (TITLES[phase]) return phase === "over" ? undefined : waiting.includes(seat) ? { text: "…", label: t("still_choosing") } : { text: "✓", label: t("is_done") };
  if (!auction || phase === "choosing") return undefined;
  if (phase !== "silent_auction" || auction.dropped[seat]) return bidOf(auction, seat);
  if (waiting.includes(seat)) return { text: "…", label: t("writing_bid") };
  return seat === view.me && view.secret !== null ? { text: money(view.secret), label: t("sealed_label", { amount: money(view.secret) }) } : { text: "✉\uFE0E", label: t("sealed_a_bid") };
}

/** Every move that is possible with the picked cards, with a text for its button and a note below it: what it brings. */
function choicesFor({ view, offers }, cards) {
  if (!cards.length) return [];
  const sets = view.sets[view.me];
  const all = (cheese) => cards.every((card) => card === cheese);
  return offers.flatMap(({ move, fill }) => {
    if (move === "cash_in") return [{ move: { type: move, cards }, text: t("cash_in", { amount: money(tradeOf(cards)) }), note: t("cards", { count: cards.length }) }];
    if (move === "play_action" && cards.length === 1 && valuesOf(fill.card).includes(cards[0])) {
      return [{ move: { type: move, card: cards[0] }, text: t("play_card", { card: cards[0] }), note: KINDS[cards[0]].does }];
    }
    if (move === "lay_down") return layChoices(fill, cards);
    if (move === "merge" && all(sets[fill.onto].cheese) && within(fill.cards, cards.length)) {
      const more = KINDS[cards[0]].points * cards.length;
      return [{ move: { type: move, onto: fill.onto, cards: cards.length }, onto: fill.onto, text: t("add"), note: t("set_gains", { cheese: sets[fill.onto].cheese, points: more }) }];
    }
    if (move === "stand_in" && cards.length === 1 && all("Cheddar")) {
      return valuesOf(fill.onto).map((onto) => ({ move: { type: move, onto }, onto, text: t("add_cheddar"), note: t("set_gains", { cheese: sets[onto].cheese, points: KINDS[sets[onto].cheese].points }) }));
    }
    if (move === "melt" && all("Gruyere")) {
      return valuesOf(fill.onto).map((onto) => ({ move: { type: move, onto }, onto, text: t("melt"), note: t("set_gains", { cheese: sets[onto].cheese, points: 2 }) }));
    }
    return [];
  });
}

function layChoices({ cheese, cards: blank, cheddar }, cards) {
  if (cheddar && cards.every((card) => card === cheese) && within(blank, cards.length)) {
    return [{ move: { type: "lay_down", cheese, cards: cards.length, cheddar }, text: t("lay", { count: cards.length, cheese }), note: t("with_cheddar", { points: KINDS[cheese].points * cards.length }) }];
  }
  const rest = cheddar ? cards.toSpliced(cards.indexOf("Cheddar"), 1) : cards;
  if ((cheddar && !cards.includes("Cheddar")) || !rest.every((card) => card === cheese) || !within(blank, rest.length)) return [];
  const points = KINDS[cheese].points * (cards.length - 1);
  return [{ move: { type: "lay_down", cheese, cards: rest.length, cheddar }, text: t("lay", { count: cards.length, cheese }), note: t("points", { points }) }];
}

/** The card under the hammer, the standing bid, the actions in force, and the rest of the block: each has a fixed place. */
function Stage({ table, card, setCard }) {
  const { view, events, n, played } = table;
  const fell = !played && events.some((event) => ["presented", "sold", "auctioneer_found"].includes(event.type));
  return html`<section class="stage" aria-label=${t("for_sale")}>
    <div class="under" data-place="under">${view.card ? html`<${Card} card=${view.card} />` : html`<${Hammer} key=${fell ? n : 0} fell=${fell} />`}</div>
    <${Plaque} table=${table} />
    <${Block} ...${{ table, card, setCard }} />
    <${Forces} table=${table} />
  </section>`;
}

/** The slate beside the card: what is sold, and the standing bid. */
function Plaque({ table }) {
  const { view, names } = table;
  const { bid = null, bidder = null } = view.auction ?? {};
  if (TITLES[view.phase]) {
    const late = view.waiting.map((seat) => t("you_or_name", { who: names(seat) }));
    const text = view.reserved ? t("reserved", { cards: listed(view.reserved) }) : late.length > 2 ? t("waiting_count", { count: late.length }) : late.length ? t("waiting_for", { names: inWords(late) }) : "";
    return html`<div class="plaque"><span class="what">${TITLES[view.phase]}</span><span class="wide">${text}</span></div>`;
  }
  if (view.phase === "choosing") {
    return html`<div class="plaque"><b class="what">${names(view.auctioneer)}</b><span class="wide">${view.auctioneer === view.me ? t("you_choose") : t("auctioneer_chooses")}</span></div>`;
  }
  const what = view.phase === "auctioneer_auction" ? t("who_auctioneer") : view.card;
  const started = view.price !== null && view.price !== undefined ? "yes" : "no";
  const start = started === "yes" ? money(view.price) : "";
  const now =
    view.phase === "paying"
      ? html`<b class="standing">${money(view.owed)}</b><span>${t("owed_by", { who: names(bidder), amount: money(view.banks[bidder]) })}</span>`
      : bid === null
        ? html`<b class="standing">—</b><span>${t("no_bid_yet", { started, start })}</span>`
        : html`<b class="standing" data-place="standing">${money(bid)}</b><span>${t("bid_by", { who: names(bidder), started, start })}</span>`;
  const hush = view.phase === "silent_auction" ? html` <span class="hush">${t("secret_bids")}</span>` : null;
  return html`<div class="plaque"><span class="what">${what}${hush}</span>${now}${view.hand && view.card && view.phase !== "paying" ? html`<span class="gain">${words.gain(view)}</span>` : null}</div>`;
}

/** The cards of the block that are not sold yet; the Auctioneer sees them and puts them up. */
function Block({ table, card, setCard }) {
  const { view, offers, names, explain, attempt } = table;
  const may = offered(offers, "present");
  const seen = view.block.some(Boolean);
  const title = !view.block.length ? (view.auction ? t("last_card") : "") : view.phase === "choosing" ? "" : view.phase === "auctioneer_auction" ? t("the_block") : view.auction ? t("to_come") : "";
  const whoSees = () => explain(view.auctioneer === null ? t("no_auctioneer") : t("auctioneer_is", { name: names(view.auctioneer) }), "CCA-12");
  return html`<div class=${`block ${seen ? "seen" : ""}`} data-place="block">
    <span class="block-name">${title && seen ? t("seen_alone", { title }) : title}</span>
    <span class="block-cards">${(seen ? inOrder(view.block) : view.block).map((one, at) =>
      may
        ? html`<button key=${at} aria-keyshortcuts=${at + 1} class=${`lot can ${card === at ? "chosen" : ""}`} aria-pressed=${card === at} onClick=${() => setCard(card === at ? null : at)}><${Card} card=${one} /><span class="sr">${t("sell_next", { chosen: card === at ? "yes" : "no", card: one, points: KINDS[one].points, amount: money(KINDS[one].trade) })}</span></button>`
        : html`<span key=${at} class="lot" role="img" aria-label=${one ?? t("face_down")} onClick=${() => (one ? attempt({ type: "present", card: one, price: 0 }) : whoSees())}>${one ? html`<${Card} card=${one} />` : html`<${Back} />`}</span>`,
    )}</span>
    <span class="block-name">${view.blocks_left ? t("blocks_left", { count: view.blocks_left }) : t("last_block")}</span>
  </div>`;
}

/** Actions that count for this auction. */
function Forces({ table }) {
  const { view, names, explain } = table;
  const kinds = [...new Set(view.actions)];
  const last = view.auction?.last;
  return html`<ul class="forces" aria-label=${t("in_force")} data-place="forces">${kinds.map((kind) => {
    const count = view.actions.filter((one) => one === kind).length;
    const tail = kind !== "Pecorino" || !last ? "" : last.length ? t("then", { names: inRow(inside(last.map(names))) }) : t("this_is_last");
    return html`<li key=${kind}><button class="force" onClick=${() => explain(t("action", { kind, does: KINDS[kind].does }), KINDS[kind].rule)}><${Cheese} card=${kind} /><span><b>${kind}${count > 1 ? ` ×${count}` : ""}</b> ${KINDS[kind].short}${tail}</span></button></li>`;
  })}</ul>`;
}

const Laid = ({ set }) => html`<span class=${`laid ${set.gruyere ? "melted" : ""}`} role="img" aria-label=${t("set_points", { set: setName(set), points: set.points })} title=${t("set_points", { set: setName(set), points: set.points })}>
  <${Cheese} card=${set.cheese} /><span class="laid-count">×${set.cards + (set.cheddar ? 1 : 0)}</span>${set.cheddar ? html`<span class="plus">C</span>` : null}${set.gruyere ? html`<span class="plus">G</span>` : null}<b>${set.points}</b>
</span>`;

const Bleus = ({ count }) => html`<span class="laid bleus" role="img" aria-label=${t("bleus", { count, points: -3 * count })}><${Cheese} card="Bleu" /><span class="laid-count">×${count}</span><b>−${3 * count}</b></span>`;

/** The sets of another seat. */
function Small({ view, seat }) {
  if (!view.sets[seat].length && !view.bleus[seat]) return null;
  const brief = view.sets[seat].length + (view.bleus[seat] ? 1 : 0) > 3; // then only their points
  return html`<span class=${`cca-small ${brief ? "brief-sets" : ""}`}>${view.sets[seat].map((set, at) => html`<${Laid} key=${at} set=${set} />`)}${view.bleus[seat] ? html`<${Bleus} count=${view.bleus[seat]} />` : null}</span>`;
}

/** The move that the player probably means by picking these cards, although it is not offered. */
function meant(view, cards) {
  if (view.phase === "upkeep") return { type: "keep", discard: cards };
  if (view.phase !== "laying_down" && view.phase !== "merging") return { type: "cash_in", cards };
  const cheese = cards.at(-1);
  return { type: "lay_down", cheese, cards: cards.filter((card) => card === cheese).length, cheddar: false };
}

/** Whether a card of the hand can be picked for any offered move. */
function pickable({ view, offers }, hand, picked, place) {
  const card = hand[place];
  if (picked.includes(place)) return true;
  return offers.some(({ move, fill }) => {
    if (move === "cash_in") return true;
    if (move === "keep") return picked.length < fill.discard.most;
    if (move === "lay_down") return fill.cheese === card || (fill.cheddar && card === "Cheddar");
    if (move === "melt") return card === "Gruyere";
    if (move === "stand_in") return card === "Cheddar";
    return move === "merge" && view.sets[view.me][fill.onto].cheese === card;
  });
}

function Hand({ table, hand, picked, pick, choices }) {
  const { view, offers, play, attempt, seat } = table;
  const laying = view.phase === "laying_down" || view.phase === "merging";
  const flip = (place) => {
    if (!pickable(table, hand, picked, place)) return attempt(meant(view, [...picked, place].map((one) => hand[one])));
    if (picked.includes(place)) return pick(picked.filter((other) => other !== place));
    if (!laying || picked.length) return pick([...picked, place]);
    return pick(hand.flatMap((card, other) => (card === hand[place] ? [other] : [])));
  };
  const sets = view.sets[seat];
  return html`<div class="cca-hand">
    <div class=${`my-sets ${sets.length > 3 ? "many" : ""}`} data-place="my-sets" role="group" aria-label=${t("your_sets")}>
      ${sets.map((set, at) => {
        const choice = choices.find((one) => one.onto === at);
        if (!choice) return html`<span key=${at} class="my-set"><${Laid} set=${set} /></span>`;
        return html`<button key=${at} class="my-set can" onClick=${() => play(choice.move)}><${Laid} set=${set} /><span class="sr">${choice.text}: ${choice.note}</span></button>`;
      })}
      ${view.bleus[seat] ? html`<span class="my-set"><${Bleus} count=${view.bleus[seat]} /></span>` : null}
    </div>
    <div class="cards">${hand.map((card, place) => {
      const may = offers.length > 0 && pickable(table, hand, picked, place);
      const { points, trade, does } = KINDS[card];
      return html`<button key=${`${card}${place}`} class=${`lot ${may ? "can" : ""} ${picked.includes(place) ? "chosen" : ""}`} data-place=${`card-${card}`} aria-disabled=${!may} aria-pressed=${may ? picked.includes(place) : undefined}
        title=${t("card_is", { card, does })} onClick=${() => flip(place)}><${Card} card=${card} /><span class="sr">${t("hand_card", { picked: picked.includes(place) ? "yes" : "no", card, points, amount: money(trade), does })}</span></button>`;
    })}${hand.length ? null : html`<span class="quiet">${t("hand_empty")}</span>`}</div>
  </div>`;
}

/** CCA-21, CCA-22: what the actions in force add to a bid, and what I have bid already and pay under Feta even if I drop out. */
function costsOf({ actions, auction, me }) {
  return { surcharge: 5 * actions.filter((card) => card === "Roquefort").length, dropCost: actions.includes("Feta") ? (auction?.bids[me] ?? 0) : 0 };
}

/** CCA-19: what giving up the card still costs. */
function giveUpNote({ actions, auction, me }) {
  const count = actions.filter((card) => card === "Bleu").length;
  const pay = actions.includes("Feta") ? t("gives_up_pay", { amount: money(auction.bids[me]) }) : t("gives_up_only");
  return inRow([pay, count ? t("gives_up_bleus", { count, points: 3 * count }) : null]);
}

/** Why the picked cards are no set, and what would make them one. */
function noSetText(cards) {
  const kinds = [...new Set(cards.filter((card) => card !== "Cheddar"))];
  if (kinds.length === 1 && cards.length === 1) return t("add_second", { cheese: kinds[0] });
  return t("need_two");
}

/** What can be done with the picked cards, or with nothing picked. */
function bar(table, { cards, choices, amount, setAmount, card, sure, setSure }) {
  const { view, offers, play, explain } = table;
  if (!offers.length) return null;
  const keep = offered(offers, "keep");
  if (keep) return html`<div class="bid-bar"><${KeepButton} ...${{ table, keep, cards }} /></div>`;
  const present = offered(offers, "present");
  if (present) return html`<${PresentBar} ...${{ present, view, play, explain, amount, setAmount, card }} />`;
  const bid = offered(offers, "bid") ?? offered(offers, "bid_secretly");
  const done = offered(offers, "finish");
  const give = offered(offers, "default");
  const buttons = choices.slice(0, 6).map((choice, at) => html`<button key=${choice.text + choice.note} type="button" aria-keyshortcuts=${at + 1} class=${`can do noted ${choice.note.length < 10 ? "brief" : ""}`} onClick=${() => play(choice.move)}>${choice.text}<span class="sr">: </span><small>${choice.note}</small></button>`);
  if (cards.length && bid && !offered(offers, "bid_secretly")) {
    const single = cards.length === 1 && view.phase === "cheese_auction" && choices.length === 1;
    return html`<div class="bid-bar">${buttons}${single ? html`<span class="quiet">${t("no_action", { card: cards[0] })}</span>` : null}</div>`;
  }
  const drop = offers.some((offer) => offer.move === "drop");
  if (bid || drop) return html`<${BidBar} ...${{ table, offer: bid, chosen: amount, choose: setAmount, ...costsOf(view), ...(bid?.move === "bid_secretly" ? { note: t("bid_secretly") } : {}) }}>${bid ? null : buttons}<//>`;
  return html`<div class="bid-bar">
    ${buttons}
    ${cards.length && !choices.length ? html`<span class="quiet">${noSetText(cards)}</span>` : null}
    ${done && html`<button class="can soft noted" aria-keyshortcuts="f" onClick=${() => play({ type: "finish" })}>${t("done")}<span class="sr">, </span><small>${t("keep_cards")}</small></button>`}
    ${give && html`<button aria-keyshortcuts="g" class=${`can noted ${sure ? "danger" : "soft"}`} onClick=${() => (sure ? play({ type: "default" }) : setSure(true))}>${t(sure ? "give_up_sure" : "give_up")}<span class="sr">: </span><small>${giveUpNote(view)}</small></button>`}
  </div>`;
}

function KeepButton({ table, keep, cards }) {
  const { view, play, attempt } = table;
  const { least, most } = keep.fill.discard;
  const pay = 4 * (view.hand.length - 4 - cards.length);
  if (cards.length < least) {
    const text = t("pick_more", { count: least - cards.length });
    return html`<button aria-disabled="true" onClick=${() => attempt({ type: "keep", discard: cards })}>${text}</button>`;
  }
  const text = t(!cards.length ? "keep_all" : pay ? "throw_and_pay" : "throw", { count: cards.length, amount: money(pay) });
  return html`<button class="can do" aria-keyshortcuts="k" onClick=${() => play({ type: "keep", discard: cards })}>${text}</button>
    <span class="quiet">${cards.length < most ? t("or_pick", { most }) : t("hold_four")}</span>`;
}

function PresentBar({ present, view, play, explain, amount, setAmount, card }) {
  const { price } = present.fill;
  const value = amountIn(price, amount);
  const chosen = card === null ? null : inOrder(view.block)[card];
  const send = () => (chosen ? play({ type: "present", card: chosen, price: value }) : explain(t("choose_first")));
  return html`<div class="bid-bar"><${Amount} blank=${price} value=${value} set=${setAmount} label=${t("starting_price")} threeKey=${null} />
    <button class=${`wordy ${chosen ? "can do" : ""}`} aria-keyshortcuts="s" aria-disabled=${!chosen} onClick=${send}>${chosen ? t("sell_from", { card: chosen, amount: money(value) }) : t("choose_above")}</button></div>`;
}

export function publicOf(view, seat) {
  const office = seat === view.auctioneer ? [{ mark: icons.gavel(), label: t("mark_auctioneer") }] : seat === view.first ? [{ mark: "1", label: t("mark_first") }] : [];
  return [
    { text: money(view.banks[seat]), label: t("in_bank", { amount: money(view.banks[seat]) }) },
    { text: t("cards", { count: view.hands[seat] }), brief: html`<i class="card-mark"></i>${view.hands[seat]}`, label: t("cards_in_hand", { count: view.hands[seat] }) },
    { text: t("pts", { points: view.scores[seat] }), brief: html`<b class="seal">${view.scores[seat]}</b>`, label: t("points", { points: view.scores[seat] }), kind: view.scores[seat] < 0 ? "warn" : "" },
    ...office,
  ];
}

export const points = (view) => ({ label: t("plot_points"), values: view.scores });

const LAYING = ["lay_down", "melt", "merge", "stand_in"];

/** What the page can answer by itself. */
export function automations({ view, seat }) {
  if (view.phase === "over") return [];
  const done = {
    id: "chesterfield done",
    label: t("auto_done"),
    usual: true,
    answer: (offers) => (offered(offers, "finish") && !offers.some((offer) => LAYING.includes(offer.move)) ? { type: "finish" } : null),
  };
  const bidding = view.auction && view.phase !== "silent_auction" && !view.auction.dropped[seat];
  return bidding ? [done, dropAbove(`chesterfield ${view.blocks_left} ${view.block.length} ${view.phase === "auctioneer_auction"}`, view.banks[seat])] : [done];
}

/** How the points came about: the sets of each seat, and its Bleus. */
export function account(view, who, order) {
  const rows = order.map((seat) => ({ seat, sets: view.sets[seat] }));
  return html`<div class="scroll"><table class="cca-account">
    <thead><tr><td></td><th class="pictures">${t("head_sets")}</th><th>${t("head_points")}</th></tr></thead>
    <tbody>${rows.map(({ sets, seat }) => html`<tr key=${seat}><th scope="row">${who(seat)}</th>
      <td class="pictures">${sets.map((set, at) => html`<${Laid} key=${at} set=${set} />`)}${view.bleus[seat] ? html`<${Bleus} count=${view.bleus[seat]} />` : null}${sets.length || view.bleus[seat] ? null : t("no_sets")}</td>
      <td><b>${view.scores[seat]}</b></td></tr>`)}</tbody>
  </table><p class="quiet">${t("account_note")}</p></div>`;
}

/** Every card whose place I know. */
function seenCards(view) {
  const laid = view.sets.flat().flatMap((set) => [...Array(set.cards).fill(set.cheese), ...(set.cheddar ? ["Cheddar"] : []), ...(set.gruyere ? ["Gruyere"] : [])]);
  const bleus = Array(view.bleus.reduce((sum, count) => sum + count, 0)).fill("Bleu");
  return [...view.discard, ...laid, ...bleus, ...(view.hand ?? []), ...view.block, ...view.actions, view.card, ...(view.reserved ?? [])].filter(Boolean);
}

/** The deck with its counts, and what has been seen of it. */
export function reference(view) {
  const seen = seenCards(view);
  return html`<table><thead><tr><td></td><th>${t("head_cheese")}</th><th>${t("head_points")}</th><th>${t("head_worth")}</th><th>${t("head_action")}</th><th>${t("head_seen")}</th></tr></thead><tbody>
    ${Object.entries(KINDS).map(([card, { points, trade, does }]) => html`<tr key=${card}><td><${Cheese} card=${card} /></td><th scope="row">${card}</th><td>${points}</td><td>${money(trade)}</td><td>${does}</td><td class="number">${t("of", { count: seen.filter((one) => one === card).length, all: IN_DECK[card] })}</td></tr>`)}
  </tbody></table><p class="quiet">${t("reference_note")}</p>`;
}

const row = (seat, names, text, delayS, won = null) => html`<li key=${seat} data-seat=${seat} class=${won ? "won" : ""} style=${won}><span>${names(seat)}</span><b><span style=${{ animationDelay: `${delayS}s` }}>${text}</span></b></li>`;

/** Secret bids are turned over one by one from the Auctioneer on, and the winner is marked after the last. */
function secretBids({ secrets, bidder }, view, names) {
  const order = secrets.map((_, step) => ((view.auctioneer ?? 0) + step) % secrets.length).filter((seat) => secrets[seat] !== null && secrets[seat] !== undefined);
  const step = Math.min(600, 1500 / order.length) / 1000;
  const ends = 0.3 + order.length * step;
  const rows = order.map((seat, at) => row(seat, names, money(secrets[seat]), 0.3 + at * step, seat === bidder ? { animationDelay: `${ends}s` } : null));
  return { ms: 700 + Math.min(600 * order.length, 1500), stage: html`<p class="beat-words">${t("the_secret_bids")}</p><ul class="beat-rows">${rows}</ul>` };
}

/** Secret bids are turned over, upkeep is counted out, and the gavel falls before anything goes on. `beat` in games/chesterfield has the same order. */
export function beat(events, view, names) {
  const found = (type) => events.find((event) => event.type === type);
  const [secrets, upkeep, auctioneer] = ["secrets_revealed", "upkeep_revealed", "auctioneer_found"].map(found);
  if (secrets) return secretBids(secrets, view, names);
  if (upkeep?.dollars.some(Boolean)) {
    const paid = (dollars) => (dollars < 0 ? `−${money(-dollars)}` : `+${money(dollars)}`);
    const step = Math.min(0.15, 1.2 / upkeep.dollars.length);
    return { ms: 2000, stage: html`<p class="beat-words">${t("upkeep")}</p><ul class="beat-rows">${upkeep.dollars.flatMap((dollars, seat) => (dollars ? [row(seat, names, paid(dollars), 0.3 + seat * step)] : []))}</ul>` };
  }
  if (found("sold")) return { ms: 1500, stage: html`<${Hammer} /><${Going} />` };
  if (found("unsold")) return { ms: 1500, stage: html`<${Hammer} /><p class="beat-words">${t("any_bids")}</p>` };
  return auctioneer ? { ms: 1500, stage: html`<${Hammer} /><${Going} /><p class="beat-words"><span style=${{ animationDelay: "0.9s" }}>${t("new_auctioneer", { who: names(auctioneer.seat) })}</span></p>` } : null;
}

export function motion({ events, seat, fly, pulse }) {
  const home = (one) => (one === seat ? "hand" : `seat-${one}`);
  let delay = 0;
  for (const event of events) {
    if (event.type === "bid_made") pulse("standing");
    else if (event.type === "presented") fly(html`<${Card} card=${event.card} />`, "block", "under");
    else if (event.type === "action_played") fly(html`<${Card} card=${event.card} />`, event.seat === seat ? `card-${event.card}` : home(event.seat), "forces");
    else if (event.type === "cashed_in") event.cards.forEach((card, at) => fly(html`<${Card} card=${card} />`, event.seat === seat ? `card-${card}` : home(event.seat), "board", { delay: at * 60 }));
    else if (event.type === "sold") {
      fly(html`<${Card} card=${event.card} />`, "under", home(event.seat), { delay, ms: 350 });
      event.payments.forEach((dollars, payer) => dollars && fly(html`<b class="coin">${money(dollars)}</b>`, home(payer), "board", { delay }));
      delay += 200;
    } else if (event.type === "laid") {
      const to = event.seat === seat ? "my-sets" : home(event.seat);
      for (let at = 0; at < event.cards; at++) fly(html`<${Card} card=${event.cheese} />`, event.seat === seat ? `card-${event.cheese}` : "board", to, { delay: at * 60 });
    }
  }
}
