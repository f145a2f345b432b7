/** Cheesonomics: the market's wheels, the tray with its knives, and everybody's cheese. */

import { useChoice } from "../choice.js";
import { html } from "../html.js";
import { fits } from "../offers.js";
import { Counter, DISCARD, hasCounter, ownChosen, takings } from "./cheesonomics_counter.js";
import { ANIMALS, animalOf, COLOURS, colourOf, countName, has, kindName, Knife, MarketWheel, marketName, Side, sideName, sidesOf, STATES, TraitIcon, traitName, TwoSides, Wedge, wedgeName } from "./cheesonomics_pieces.js";
import { curds, many, priceChange, words, worth } from "./cheesonomics_words.js";
import { texts } from "../messages/en/cheesonomics.js";
import { inRow, translator } from "../messages.js";

const t = translator(texts);

export { words };
export { beat, motion } from "./cheesonomics_motion.js";
export { reference } from "./cheesonomics_reference.js";

const NOTHING = { trait: null, held: null, picked: [], to: null, own: null, place: null, from: null, taken: null, swap: null }; // nothing is chosen that I have not chosen
const MOST_SMALL = 12; // wedges of another seat that are drawn in the strip of seats
const TRAITS = [...COLOURS, ...ANIMALS];

export function render(table) {
  const { view, seat, mini, ask, offers } = table;
  const [choice, choose] = useChoice(ask, NOTHING);
  const by = (move) => offers.filter((offer) => offer.move === move);
  const game = { ...table, choice, choose: (next) => choose({ ...NOTHING, ...next }), by };
  const board = html`<div class=${`eco ${mini ? "mini" : ""}`}>
    <${Market} game=${game} />
    <${Tray} game=${game} />
    ${hasCounter(game) ? html`<${Counter} game=${game} />` : null}
  </div>`;
  const seats = view.wheels.map((_, other) => html`<${Others} ...${{ view, other }} />`);
  const next = view.phase.type === "over" ? null : (view.turn + 1) % view.wheels.length;
  return { board, seats, next, hand: seat === null ? null : html`<${Mine} game=${game} />`, bar: seat === null || view.phase.type === "over" ? null : html`<${Do} game=${game} />` };
}

/** Three wheels of five, the prices that they make, and the pile. */
function Market({ game }) {
  const { view, events, moving } = game;
  const flipped = moving ? (events.find((event) => event.type === "flipped" || event.type === "replaced")?.place ?? null) : null;
  return html`<section class="market" data-place="market" aria-label=${t("market")}>
    <div class="market-wheels">${[0, 5, 10].map((first, at) => {
      const sides = view.market.slice(first, first + 5);
      const label = t("market_wheel", { number: at + 1, sides: inRow(sides.map(sideName)) });
      return html`<div key=${first} class="market-place"><${MarketWheel} ...${{ sides, first, flipped, label, backs: game.known?.backs }} />${sides.map((side, place) => html`<${Target} key=${place} ...${{ game, side, place: first + place, at: place }} />`)}</div>`;
    })}</div>
    <ul class="prices" aria-label=${t("prices")}>${COLOURS.map((colour, at) => html`<li key=${colour} aria-label=${t("price", { colour: traitName(colour), curds: curds(view.prices[at]) })} title=${STATES[colour]} class=${view.prices[at] ? "" : "none"} data-place=${`price-${colour}`}>
      <${TraitIcon} trait=${colour} /><b>${view.prices[at]}</b>
    </li>`)}<li class="stack" data-place="pile" aria-label=${t("left_in_pile", { count: view.pile })}><span class="stack-icon"><${Wedge} /></span><b>${view.pile}</b><small>${t("left")}</small></li></ul>
  </section>`;
}

/** A wedge of the market that can be flipped or replaced now. */
function Target({ game, side, place, at }) {
  const { by, attempt, choice, choose } = game;
  const flip = by("flip")[0];
  const replace = by("replace");
  if (!flip && !replace.length) return null;
  const { own } = choice;
  const chosen = choice.place === place;
  const may = (flip ?? replace[0]).fill.place.of.includes(place);
  const turn = ((at * 72 + 36 - 90) * Math.PI) / 180;
  const where = { left: `${50 + 33 * Math.cos(turn)}%`, top: `${50 + 33 * Math.sin(turn)}%` };
  const act = () => {
    if (!may) attempt(flip ? { type: "flip", place } : { type: "replace", place, ...(own ?? { wedge: replace[0].fill.wedge, up: sidesOf(replace[0].fill.wedge)[0] }) });
    else choose({ own, place: chosen ? null : place });
  };
  const verb = flip ? t("flip_side", { side: sideName(side) }) : own ? t("replace_side", { side: sideName(side), by: sideName(own.up) }) : t("replace_that", { side: sideName(side) });
  return html`<button class=${`target ${may && !chosen ? "can" : ""} ${chosen ? "chosen" : ""}`} style=${where} aria-disabled=${!may} aria-pressed=${may ? chosen : undefined} aria-label=${t(chosen ? "target_chosen" : "target", { verb, wheel: Math.floor(place / 5) + 1, number: at + 1 })} onClick=${act}></button>`;
}

/** Ten spaces, one for each colour and each animal; a knife keeps its space from being churned. */
function Tray({ game }) {
  const { view, choice, choose, by, names, attempt } = game;
  const churn = by("churn")[0]?.fill.trait.of ?? [];
  const produce = by("produce")[0]?.fill.trait.of ?? [];
  return html`<section class="tray" aria-label=${t("tray")}>${TRAITS.map((trait) => {
    const owner = view.tray.indexOf(trait);
    const may = churn.includes(trait) || produce.includes(trait);
    const named = view.phase.trait === trait;
    const label = owner >= 0 ? t("space_knife", { trait: traitName(trait), who: names(owner), knife: view.knives[owner] }) : traitName(trait);
    return html`<button
      key=${trait}
      class=${`space ${may ? "can" : ""} ${named ? "named" : ""}`}
      data-place=${`space-${trait}`}
      aria-disabled=${!may}
      aria-pressed=${may ? choice.trait === trait : undefined}
      aria-label=${!may ? label : choice.trait === trait ? t("space_named", { space: label }) : t("space_name", { space: label })}
      onClick=${() => (may ? choose({ trait: choice.trait === trait ? null : trait }) : attempt({ type: "churn", trait }))}
    ><${TraitIcon} trait=${trait} />${owner >= 0 ? html`<${Knife} /><span class="space-name owner">${names(owner)}</span>` : html`<span class="space-name">${traitName(trait)}</span>`}</button>`;
  })}</section>`;
}

/** What another seat has in its wheels, small. */
function Others({ view, other }) {
  const wheels = view.wheels[other];
  const text = wheels.length ? inRow(wheels.map((wedge) => wedgeName(wedge, view.sharp))) : t("nothing");
  const most = wheels.length > MOST_SMALL ? MOST_SMALL - 1 : MOST_SMALL;
  return html`<span class=${`small-wheels ${wheels.length > 6 ? "many" : ""}`} role="img" aria-label=${t("in_wheels", { wedges: text })}>${wheels.slice(0, most).map((wedge, at) => html`<${Wedge} key=${at} wedge=${wedge} sharp=${view.sharp} />`)}${wheels.length > most ? html`<b>+${wheels.length - most}</b>` : null}${wheels.length ? null : html`<i class="bare">${t("no_cheese")}</i>`}</span>`;
}

/** My hand, my wheels, and in the sharp version my market wedges. */
function Mine({ game }) {
  const { view, seat } = game;
  return html`<div class=${`eco-mine ${view.sharp ? "sharp" : ""} at-${view.phase.type}`}>
    <div class="mine-row hand-row"><span class="row-label">${t("row_hand")}</span><div class="wedges" data-place="my-hand">${view.hand.map((wedge, at) => html`<${Held} key=${at} ...${{ game, wedge, at }} />`)}</div></div>
    <div class="mine-row wheels-row"><span class="row-label">${t("row_wheels")}</span><div class="wedges" data-place="my-wheels">
      ${view.wheels[seat].map((wedge, at) => html`<${Laid} key=${at} ...${{ game, wedge, at }} />`)}
      ${view.wheels[seat].length || view.phase.type === "over" ? null : html`<span class="quiet bare">${t("nothing_yet")}</span>`}
    </div></div>
    ${view.sharp ? html`<div class="mine-row supply-row"><span class="row-label">${t("row_market")}</span><div class="wedges" data-place="my-supply">${view.supply.map((wedge, at) => html`<${Supply} key=${at} ...${{ game, wedge }} />`)}</div></div>` : null}
  </div>`;
}

/** A wedge in my hand: a click chooses it to be given, to be given back, or its kind to be produced. */
function Held({ game, wedge, at }) {
  const { view, by, choice, choose, names, attempt } = game;
  const name = wedgeName(wedge, view.sharp);
  const give = by("give")[0]?.fill.wedge.of.includes(wedge);
  const back = by("give_back")[0];
  const to = back && (choice.to ?? back.fill.seat.of[0]);
  const produce = by("produce").length > 0;
  const may = give || back || produce;
  const chosen = choice.held === at ? "yes" : "no";
  const label = give ? t("give_label", { name, chosen }) : back ? t("give_to_label", { name, to: names(to), chosen }) : produce ? t("produce_label", { name, chosen }) : name;
  const act = () => {
    if (may) choose({ held: choice.held === at ? null : at, to: choice.to });
    else attempt({ type: "give", wedge });
  };
  return html`<button class=${`piece ${may ? "can" : ""} ${choice.held === at || (choice.trait && produce && has(wedge, choice.trait)) ? "chosen" : ""}`} aria-disabled=${!may} aria-pressed=${may ? choice.held === at : undefined} aria-label=${label} onClick=${act}><${Wedge} wedge=${wedge} sharp=${view.sharp} /></button>`;
}

/** The offer that a sale of these wedges fills, if any. */
const saleOf = (by, wedges) => by("sell").find((offer) => fits(offer, { trait: offer.fill.trait, wedges }));

/** A wedge in my wheels: a click picks it for a sale. */
function Laid({ game, wedge, at }) {
  const { view, seat, by, choice, choose, attempt } = game;
  const wheels = view.wheels[seat];
  const picked = choice.picked.includes(at);
  const next = picked ? choice.picked.filter((other) => other !== at) : [...choice.picked, at];
  const selling = by("sell").length > 0;
  const may = selling && (picked || Boolean(saleOf(by, next.map((place) => wheels[place]))));
  const price = view.prices[COLOURS.indexOf(colourOf(wedge))];
  const name = wedgeName(wedge, view.sharp);
  const wedges = next.map((place) => wheels[place]);
  const trait = wedges.every((other) => has(other, colourOf(wedge))) ? colourOf(wedge) : animalOf(wedge);
  const act = () => (may ? choose({ picked: next }) : attempt({ type: "sell", trait, wedges }));
  return html`<button class=${`piece ${may ? "can" : ""} ${picked ? "chosen" : ""}`} aria-disabled=${!may} aria-pressed=${selling ? picked : undefined} aria-label=${t("laid_label", { name, curds: curds(price), what: !may ? "none" : picked ? "back" : "pick" })} onClick=${act}><${Wedge} wedge=${wedge} sharp=${view.sharp} /><span class="price-of" aria-hidden="true">${price}</span></button>`;
}

/** One of my own market wedges. When I replace or swap, I choose its side or the wedge here. */
function Supply({ game, wedge }) {
  const { by, choice, choose, attempt } = game;
  const replace = by("replace");
  const swaps = [...by("swap_discard"), ...by("exchange")];
  if (replace.length) {
    const { own } = choice;
    return html`<span class="two-sides">${sidesOf(wedge).map((up, at) => {
      const on = own?.wedge === wedge && own.up === up;
      return html`<button key=${at} class=${`piece half ${on ? "chosen" : "can"}`} aria-pressed=${on} aria-label=${t("use_side", { wedge: marketName(wedge), side: sideName(up) })} onClick=${() => choose({ own: { wedge, up }, place: choice.place })}><${Side} side=${up} /></button>`;
    })}</span>`;
  }
  const may = swaps.length > 0;
  const on = may && ownChosen(game) === wedge;
  const act = () => (may ? choose({ own: on ? null : { wedge }, swap: choice.swap, taken: choice.taken }) : attempt({ type: "swap_discard", wedge }));
  return html`<button class=${`piece both ${may && !on ? "can" : ""} ${on ? "chosen" : ""}`} aria-disabled=${!may} aria-pressed=${may ? on : undefined} aria-label=${t(may ? "supply_give" : "supply", { wedge: marketName(wedge) })} onClick=${act}><${TwoSides} wedge=${wedge} /></button>`;
}

/** The buttons that make the move that was chosen on the table. */
function Do({ game }) {
  const { view, by, play, choice, offers, names, known } = game;
  const buttons = [];
  const button = (text, move, note = null) => buttons.push(html`<button key=${text} class="can do" onClick=${() => play(move)}>${text}${note ? html`<span class="sr">: </span><small>${note}</small>` : null}</button>`);
  const produce = by("produce")[0]?.fill.trait.of ?? [];
  const count = (trait) => view.hand.filter((wedge) => has(wedge, trait)).length;
  const held = choice.held === null ? null : view.hand[choice.held];
  if (choice.trait && by("churn")[0]?.fill.trait.of.includes(choice.trait)) button(t("churn_trait", { kind: kindName(choice.trait) }), { type: "churn", trait: choice.trait });
  for (const trait of held ? [colourOf(held), animalOf(held)] : [choice.trait]) {
    if (produce.includes(trait)) button(t(count(trait) >= view.pile ? "produce_last" : "produce_count", { kinds: countName(trait, count(trait)) }), { type: "produce", trait }, t("worth_now", { curds: curds(worth(view, view.hand.filter((wedge) => has(wedge, trait)))) }));
  }
  const back = by("give_back")[0];
  const to = back && (choice.to ?? back.fill.seat.of[0]);
  if (held && by("give").some((offer) => offer.fill.wedge.of.includes(held))) button(t("give_the", { wedge: wedgeName(held, view.sharp) }), { type: "give", wedge: held });
  if (held && back) button(t("give_the_to", { wedge: wedgeName(held, view.sharp), name: names(to) }), { type: "give_back", seat: to, wedge: held });
  const side = choice.place === null ? null : view.market[choice.place];
  if (side && choice.own && by("replace").length) button(t("replace_side", { side: sideName(side), by: sideName(choice.own.up) }), { type: "replace", place: choice.place, ...choice.own }, priceChange(view, side, choice.own.up));
  if (side && by("flip").length) button(t("flip_side", { side: sideName(side) }), { type: "flip", place: choice.place }, priceChange(view, side, known?.backs?.[choice.place] ?? null));
  marketMoves(game, button);
  const wedges = choice.picked.map((at) => view.wheels[view.me][at]);
  const sale = wedges.length ? saleOf(by, wedges) : null;
  if (sale) button(t("sell_for", { count: wedges.length, curds: curds(worth(view, wedges)) }), { type: "sell", trait: sale.fill.trait, wedges });
  if (by("decline").length) button(words.offers.decline(null, null, view), { type: "decline" });
  const hint = hintOf(game, buttons.length);
  return html`<div class="eco-do">${buttons}${hint && offers.length ? html`<span class="quiet">${hint}</span>` : null}</div>`;
}

/** The moves with what was chosen on the counter: a shown wedge, a market wedge, or with whom to swap. */
function marketMoves(game, button) {
  const { view, by, choice, names } = game;
  const own = ownChosen(game);
  if (by("take_shown").length && choice.from !== null) {
    const wedge = view.shown[choice.from][choice.taken];
    button(t("take_from", { wedge: wedgeName(wedge, view.sharp), name: names(choice.from) }), { type: "take_shown", seat: choice.from, wedge });
  }
  const take = choice.taken === null ? null : takings(view)[choice.taken];
  if (take && by("take").length) button(t("take_it", { wedge: marketName(take) }), { type: "take", wedge: take });
  if (take && own && by("exchange").length) button(t("swap_for", { give: marketName(own), take: marketName(take) }), { type: "exchange", give: own, take });
  if (choice.swap === DISCARD && own) button(t("swap_on_discard", { wedge: marketName(own) }), { type: "swap_discard", wedge: own });
  else if (choice.swap !== null && choice.swap !== DISCARD) button(t("swap_and_see", { name: names(choice.swap) }), { type: "swap_seat", seat: choice.swap });
}

const HINTS = {
  replacing: () => t("hint_replacing"),
  flipping: () => t("hint_flipping"),
  exchanging: (view) => (view.phase.other === null ? null : t("hint_exchanging")),
};

function hintOf({ view, by }, shown) {
  if (view.phase.type === "turn" && !shown) return t(by("sell").length ? "hint_turn_sell" : "hint_turn");
  const hint = HINTS[view.phase.type];
  return hint && !shown ? hint(view) : null;
}

export const publicOf = (view, seat) => [{ text: curds(view.curds[seat]), label: curds(view.curds[seat]) }];

export const points = (view) => ({ label: t("plot_curds"), values: view.curds });

/** How the points came about: sales, unsold wedges, and the most of each animal. */
export function account(view, who, order) {
  const rows = view.phase.scores ? order.map((seat) => ({ seat, score: view.phase.scores[seat] })) : [];
  return html`<div class="scroll"><table class="eco-account">
    <thead><tr><td></td><th>${t("head_sales")}</th><th>${t("left")}</th>${ANIMALS.map((animal) => html`<th key=${animal}><span class="sr">${traitName(animal)}</span><${TraitIcon} trait=${animal} /></th>`)}<th>${t("head_curds")}</th></tr></thead>
    <tbody>${rows.map(({ score, seat }) => html`<tr key=${seat}><th scope="row">${who(seat)}</th><td>${score.sales}</td><td>+${score.unsold}</td>
      ${score.sold.map((sold, at) => html`<td key=${at} class=${score.most[at] ? "most" : "quiet"}>${score.most[at] ? `+${score.most[at]}` : `(${sold})`}</td>`)}<td><b>${score.total}</b></td></tr>`)}</tbody>
  </table><p class="quiet">${t("account_note")}</p></div>`;
}
