/** Cheesedog: the pile in the middle, the rows of each seat, my hand by ranks. */

import { Back, Card, countOf, letterOf, rankLetter, rankName, rankOf } from "../cards.js";
import { inTurn } from "../beats.js";
import { useChoice } from "../choice.js";
import { html } from "../html.js";
import { keepInside } from "../inside.js";
import { capital, ordinal } from "../words.js";
import { texts } from "../messages/en/cheesedog.js";
import { inRow, translator } from "../messages.js";

const t = translator(texts);

const DOES = { 2: t("does_2"), 7: t("does_7"), 8: t("does_8"), 9: t("does_9"), 10: t("does_10") };
const ALL_RANKS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];
const FAN = 7; // cards of the pile that are drawn

const Face = ({ card, hidden }) => html`<${Card} card=${card} does=${DOES[rankOf(card)]} hidden=${hidden} about=${aboutRank(rankOf(card))} />`;

/** What a rank does, in full. */
const EFFECTS = { 2: t("effect_2"), 7: t("effect_7"), 8: t("effect_8"), 9: t("effect_9"), 10: t("effect_10") };
const aboutRank = (rank) => t("about_rank", { rank: capital(rankName(rank)), effect: EFFECTS[rank] ?? t("no_effect") });

/** What is on top of the pile; `low` in the view means that an 8 demands 8 or lower. */
function topOf(view) {
  if (!view.pile.length) return t("new_pile");
  return view.low ? t("eight_or_lower") : t("on_top", { rank: rankName(rankOf(view.pile.at(-1))) });
}

export function render(table) {
  const { view, offers, ask, seat, mini } = table;
  const [chosen, choose] = useChoice(ask, null);
  const pick = offers.find((offer) => offer.move === "pick_up");
  const board = html`<div class=${`dog ${view.direction === 1 ? "" : "turned"} ${mini ? "mini" : ""}`}>
    <${Slate} view=${view} />
    ${mini ? null : html`<${Legend} />`}
    <${Pile} ...${{ table, pick }} />
    <${Discard} cards=${view.discard} />
    ${mini ? html`<${Rows} table=${table} />` : null}
  </div>`;
  const next = nextSeat(view);
  const seats = Object.fromEntries(view.hands.map((_, other) => [other, other === seat ? null : html`<${Row} view=${view} seat=${other} />`]));
  return { board, seats, next, hand: seat === null ? null : html`<${Hand} ...${{ table, chosen, choose }} />`, bar: bar(table) };
}

/** The seat after the one whose turn it is, if nobody is skipped. */
function nextSeat({ hands, escaped, turn, direction, result }) {
  if (result || turn === null) return null;
  const count = hands.length;
  const order = hands.map((_, step) => (((turn + direction * (step + 1)) % count) + count) % count);
  return order.find((seat) => !escaped.includes(seat) && seat !== turn) ?? null;
}

/** The slate: the top of the pile, and the direction of play. */
function Slate({ view }) {
  return html`<div class=${`slate ${view.low ? "low" : ""}`}>
    <span class="asks">${topOf(view)}</span>
    <span class="way"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M19 12a7 7 0 1 0-2.5 5.4M19 12l-3-3M19 12l3-3" /></svg>${view.direction === 1 ? t("clockwise") : t("anticlockwise")}</span>
  </div>`;
}

/** What the special cards do, if there is room for it. */
function Legend() {
  const lines = [["2", t("legend_2")], ["7", t("legend_7")], ["8", t("legend_8")], ["9", t("legend_9")], ["10", t("legend_10")], ["4×", t("legend_4")]];
  return html`<dl class="legend">${lines.map(([card, does]) => html`<div key=${card}><dt>${card}</dt><dd>${does}</dd></div>`)}</dl>`;
}

function Pile({ table, pick }) {
  const { view, events, play } = table;
  const count = view.pile.length;
  const from = Math.max(0, count - FAN);
  const brought = events.filter((event) => event.type === "played" || event.type === "turned_over");
  const fresh = brought.reduce((sum, event) => sum + (event.cards?.length ?? 1), 0);
  const cards = view.pile.slice(from).map((card, at) => {
    const place = from + at;
    const tilt = ((place * 37) % 15) - 7;
    const isNew = place >= view.pile.length - fresh;
    return html`<span key=${`${place}${card}`} class=${`lying ${isNew ? "new" : ""}`} style=${{ "--at": at - Math.min(view.pile.length, FAN) / 2, "--tilt": `${tilt}deg` }}><${Face} card=${card} hidden=${place < count - 1} /></span>`;
  });
  const label = count ? t("pile_of", { count, rank: rankName(rankOf(view.pile.at(-1))) }) : t("empty_pile");
  const inside = html`<i class="flow" aria-hidden="true"></i><i class="flow below" aria-hidden="true"></i>${cards}${count ? html`<span class="count">${t("in_pile", { count })}</span>` : html`<span class="empty">${t("empty")}</span>`}`;
  if (pick) {
    const pick = html`<button class="whole can" aria-label=${t("pick_up_pile", { count })} onClick=${() => play({ type: "pick_up" })}></button>`;
    return html`<div class="pile lit" data-place="pile" role="group" aria-label=${label}>${inside}${pick}</div>`;
  }
  return html`<div class="pile" data-place="pile" role="group" aria-label=${label}>${inside}</div>`;
}

function Discard({ cards }) {
  return html`<div class="discard" data-place="discard" role="group" aria-label=${t("cards_cleared", { count: cards.length })}>
    ${cards.length ? html`<${Back} /><span class="count">${t("cleared_count", { count: cards.length })}</span>` : null}
  </div>`;
}

/** The face-up and face-down cards of another seat, very small. */
function Row({ view, seat }) {
  const ups = [...view.ups[seat]].sort((a, b) => rankOf(a) - rankOf(b));
  const downs = view.downs[seat].filter(Boolean).length;
  if (view.escaped.includes(seat)) return html`<span class="row-of gone">${t("out_safe")}</span>`;
  const text = t("row", { cards: inRow(ups.map((card) => rankName(rankOf(card)))) || t("none"), downs });
  return html`<span class="row-of" role="img" aria-label=${text}>
    ${ups.map(chipOf)}
    <i class="break"></i>
    ${view.downs[seat].map((there, at) => (there ? html`<i key=${`d${at}`} class="chip down" data-place=${`down-${seat}-${at}`}></i>` : null))}
  </span>`;
}

/** The rows of all seats on the board: the lobby's window has no strip of seats. */
function Rows({ table }) {
  return html`<ul class="mini-rows">${table.view.hands.map((count, seat) => html`<li key=${seat} class=${table.view.turn === seat ? "turn" : ""}>
    <b>${table.names(seat)}</b> <span>${count}</span> <${Row} view=${table.view} seat=${seat} />
  </li>`)}</ul>`;
}

/** My hand: a fixed place for every rank, so that no card moves when another is played. */
function Hand({ table, chosen, choose }) {
  const { view, offers, seat, play, attempt } = table;
  const turn = offers.find((offer) => offer.move === "turn_over");
  const open = new Map(offers.filter((offer) => offer.move === "play").map((offer) => [offer.fill.rank, offer]));
  const click = (rank, cards) => {
    if (!open.has(rank)) attempt({ type: "play", rank, count: 1 });
    else if (cards.length === 1) play({ type: "play", rank, count: 1 });
    else choose(chosen === rank ? null : rank);
  };
  return html`<div class="dog-hand">
    <${MyRows} ...${{ view, seat, attempt, turn }} />
    ${turn ? html`<${TurnOver} ...${{ view, seat, play, turn }} />` : html`<div class="ranks">${ALL_RANKS.map((rank) => {
      const cards = view.hand.filter((card) => rankOf(card) === rank);
      if (!cards.length) return html`<span key=${rank} class="no-rank" aria-hidden="true">${rankLetter(rank)}</span>`;
      const may = open.has(rank);
      const name = rank > 10 ? t("letter_and_rank", { letter: rankLetter(rank), rank: rankName(rank) }) : rankLetter(rank);
      const what = !may ? "not" : cards.length > 1 ? "many" : "one";
      return html`<span key=${rank} class="place"><button
        class=${`rank ${may ? "can" : ""} ${chosen === rank ? "chosen" : ""}`}
        data-place=${`rank-${rank}`}
        data-count=${cards.length > 1 ? cards.length : null}
        data-does=${DOES[rank]}
        aria-disabled=${!may}
        aria-keyshortcuts=${rank === 10 ? "0" : rankLetter(rank).toLowerCase()}
        aria-expanded=${may && cards.length > 1 ? chosen === rank : undefined}
        aria-label=${t("card_label", { name, held: cards.length, what })}
        onClick=${() => click(rank, cards)}
      >${cards.length > 1 ? html`<span class="under" aria-hidden="true"></span>` : null}<${Card} card=${cards[0]} hidden=${true} about=${aboutRank(rank)} /></button>
      ${chosen === rank && may ? html`<${Counts} view=${view} offer=${open.get(rank)} play=${play} />` : null}</span>`;
    })}</div>`}
  </div>`;
}

/** How many cards of the chosen rank to play: opens at the card. */
function Counts({ view, offer, play }) {
  const { rank, count } = offer.fill;
  const alike = rankOf(view.pile.at(-1) ?? "") === rank ? runOf(view.pile) : 0; // DOG-11
  const clears = (one) => rank !== 10 && alike + one >= 4;
  const counts = [...Array(count.most - count.least + 1).keys()].map((step) => count.least + step);
  return html`<span class="counts popover" ref=${keepInside} role="group" aria-label=${t("how_many", { rank: rankName(rank) })}>
    ${counts.map((one) => html`<button key=${one} class="can do" aria-keyshortcuts=${one} onClick=${() => play({ type: "play", rank, count: one })}>${countLabel(one, one === count.most)}<span class="sr"> ${t("of_rank", { rank: rankName(rank) })}</span>${clears(one) ? html`<span class="sr">: </span><small>${t("clears")}</small>` : null}</button>`)}
  </span>`;
}

/** "1", "both", "all three". */
const countLabel = (count, all) => (all ? t("all", { count }) : `${count}`);

/** My face-up and face-down cards, small. */
function MyRows({ view, seat, attempt, turn }) {
  const ups = [...view.ups[seat]].sort((a, b) => rankOf(a) - rankOf(b));
  return html`<div class="my-rows">
    <span class="my-row" role="group" aria-label=${t("your_ups", { count: ups.length })}>${ups.map((card, at) => html`<span key=${at} class="small"><${Face} card=${card} /></span>`)}</span>
    <span class="my-row">${view.downs[seat].map((there, place) => (there ? html`<span key=${place} class="small" data-place=${turn ? null : `down-${seat}-${place}`} onClick=${() => attempt({ type: "turn_over", place })}><${Back} /></span>` : html`<i key=${place} class="small"></i>`))}</span>
  </div>`;
}

/** My face-down cards, large, once they are all that I have. */
function TurnOver({ view, seat, play, turn }) {
  return html`<div class="turn-over">${view.downs[seat].map((there, place) => {
    const may = there && turn.fill.place.of.includes(place);
    if (!may) return html`<span key=${place} class="no-rank" aria-hidden="true"></span>`;
    return html`<button key=${place} class="rank can" data-place=${`down-${seat}-${place}`} aria-label=${t("turn_over_card", { number: place + 1 })} onClick=${() => play({ type: "turn_over", place })}><${Back} /></button>`;
  })}</div>`;
}

function bar({ offers, play, view }) {
  if (!offers.some((offer) => offer.move === "pick_up")) return null;
  return html`<button class="can do" aria-keyshortcuts="p" onClick=${() => play({ type: "pick_up" })}>${t("pick_up_count", { count: view.pile.length })}<span class="sr"> ${t("pick_up_rest")}</span></button>`;
}

/** "1st", "2nd", ... */
const brief = (place) => t("brief_place", { place });

export const publicOf = (view, seat) =>
  view.escaped.includes(seat)
    ? [{ text: brief(view.escaped.indexOf(seat) + 1), label: t("escaped_as", { place: ordinal(view.escaped.indexOf(seat) + 1) }), kind: "good" }]
    : [cardsOf(view, seat)];

/** How many cards a seat holds; once its hand is empty, how many lie before it. */
function cardsOf(view, seat) {
  const [count, ups, downs] = [view.hands[seat], view.ups[seat].length, view.downs[seat].filter(Boolean).length];
  if (count) return { text: t("cards", { count }), brief: count, label: t("cards_in_hand", { count }), kind: "held" };
  return { text: t("cards_lying", { count: ups + downs }), brief: "–", kind: "held", label: t("no_hand", { ups, downs }) };
}

/** What the plot of a replay shows: the cards that each seat still has to lose. */
export const points = (view) => ({ label: t("cards_left"), values: view.hands.map((count, seat) => count + view.ups[seat].length + view.downs[seat].filter(Boolean).length) });

export const headline = (places, names) => {
  const dog = places.indexOf(Math.max(...places));
  return t("is_dog", { who: names(dog) });
};

/** A seat shows how many cards are in its hand, so the result says it too where more are left. */
const leftText = (count, held) => (held && held < count ? t("left_in_hand", { count, held }) : t("left", { count }));

/** How the game went: the order of escape, and the cards with which the Cheesedog was left. */
export function account(view, who, order) {
  const left = (seat) => view.hands[seat] + view.ups[seat].length + view.downs[seat].filter(Boolean).length;
  const how = (seat) => {
    const at = view.escaped.indexOf(seat);
    if (at >= 0) return t("escaped_as", { place: ordinal(at + 1) });
    return html`<span class="left-backs" aria-hidden="true">${Array.from({ length: Math.min(8, left(seat)) }, (_, at) => html`<${Back} key=${at} />`)}</span> ${leftText(left(seat), view.hands[seat])}`;
  };
  return html`<div class="scroll"><span class="the-dog"><${Dog} /></span><table class="dog-account"><tbody>${order.map((seat) => html`<tr key=${seat}><th scope="row">${who(seat)}</th><td class="pictures">${how(seat)}</td></tr>`)}</tbody></table></div>`;
}

/** The ranks, what they do, and how many of their eight cards have been seen. */
export function reference(view) {
  const seen = [...view.pile, ...view.discard, ...view.ups.flat(), ...(view.hand ?? [])];
  return html`<table><thead><tr><th>${t("head_rank")}</th><th>${t("head_does")}</th><th>${t("head_seen")}</th></tr></thead><tbody>
    ${ALL_RANKS.map((rank) => html`<tr key=${rank}><th scope="row">${rankName(rank)}</th><td>${EFFECTS[rank] ?? ""}</td><td class="number">${t("of_8", { count: seen.filter((card) => rankOf(card) === rank).length })}</td></tr>`)}
  </tbody></table><p class="quiet">${t("reference_note")}</p>`;
}

/** The beat of hidden cards: each is turned slowly, with what lies on top until then, before the page says what became of it. */
export function beat(events, view, names) {
  const beats = [];
  let pile = view;
  for (const { type, seat, card, cards } of events) {
    if (type === "turned_over") {
      const stage = html`<p class="beat-words">${t("hidden_card", { who: names(seat) })}</p><p>${topOf(pile)}</p><span class="beat-card"><span><${Back} /><${Face} card=${card} hidden=${true} /></span></span>`;
      beats.push({ ms: beats.length ? 1500 : 1700, stage });
    }
    if (type === "demanded") pile = { ...pile, low: true };
    else if (type === "cleared" || type === "picked_up") pile = { pile: [], low: false };
    else if (type === "played" || type === "turned_over") pile = { pile: cards ?? [card], low: false };
  }
  return inTurn(beats);
}

const Dog = () => html`<svg viewBox="0 0 64 56" aria-hidden="true"><path d="M14 16Q6 8 3 18q-2 12 8 14zM50 16q8-8 11 2 2 12-8 14z" fill="#6b4527" /><path d="M12 18Q32 4 52 18q4 22-8 30-12 8-24 0Q8 40 12 18z" fill="#c58b4e" /><ellipse cx="32" cy="40" rx="13" ry="10" fill="#f6ead0" /><circle cx="23" cy="26" r="3" fill="#2b2118" /><circle cx="41" cy="26" r="3" fill="#2b2118" /><path d="M27 35h10l-5 5z" fill="#2b2118" /><path d="M32 40v4M26 45q6 5 12 0" fill="none" stroke="#2b2118" stroke-width="2" /></svg>`;

/** An escape is celebrated, and the Cheesedog gets its dog. */
export function cheer(events, names) {
  const [ended, escaped] = ["ended", "escaped"].map((type) => events.find((event) => event.type === type));
  const free = escaped ? t("cheer_escaped", { who: names(escaped.seat) }) : null;
  return ended ? html`${free ? html`<span class="cheer-first">${free}</span>` : null}<${Dog} />${t("ended", { headline: headline(ended.result.places, names) })}` : free;
}

export function motion({ events, seat, fly }) {
  let delay = 0;
  for (const event of events) {
    const home = event.seat === seat ? "hand" : `seat-${event.seat}`;
    if (event.type === "played") {
      const from = event.seat === seat ? `rank-${rankOf(event.cards[0])}` : home;
      event.cards.forEach((card, at) => fly(html`<${Face} card=${card} />`, from, "pile", { delay: delay + at * 60 }));
      delay += 240;
    } else if (event.type === "turned_over") {
      fly(html`<${Face} card=${event.card} />`, `down-${event.seat}-${event.place}`, "pile", { delay });
      delay += 320;
    } else if (event.type === "picked_up") {
      event.cards.slice(-5).forEach((card, at) => fly(html`<${Face} card=${card} />`, "pile", home, { delay: delay + at * 40, ms: 350 }));
      delay += 240;
    } else if (event.type === "cleared") {
      for (let at = 0; at < 4; at++) fly(html`<${Back} />`, "pile", "discard", { delay: delay + at * 40, ms: 350 });
      delay += 200;
    }
  }
}

/** A card of the log or of a row, very small. */
const chipOf = (card, at) => html`<i key=${at} data-about=${aboutRank(rankOf(card))} class=${`chip ${"hd".includes(card[1]) ? "red" : ""}`}>${letterOf(card)}</i>`;
const newPile = (_event, _names, known) => (known.going ? null : t("heading_pile"));

/** How many cards of one rank lie in a row on top of the pile. */
function runOf(pile) {
  const top = rankOf(pile.at(-1));
  return pile.length - 1 - pile.findLastIndex((card) => rankOf(card) !== top);
}
const ofRank = (view, rank) => view.hand.filter((card) => rankOf(card) === rank).length;
const fitsNow = ({ pile, low }, rank) => rank === 2 || !pile.length || (low ? rank <= 8 : rank >= rankOf(pile.at(-1)));

/** Each tip with the situation in which it is true. */
const tips = [
  { id: "turn_over", when: (offered) => offered("turn_over"), text: () => t("tip_turn_over") },
  { id: "pick_up", when: (offered) => offered("pick_up"), text: () => t("tip_pick_up") },
  {
    id: "four",
    when: (offered, view) => offered("play") && view.pile.length > 0 && runOf(view.pile) < 4 && fitsNow(view, rankOf(view.pile.at(-1))) && ofRank(view, rankOf(view.pile.at(-1))) >= 4 - runOf(view.pile),
    text: (view) => t("tip_four", { cards: countOf(4 - runOf(view.pile), rankOf(view.pile.at(-1))) }),
  },
  { id: "low", when: (offered, view) => offered("play") && view.low && view.pile.length > 0, text: () => t("tip_low") },
  { id: "new_pile", when: (offered, view) => offered("play") && !view.pile.length, text: () => t("tip_new_pile") },
  { id: "two", when: (offered, view) => offered("play") && view.pile.length > 0 && view.hand.every((card) => rankOf(card) === 2 || !fitsNow(view, rankOf(card))), text: () => t("tip_two") },
  { id: "ten", when: (offered, view) => offered("play") && view.pile.length > 0 && ofRank(view, 10) > 0 && fitsNow(view, 10), text: () => t("tip_ten") },
  { id: "play", when: (offered, view) => offered("play") && view.pile.length > 0 && !view.low, text: () => t("tip_play") },
];

/** What the log needs to know of earlier events: whether the pile has begun, and how many 9s turn the direction, which is told once. */
function remember(known, { type, cards }) {
  if (type === "played") return { going: true, nines: cards.length };
  if (type === "turned_over") return { going: true, nines: 1 };
  if (type === "reversed") return { ...known, turned: true };
  return type === "cleared" || type === "picked_up" ? {} : known;
}

export const words = {
  tips,
  remember,
  headings: { played: newPile, turned_over: newPile },
  pictures: { played: (event) => event.cards.map(chipOf), turned_over: (event) => chipOf(event.card, 0) },
  chapters: ["escaped", "cleared", "ended"],
  moves: { play: t("move_play"), pick_up: t("move_pick_up"), turn_over: t("move_turn_over") },
  value: (field, value) => {
    if (field === "rank") return rankName(value);
    if (field === "place") return t("card_number", { number: value + 1 });
    return typeof value === "string" && /^[2-9TJQKA][cdhs]$/.test(value) ? letterOf(value) : undefined;
  },
  prompt: (offers, view) => {
    if (offers[0].move === "pick_up") return t("prompt_pick_up", { count: view.pile.length });
    if (offers[0].move === "turn_over") return view.pile.length ? t("prompt_turn_over", { top: topOf(view) }) : t("prompt_turn_any");
    return view.pile.length ? t("prompt_play", { top: topOf(view) }) : t("prompt_new");
  },
  offers: {
    play: ({ fill }) => {
      const most = fill.count.most ?? fill.count;
      return t(most > 1 ? "offer_play_many" : "offer_play", { cards: countOf(most, fill.rank), rank: fill.rank });
    },
    pick_up: (_offer, _names, view) => t("offer_pick_up", { count: view.pile.length }),
    turn_over: () => t("offer_turn_over"),
  },
  events: {
    dealt: (event, names) => t("dealt", { who: names(event.dealer) }),
    played: (event, names) => t("played", { who: names(event.seat), cards: countOf(event.cards.length, rankOf(event.cards[0])) }),
    turned_over: (event, names) =>
      event.by_itself ? t("turned_by_itself", { who: names(event.seat), card: countOf(1, rankOf(event.card)) }) : t("turned_over", { who: names(event.seat), card: countOf(1, rankOf(event.card)) }),
    picked_up: (event, names) => t("picked_up", { who: names(event.seat), count: event.cards.length }),
    cleared: () => t("cleared"),
    demanded: () => t("demanded"),
    reversed: (_event, _names, known) => (known.turned ? null : t(known.nines % 2 ? "reversed" : "reversed_twice")),
    skipped: (event, names) => t("skipped", { who: names(event.seat) }),
    took_up: (event, names) => t("took_up", { who: names(event.seat) }),
    escaped: (event, names) => t("escaped", { who: names(event.seat) }),
    turn_came: () => null,
    ended: (event, names) => t("ended", { headline: headline(event.result.places, names) }),
  },
};
