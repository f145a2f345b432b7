/** Cheesedog: the pile in the middle, everybody's rows in front of them, my hand by ranks. */

import { Back, Card, countOf, letterOf, rankLetter, rankName, rankOf } from "../cards.js";
import { useChoice } from "../choice.js";
import { html } from "../html.js";

export const css = true;

const DOES = { 2: "any", 7: "skip", 8: "≤ 8", 9: "turn", 10: "clear" };
const FAN = 7; // cards of the pile that are seen

const Face = ({ card, hidden }) => html`<${Card} card=${card} does=${DOES[rankOf(card)]} hidden=${hidden} />`;

/** What may follow, in words. */
function needed(view) {
  if (!view.pile.length) return "anything goes";
  if (view.low) return "8 or lower";
  const top = rankOf(view.pile.at(-1));
  return top === 2 ? "anything goes" : top === 14 ? "ace only" : `${rankName(top)} or higher`;
}

/** Why a rank cannot be played, by which rule. */
function whyNot(view, rank) {
  if (view.low && rank > 8) return [`After an 8 it has to be 8 or lower, or a 2.`, "DOG-8"];
  return [`That is lower than the ${rankName(rankOf(view.pile.at(-1)))} on the pile.`, "DOG-4"];
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
  const seats = Object.fromEntries(view.hands.map((_, other) => [other, other === seat ? null : html`<${Row} view=${view} seat=${other} />`]));
  return { board, seats, hand: seat === null ? null : html`<${Hand} ...${{ table, chosen, choose }} />`, bar: bar(table, chosen) };
}

/** The slate: what the pile asks for, and which way round. */
function Slate({ view }) {
  return html`<div class=${`slate ${view.low ? "low" : ""}`}>
    <span class="asks">${needed(view)}</span>
    <span class="way"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M19 12a7 7 0 1 0-2.5 5.4M19 12l-3-3M19 12l3-3" /></svg>${view.direction === 1 ? "clockwise" : "anticlockwise"}</span>
  </div>`;
}

/** What the special cards do, where there is room to say it. */
function Legend() {
  const lines = [["2", "goes on anything"], ["7", "skips a player"], ["8", "next: 8 or lower"], ["9", "turns the direction"], ["10", "clears the pile"], ["4×", "four alike clear it"]];
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
  const label = count ? `Pile of ${count}, ${rankName(rankOf(view.pile.at(-1)))} on top` : "Empty pile";
  const inside = html`${cards}${count ? html`<span class="count">${count} in the pile</span>` : html`<span class="empty">empty</span>`}`;
  if (pick) {
    const pick = html`<button class="whole can" aria-label=${`Pick up the pile of ${count}`} onClick=${() => play({ type: "pick_up" })}></button>`;
    return html`<div class="pile lit" data-place="pile" role="group" aria-label=${label}>${inside}${pick}</div>`;
  }
  return html`<div class="pile" data-place="pile" role="group" aria-label=${label}>${inside}</div>`;
}

function Discard({ cards }) {
  return html`<div class="discard" data-place="discard" role="group" aria-label=${`${cards.length} cards cleared away`}>
    ${cards.length ? html`<${Back} /><span class="count">${cards.length} cleared</span>` : null}
  </div>`;
}

/** The face-up and face-down cards of another seat, very small. */
function Row({ view, seat }) {
  const ups = [...view.ups[seat]].sort((a, b) => rankOf(a) - rankOf(b));
  const downs = view.downs[seat].filter(Boolean).length;
  if (view.escaped.includes(seat)) return html`<span class="row-of gone">out, and safe</span>`;
  const text = `face up ${ups.map((card) => rankName(rankOf(card))).join(", ") || "none"}, ${downs} face down`;
  return html`<span class="row-of" role="img" aria-label=${text}>
    ${ups.map((card, at) => html`<i key=${at} class=${`chip ${"hd".includes(card[1]) ? "red" : ""}`}>${letterOf(card)}</i>`)}
    <i class="break"></i>
    ${view.downs[seat].map((there, at) => (there ? html`<i key=${`d${at}`} class="chip down" data-place=${`down-${seat}-${at}`}></i>` : null))}
  </span>`;
}

/** In the lobby's window there is no strip of seats: the rows lie on the board. */
function Rows({ table }) {
  return html`<ul class="mini-rows">${table.view.hands.map((count, seat) => html`<li key=${seat} class=${table.view.turn === seat ? "turn" : ""}>
    <b>${table.names(seat)}</b> <span>${count}</span> <${Row} view=${table.view} seat=${seat} />
  </li>`)}</ul>`;
}

function Hand({ table, chosen, choose }) {
  const { view, offers, seat, play, explain } = table;
  const byRank = new Map();
  for (const card of [...view.hand].sort((a, b) => rankOf(a) - rankOf(b))) {
    byRank.set(rankOf(card), [...(byRank.get(rankOf(card)) ?? []), card]);
  }
  const open = new Map(offers.filter((offer) => offer.move === "play").map((offer) => [offer.fill.rank, offer]));
  const click = (rank, cards) => {
    if (!open.has(rank)) {
      if (offers.length && !offers.some((offer) => offer.move === "pick_up")) explain(...whyNot(view, rank));
      else explain(offers.length ? "Nothing you hold fits: pick up the pile." : "It is not your turn.", offers.length ? "DOG-5" : "DOG-3");
    } else if (cards.length === 1) play({ type: "play", rank, count: 1 });
    else choose(chosen === rank ? null : rank);
  };
  return html`<div class="dog-hand">
    <${MyRows} ...${{ view, seat, offers, play, explain }} />
    <div class=${`ranks ${byRank.size > 10 ? "many" : ""}`}>${[...byRank].map(([rank, cards]) => {
      const may = open.has(rank);
      const name = `${rankLetter(rank)}${rank > 10 ? `, ${rankName(rank)}` : ""}`;
      const held = cards.length > 1 ? `, ${cards.length} in hand` : "";
      const what = !may ? "does not fit now" : cards.length > 1 ? "play, choose how many" : "play";
      return html`<button
        key=${rank}
        class=${`rank ${may ? "can" : ""} ${chosen === rank ? "chosen" : ""}`}
        data-place=${`rank-${rank}`}
        data-count=${cards.length > 1 ? cards.length : null}
        data-does=${DOES[rank]}
        aria-disabled=${!may}
        aria-pressed=${may && cards.length > 1 ? chosen === rank : undefined}
        aria-label=${`${name}${held}: ${what}`}
        onClick=${() => click(rank, cards)}
      >${cards.length > 1 ? html`<span class="under" aria-hidden="true"></span>` : null}<${Card} card=${cards[0]} hidden=${true} /></button>`;
    })}</div>
  </div>`;
}

function MyRows({ view, seat, offers, play, explain }) {
  const turn = offers.find((offer) => offer.move === "turn_over");
  const ups = [...view.ups[seat]].sort((a, b) => rankOf(a) - rankOf(b));
  const blind = () => explain("You turn these over when your hand and your face-up cards are gone.", "DOG-15");
  return html`<div class=${`my-rows ${turn ? "big" : ""}`}>
    ${ups.length ? html`<span class="row-name">face up</span>${ups.map((card, at) => html`<span key=${at} class="small"><${Face} card=${card} /></span>`)}` : null}
    ${view.downs[seat].some(Boolean) ? html`<span class="row-name">face down</span>` : null}
    ${view.downs[seat].map((there, place) => {
      if (!there) return null;
      const may = turn?.fill.place.of.includes(place);
      if (!may) return html`<span key=${place} class="small" data-place=${`down-${seat}-${place}`} onClick=${blind}><${Back} /></span>`;
      return html`<button key=${place} class="rank can" data-place=${`down-${seat}-${place}`} aria-label=${`Turn over face-down card ${place + 1}`} onClick=${() => play({ type: "turn_over", place })}><${Back} /></button>`;
    })}
  </div>`;
}

/** How many of the chosen rank; the pile is picked up here too, in reach of the thumb. */
function bar({ offers, play, view }, chosen) {
  if (offers.some((offer) => offer.move === "pick_up")) {
    return html`<button class="can do" onClick=${() => play({ type: "pick_up" })}>Pick up the pile (${view.pile.length})</button>`;
  }
  const offer = offers.find((one) => one.move === "play" && one.fill.rank === chosen);
  if (!offer) return null;
  const { least, most } = offer.fill.count;
  const counts = [...Array(most - least + 1).keys()].map((step) => least + step);
  return html`<div class="counts" role="group" aria-label="How many">
    ${counts.map((count) => html`<button key=${count} class="can do" onClick=${() => play({ type: "play", rank: chosen, count })}>${count === most ? `All ${count}` : count} <span class="sr">of rank ${rankName(chosen)}</span></button>`)}
    <span class="quiet">of rank ${rankLetter(chosen)}</span>
  </div>`;
}

export const publicOf = (view, seat) =>
  view.escaped.includes(seat)
    ? [{ text: `escaped ${view.escaped.indexOf(seat) + 1}.`, label: `escaped as number ${view.escaped.indexOf(seat) + 1}`, kind: "good" }]
    : [{ text: `${view.hands[seat]} card${view.hands[seat] === 1 ? "" : "s"}`, label: `${view.hands[seat]} cards in hand` }];

export const headline = (places, names) => {
  const dog = places.indexOf(Math.max(...places));
  return names(dog) === "You" ? "You are the Cheesedog" : `${names(dog)} is the Cheesedog`;
};

export function account(view, names) {
  const left = view.hands.flatMap((count, seat) => (view.escaped.includes(seat) ? [] : [[seat, count + view.ups[seat].length + view.downs[seat].filter(Boolean).length]]));
  return html`<p>Places are the order of escape${view.escaped.length ? `: ${view.escaped.map(names).join(", ")}` : ""}. ${left.map(([seat, count]) => `${names(seat)}: ${count} card${count === 1 ? "" : "s"} left.`).join(" ")}</p>`;
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

export const words = {
  moves: { play: "Play", pick_up: "Pick up", turn_over: "Turn over" },
  value: (field, value) => {
    if (field === "rank") return rankName(value);
    if (field === "place") return `card ${value + 1}`;
    return typeof value === "string" && /^[2-9TJQKA][cdhs]$/.test(value) ? letterOf(value) : undefined;
  },
  prompt: (offers, view) => {
    if (offers[0].move === "pick_up") return "Nothing fits: pick up the pile.";
    if (offers[0].move === "turn_over") return "Turn over one of your face-down cards.";
    return view.pile.length ? `Your turn: ${needed(view)}.` : "Your turn: start a new pile.";
  },
  offers: {
    play: ({ fill }) => {
      const does = { 2: ", which goes on anything", 7: ": each skips one player", 8: ": the next plays 8 or lower", 9: ": each turns the direction", 10: ": it clears the pile and you play again" };
      const most = fill.count.most ?? fill.count;
      return `Play ${most > 1 ? `one to ${countOf(most, fill.rank)}` : countOf(1, fill.rank)}${does[fill.rank] ?? ""}`;
    },
    pick_up: (_offer, _names, view) => `Pick up the pile of ${view.pile.length}: nothing you have fits`,
    turn_over: () => "Turn over a face-down card and hope that it fits",
  },
  why: {
    play: "Get rid of your cards: play one or more of the same rank, as high as the pile's top card or higher; after an 8, 8 or lower. The lit cards fit.",
    pick_up: "None of your cards fits, so the whole pile comes to your hand and the next player starts a new one.",
    turn_over: "Your hand is gone. Turn over a card blindly: if it does not fit, you take the pile and it.",
  },
  events: {
    dealt: (event, names) => `${names(event.dealer)} dealt.`,
    played: (event, names) => `${names(event.seat)} played ${countOf(event.cards.length, rankOf(event.cards[0]))}.`,
    turned_over: (event, names) => `${names(event.seat)} turned over ${countOf(1, rankOf(event.card))}.`,
    picked_up: (event, names) => `${names(event.seat)} picked up ${event.cards.length} card${event.cards.length === 1 ? "" : "s"}.`,
    cleared: () => "The pile was cleared.",
    demanded: () => "Now 8 or lower.",
    reversed: () => "The direction turned.",
    skipped: (event, names) => `Skipped: ${names(event.seat)}.`,
    took_up: (event, names) => `${names(event.seat)} took up the face-up cards.`,
    escaped: (event, names) => `${names(event.seat)} escaped!`,
    turn_came: () => null,
    ended: (event, names) => `The Cheesedog: ${names(event.result.places.indexOf(Math.max(...event.result.places)))}.`,
  },
};
