/** Chesterfield: the auction house, with the block, the card under the hammer and the bids climbing in their lanes. */

import { Amount, amountIn, BidBar, Lanes, money, valuesOf, Who, within } from "../bids.js";
import { useChoice } from "../choice.js";
import { html } from "../html.js";
import { Back, Card, Cheese, Hammer, inOrder, KINDS, tradeOf } from "./chesterfield_cards.js";
import { listed, many, setName, words } from "./chesterfield_words.js";

export const css = true;
export { words };

const NOTHING = [];
const offered = (offers, move) => offers.find((offer) => offer.move === move);
const AUCTIONS = ["auctioneer_auction", "choosing", "cheese_auction", "silent_auction", "paying"];

export function render(table) {
  const { view, ask, seat, mini } = table;
  const [picked, pick] = useChoice(ask, NOTHING);
  const [amount, setAmount] = useChoice(ask, null);
  const [card, setCard] = useChoice(ask, null);
  const hand = inOrder(view.hand ?? []);
  const cards = picked.map((place) => hand[place]);
  const choices = seat === null ? [] : choicesFor(table, cards);
  const auction = AUCTIONS.includes(view.phase);
  const board = html`<div class=${`cca ${mini ? "mini" : ""} ${auction ? "" : "counters-shown"}`}>
    ${auction
      ? html`<${Stage} ...${{ table, card, setCard }} /><${Bids} table=${table} />`
      : html`<${Counters} table=${table} />`}
  </div>`;
  const seats = Object.fromEntries(view.hands.map((_, other) => [other, other === seat ? null : html`<${Small} view=${view} seat=${other} />`]));
  return {
    board,
    seats,
    hand: seat === null ? null : html`<${Hand} ...${{ table, hand, picked, pick, choices }} />`,
    bar: bar(table, { cards, choices, amount, setAmount, card }),
  };
}

/** Everything that the picked cards could do now, as moves with their names. */
function choicesFor({ view, offers }, cards) {
  if (!cards.length) return [];
  const sets = view.sets[view.me];
  const all = (cheese) => cards.every((card) => card === cheese);
  return offers.flatMap(({ move, fill }) => {
    if (move === "cash_in") return [{ move: { type: move, cards }, text: `Cash in ${many(cards.length, "card")}: +${money(tradeOf(cards))}` }];
    if (move === "play_action" && cards.length === 1 && valuesOf(fill.card).includes(cards[0])) {
      return [{ move: { type: move, card: cards[0] }, text: `Play: ${KINDS[cards[0]].does}`, main: true }];
    }
    if (move === "lay_down") return layChoices(fill, cards);
    if (move === "merge" && all(sets[fill.onto].cheese) && within(fill.cards, cards.length)) {
      const more = KINDS[cards[0]].points * cards.length;
      return [{ move: { type: move, onto: fill.onto, cards: cards.length }, onto: fill.onto, text: `Add to ${sets[fill.onto].cheese}: +${more}` }];
    }
    if (move === "stand_in" && cards.length === 1 && all("Cheddar")) {
      return valuesOf(fill.onto).map((onto) => ({ move: { type: move, onto }, onto, text: `As ${sets[onto].cheese}: +${KINDS[sets[onto].cheese].points}` }));
    }
    if (move === "melt" && all("Gruyere")) {
      return valuesOf(fill.onto).map((onto) => ({ move: { type: move, onto }, onto, text: `Melt over ${sets[onto].cheese}: +2` }));
    }
    return [];
  });
}

function layChoices({ cheese, cards: blank, cheddar }, cards) {
  const rest = cheddar ? cards.toSpliced(cards.indexOf("Cheddar"), 1) : cards;
  if ((cheddar && !cards.includes("Cheddar")) || !rest.every((card) => card === cheese) || !within(blank, rest.length)) return [];
  const points = KINDS[cheese].points * (cards.length - 1);
  return [{ move: { type: "lay_down", cheese, cards: rest.length, cheddar }, text: `Lay ${cards.length} ${cheese}: ${points} points` }];
}

/** The card under the hammer, what stands, what is in force, and the rest of the block. */
function Stage({ table, card, setCard }) {
  const { view, events, n } = table;
  const fell = events.some((event) => ["presented", "sold", "auctioneer_found"].includes(event.type));
  const choosing = view.phase === "choosing";
  return html`<section class=${`stage ${choosing ? "choosing" : ""}`} aria-label="Under the hammer">
    ${view.card
      ? html`<div class="under" data-place="under"><${Card} card=${view.card} /></div>`
      : choosing
        ? null
        : html`<div class="under"><${Hammer} key=${fell ? n : 0} fell=${fell} /></div>`}
    <${Plaque} table=${table} />
    <${Block} ...${{ table, card, setCard }} />
    ${view.actions.length ? html`<${Forces} table=${table} />` : null}
  </section>`;
}

/** The slate beside the card: what is sold, and the bid that stands. */
function Plaque({ table }) {
  const { view, names } = table;
  const { bid = null, bidder = null } = view.auction ?? {};
  if (view.phase === "choosing") {
    return html`<div class="plaque"><b>${names(view.auctioneer)}</b><span>${view.auctioneer === view.me ? "hold the hammer: what is sold next?" : "holds the hammer and chooses the next card."}</span></div>`;
  }
  const what = view.phase === "auctioneer_auction" ? "For the hammer of this block" : view.card;
  const start = view.price !== null && view.price !== undefined ? `starts at ${money(view.price)}` : "";
  const now =
    view.phase === "paying"
      ? html`<b class="standing">${money(view.owed)}</b><span>${names(bidder) === "You" ? "owed by you, who have" : `owed by ${names(bidder)}, who has`} ${money(view.banks[bidder])}</span>`
      : bid === null
        ? html`<b class="standing">—</b><span>no bid yet${start && `, ${start}`}</span>`
        : html`<b class="standing" data-place="standing">${money(bid)}</b><span>bid by ${names(bidder) === "You" ? "you" : names(bidder)}${start && `; ${start}`}</span>`;
  return html`<div class="plaque"><span class="what">${what}</span>${now}${view.phase === "silent_auction" ? html`<span class="hush">Secret bids</span>` : null}</div>`;
}

/** The cards of the block that are not sold yet; the Auctioneer sees them and puts them up. */
function Block({ table, card, setCard }) {
  const { view, offers, names, explain } = table;
  const may = offered(offers, "present");
  const seen = view.block.some(Boolean);
  if (!view.block.length) return html`<div class="block empty" data-place="block"><span class="block-name">last card of the block</span></div>`;
  const title = view.phase === "choosing" ? "" : view.phase === "auctioneer_auction" ? "the block" : "still to come";
  const no = () => explain(`Only the Auctioneer looks at the block and sells from it${view.auctioneer === null ? "" : `: ${names(view.auctioneer)}`}.`, "CCA-12");
  return html`<div class=${`block ${seen ? "seen" : ""}`} data-place="block">
    ${title && html`<span class="block-name">${title}${seen ? ", seen by you alone" : ""}</span>`}
    <span class="block-cards">${(seen ? inOrder(view.block) : view.block).map((one, at) =>
      may
        ? html`<button key=${at} class=${`lot can ${card === at ? "chosen" : ""}`} aria-pressed=${card === at} onClick=${() => setCard(card === at ? null : at)}><${Card} card=${one} /><span class="sr">${card === at ? "Chosen: sell" : "Sell"} ${one} next, ${KINDS[one].points} points, ${money(KINDS[one].trade)}</span></button>`
        : html`<span key=${at} class="lot" role="img" aria-label=${one ?? "face-down card"} onClick=${no}>${one ? html`<${Card} card=${one} />` : html`<${Back} />`}</span>`,
    )}</span>
    <span class="block-name">${view.blocks_left ? `${many(view.blocks_left, "block")} after this` : "the last block"}</span>
  </div>`;
}

/** Actions that count for this auction. */
function Forces({ table }) {
  const { view, names, explain } = table;
  const kinds = [...new Set(view.actions)];
  const last = view.auction?.last;
  return html`<ul class="forces" aria-label="In force" data-place="forces">${kinds.map((kind) => {
    const count = view.actions.filter((one) => one === kind).length;
    const tail = kind === "Pecorino" && last ? (last.length ? `: then ${last.map(names).join(", ")}` : ": this is the last turn") : "";
    return html`<li key=${kind}><button class="force" onClick=${() => explain(`${kind}: ${KINDS[kind].does}.`, KINDS[kind].rule)}><${Cheese} card=${kind} /><span><b>${kind}${count > 1 ? ` ×${count}` : ""}</b> ${KINDS[kind].short}${tail}</span></button></li>`;
  })}</ul>`;
}

/** Lanes in the order of turns, from the Auctioneer or the first player. */
function Bids({ table }) {
  const { view, seat } = table;
  const { auction } = view;
  const count = view.hands.length;
  const from = view.auctioneer ?? view.first;
  const silent = view.phase === "silent_auction";
  const lanes = [...Array(count).keys()].map((step) => {
    const one = (from + step) % count;
    const dropped = auction?.dropped[one] ?? false;
    const waiting = view.waiting.includes(one);
    const office = one === view.auctioneer ? "holds hammer" : one === view.first && view.auctioneer === null ? "first" : "";
    const note = dropped ? "out" : silent ? (waiting ? "writing…" : one === seat && view.secret !== null ? `sealed ${money(view.secret)}` : "sealed") : auction?.bidder === one ? "highest" : waiting ? (view.phase === "choosing" ? "choosing…" : "thinking…") : office || `has ${money(view.banks[one])}`;
    return { seat: one, room: view.banks[one], bid: auction?.bids[one] ?? null, state: dropped ? "out" : waiting ? "turn" : "", note, mine: one === seat };
  });
  return html`<section class="bids" aria-label="Bids"><${Lanes} lanes=${lanes} standing=${auction?.bidder ?? null} table=${table} /></section>`;
}

/** Between auctions: what everybody has laid, and who is still at it. */
function Counters({ table }) {
  const { view, seat, names } = table;
  const title = { laying_down: "Laying down sets", upkeep: "Upkeep", merging: "The final merge", over: "The auction is over" }[view.phase];
  const best = Math.max(...view.scores);
  return html`<section class="counters-all" aria-label=${title}>
    <h2>${title}</h2>
    <ol class=${`counters n-${view.sets.length}`}>${view.sets.map((sets, one) => html`<li key=${one} class=${one === seat ? "mine" : ""}>
      <span class="counter-head"><${Who} table=${table} seat=${one} /><span class="counter-state">${view.phase === "over" ? "" : view.waiting.includes(one) ? "thinking…" : "✓ done"}</span><b class="counter-points">${view.scores[one]}${view.scores[one] === best && best > 0 ? " ★" : ""}</b></span>
      <span class="counter-sets">${sets.map((set, at) => (view.sets.length > 4 ? html`<${Laid} key=${at} set=${set} />` : html`<${Fan} key=${at} set=${set} />`))}${view.bleus[one] ? html`<${Bleus} count=${view.bleus[one]} />` : null}${!sets.length && !view.bleus[one] ? html`<span class="quiet">${names(one) === "You" ? "You have" : "Has"} laid nothing yet</span>` : null}</span>
    </li>`)}</ol>
    ${view.reserved ? html`<p class="reserved">The Reserved Cheese: ${listed(view.reserved)}</p>` : null}
  </section>`;
}

const Laid = ({ set }) => html`<span class=${`laid ${set.gruyere ? "melted" : ""}`} role="img" aria-label=${`${setName(set)}: ${set.points} points`} title=${`${setName(set)}: ${set.points} points`}>
  <${Cheese} card=${set.cheese} /><span class="laid-count">×${set.cards + (set.cheddar ? 1 : 0)}</span>${set.cheddar ? html`<span class="plus">C</span>` : null}${set.gruyere ? html`<span class="plus">G</span>` : null}<b>${set.points}</b>
</span>`;

/** A set as it lies: its cards, a Cheddar that stands in, a Gruyere across them. */
const Fan = ({ set }) => html`<span class="fan" role="img" aria-label=${`${setName(set)}: ${set.points} points`}>
  ${Array.from({ length: set.cards }, (_, at) => html`<span key=${at} class="fan-card"><${Card} card=${set.cheese} /></span>`)}
  ${set.cheddar ? html`<span class="fan-card"><${Card} card="Cheddar" /></span>` : null}
  ${set.gruyere ? html`<span class="fan-card across"><${Card} card="Gruyere" /></span>` : null}
  <b class="fan-points">${set.points}</b>
</span>`;

const Bleus = ({ count }) => html`<span class="laid bleus" role="img" aria-label=${`${many(count, "Bleu")}: ${-3 * count} points`}><${Cheese} card="Bleu" /><span class="laid-count">×${count}</span><b>−${3 * count}</b></span>`;

/** Sets of another seat in the strip. */
function Small({ view, seat }) {
  if (!view.sets[seat].length && !view.bleus[seat]) return null;
  return html`<span class="cca-small">${view.sets[seat].map((set, at) => html`<${Laid} key=${at} set=${set} />`)}${view.bleus[seat] ? html`<${Bleus} count=${view.bleus[seat]} />` : null}</span>`;
}

const WHY_NOT = {
  auctioneer_auction: ["Wait for your turn to bid. Then you may cash in cards.", "CCA-8"],
  cheese_auction: ["Wait for your turn to bid. Then you may cash in cards or play them.", "CCA-14"],
  silent_auction: ["The auction is silent: one secret bid, and nothing else.", "CCA-23"],
  choosing: ["The next card has to be chosen first.", "CCA-13"],
  paying: ["The winner has to pay first.", "CCA-19"],
  upkeep: ["You do not throw away more than down to four cards.", "CCA-28"],
  merging: ["That fits none of your sets.", "CCA-30"],
  laying_down: ["That makes no set now: it takes two or more of one cheese.", "CCA-26"],
};

/** Whether a card of the hand can be picked for anything. */
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
  const { view, offers, play, explain, seat } = table;
  const laying = view.phase === "laying_down" || view.phase === "merging";
  const flip = (place) => {
    if (!pickable(table, hand, picked, place)) return explain(...(WHY_NOT[view.phase] ?? ["The game is over."]));
    if (picked.includes(place)) return pick(picked.filter((other) => other !== place));
    if (!laying || picked.length) return pick([...picked, place]);
    return pick(hand.flatMap((card, other) => (card === hand[place] ? [other] : [])));
  };
  const sets = view.sets[seat];
  return html`<div class="cca-hand">
    ${sets.length || view.bleus[seat] ? html`<div class="my-sets" data-place="my-sets" role="group" aria-label="Your sets">
      ${sets.map((set, at) => {
        const choice = choices.find((one) => one.onto === at);
        if (!choice) return html`<span key=${at} class="my-set"><${Laid} set=${set} /></span>`;
        return html`<button key=${at} class="my-set can" onClick=${() => play(choice.move)}><${Laid} set=${set} /><span class="sr">${choice.text} points</span></button>`;
      })}
      ${view.bleus[seat] ? html`<span class="my-set"><${Bleus} count=${view.bleus[seat]} /></span>` : null}
    </div>` : null}
    <div class="cards" style=${{ "--n": Math.max(4, hand.length) }}>${hand.map((card, place) => {
      const may = offers.length > 0 && pickable(table, hand, picked, place);
      const { points, trade, does } = KINDS[card];
      return html`<button key=${`${card}${place}`} class=${`lot ${may ? "can" : ""} ${picked.includes(place) ? "chosen" : ""}`} data-place=${`card-${card}`} aria-disabled=${!may} aria-pressed=${may ? picked.includes(place) : undefined}
        title=${`${card}: ${does}`} onClick=${() => flip(place)}><${Card} card=${card} /><span class="sr">${picked.includes(place) ? "Picked: " : ""}${card}, ${points} points, ${money(trade)}; ${does}</span></button>`;
    })}${hand.length ? null : html`<span class="quiet">Your hand is empty.</span>`}</div>
  </div>`;
}

/** What can be done with the picked cards, or with nothing picked. */
function bar(table, { cards, choices, amount, setAmount, card }) {
  const { view, offers, play, explain } = table;
  if (!offers.length) return null;
  const keep = offered(offers, "keep");
  if (keep) return html`<div class="bid-bar"><${KeepButton} ...${{ table, keep, cards }} /></div>`;
  const present = offered(offers, "present");
  if (present) return html`<${PresentBar} ...${{ present, view, play, explain, amount, setAmount, card }} />`;
  const bid = offered(offers, "bid") ?? offered(offers, "bid_secretly");
  const done = offered(offers, "finish");
  const give = offered(offers, "default");
  const buttons = choices.slice(0, 6).map((choice) => html`<button key=${choice.text} class=${`can do ${choice.main ? "wordy" : ""}`} onClick=${() => play(choice.move)}>${choice.text}</button>`);
  if (cards.length && bid && !offered(offers, "bid_secretly")) {
    const single = cards.length === 1 && view.phase === "cheese_auction" && choices.length === 1;
    return html`<div class="bid-bar">${buttons}${single ? html`<span class="quiet">${cards[0]} has no action in an auction.</span>` : null}</div>`;
  }
  const drop = offers.some((offer) => offer.move === "drop");
  if (bid || drop) return html`<${BidBar} ...${{ table, offer: bid, chosen: amount, choose: setAmount, verb: bid?.move === "bid_secretly" ? "Seal" : "Bid" }}>${bid ? null : buttons}</${BidBar}>`;
  return html`<div class="bid-bar">
    ${buttons}
    ${cards.length && !choices.length ? html`<span class="quiet">These make no set together.</span>` : null}
    ${done && html`<button class="can soft" onClick=${() => play({ type: "finish" })}>${cards.length ? "Lay nothing more" : "Done"}</button>`}
    ${give && html`<button class="can soft" onClick=${() => play({ type: "default" })}>Give up the card</button>`}
  </div>`;
}

function KeepButton({ table, keep, cards }) {
  const { view, play, explain } = table;
  const { least, most } = keep.fill.discard;
  const pay = 4 * (view.hand.length - 4 - cards.length);
  if (cards.length < least) {
    const text = `Pick ${many(least - cards.length, "more card")} to throw away`;
    return html`<button aria-disabled="true" onClick=${() => explain(`You have ${money(view.banks[view.me])}, and each card too many costs $4.`, "CCA-28")}>${text}</button>`;
  }
  const text = [cards.length && `Throw away ${cards.length}`, pay && `pay ${money(pay)}`].filter(Boolean).join(", ");
  return html`<button class="can do" onClick=${() => play({ type: "keep", discard: cards })}>${cards.length ? text : `Keep all, ${text}`}</button>
    <span class="quiet">${cards.length < most ? `Or pick up to ${most} to throw away.` : "That is down to four."}</span>`;
}

function PresentBar({ present, view, play, explain, amount, setAmount, card }) {
  const { price } = present.fill;
  const value = amountIn(price, amount);
  const chosen = card === null ? null : inOrder(view.block)[card];
  const send = () => (chosen ? play({ type: "present", card: chosen, price: value }) : explain("Choose a card of the block first.", "CCA-13"));
  return html`<div class="bid-bar"><${Amount} blank=${price} value=${value} set=${setAmount} label="Starting price" />
    <button class=${chosen ? "can do" : ""} aria-disabled=${!chosen} onClick=${send}>${chosen ? `Sell ${chosen} from ${money(value)}` : "Choose a card above"}</button></div>`;
}

export function publicOf(view, seat) {
  const crowded = view.hands.length > 5;
  const office = seat === view.auctioneer ? [{ text: "hammer", label: "Auctioneer of this block" }] : seat === view.first ? [{ text: "first", label: "first player" }] : [];
  return [
    { text: money(view.banks[seat]), label: `${money(view.banks[seat])} in the bank` },
    { text: crowded ? `${view.hands[seat]}c` : many(view.hands[seat], "card"), label: `${many(view.hands[seat], "card")} in hand` },
    { text: `${view.scores[seat]}${crowded ? "p" : " pts"}`, label: `${view.scores[seat]} points`, kind: view.scores[seat] < 0 ? "warn" : "" },
    ...(crowded ? [] : office),
  ];
}

export function account(view, names) {
  return html`<div class="cca-account">${view.sets.map((sets, seat) => html`<p key=${seat}><b>${names(seat)}</b> ${[...sets.map((set) => `${setName(set)} ${set.points}`), ...(view.bleus[seat] ? [`${many(view.bleus[seat], "Bleu")} ${-3 * view.bleus[seat]}`] : [])].join("; ") || "no sets"} = ${view.scores[seat]}</p>`)}</div>`;
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
