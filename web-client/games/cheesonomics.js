/** Cheesonomics: the market's wheels, the tray with its knives, and everybody's cheese. */

import { useChoice } from "../choice.js";
import { html } from "../html.js";
import { fits } from "../offers.js";
import { Counter, hasCounter } from "./cheesonomics_counter.js";
import { ANIMALS, animalOf, COLOURS, colourOf, has, Knife, MarketWheel, marketName, Side, sideColour, sideName, sidesOf, STATES, TraitIcon, TwoSides, Wedge, wedgeName } from "./cheesonomics_pieces.js";
import { curds, many, words, worth } from "./cheesonomics_words.js";

export { words };
export const css = true;
export { motion } from "./cheesonomics_motion.js";

const NOTHING = { trait: null, held: null, picked: [], to: null, own: null };
const MOST_SMALL = 12; // wedges of another seat that are drawn in its place
const TRAITS = [...COLOURS, ...ANIMALS];

export function render(table) {
  const { view, seat, mini, ask, offers } = table;
  const [choice, choose] = useChoice(ask, NOTHING);
  const by = (move) => offers.filter((offer) => offer.move === move);
  const game = { ...table, choice, choose: (next) => choose({ ...NOTHING, ...next }), by };
  const board = html`<div class=${`eco ${mini ? "mini" : ""} ${by("flip").length || by("replace").length ? "at-market" : ""}`}>
    <${Market} game=${game} />
    ${hasCounter(game) ? html`<${Counter} game=${game} />` : html`<${Tray} game=${game} />`}
  </div>`;
  const seats = Object.fromEntries(view.wheels.map((_, other) => [other, other === seat ? null : html`<${Others} ...${{ view, other }} />`]));
  return { board, seats, hand: seat === null ? null : html`<${Mine} game=${game} />`, bar: seat === null || view.phase.type === "over" ? null : html`<${Do} game=${game} />` };
}

/** Three wheels of five, the prices that they make, and the pile. */
function Market({ game }) {
  const { view, events, moving } = game;
  const flipped = moving ? (events.find((event) => event.type === "flipped" || event.type === "replaced")?.place ?? null) : null;
  return html`<section class="market" data-place="market" aria-label="Market">
    <div class="market-wheels">${[0, 5, 10].map((first, at) => {
      const sides = view.market.slice(first, first + 5);
      const label = `Market wheel ${at + 1}: ${sides.map(sideName).join(", ")}`;
      return html`<div key=${first} class="market-place"><${MarketWheel} ...${{ sides, first, flipped, label }} />${sides.map((side, place) => html`<${Target} key=${place} ...${{ game, side, place: first + place, at: place }} />`)}</div>`;
    })}</div>
    <ul class="prices" aria-label="Prices">${COLOURS.map((colour, at) => html`<li key=${colour} aria-label=${`${colour}: ${curds(view.prices[at])}`} title=${STATES[colour]} class=${view.prices[at] ? "" : "none"} data-place=${`price-${colour}`}>
      <${TraitIcon} trait=${colour} /><b>${view.prices[at]}</b>
    </li>`)}<li class="stack" data-place="pile" aria-label=${`${many(view.pile)} left in the pile`}><span class="stack-icon"><${Wedge} /></span><b>${view.pile}</b><small>left</small></li></ul>
  </section>`;
}

/** A wedge of the market that can be flipped or replaced now. */
function Target({ game, side, place, at }) {
  const { view, by, play, explain, choice } = game;
  const flip = by("flip")[0];
  const replace = by("replace");
  if (!flip && !replace.length) return null;
  const own = choice.own ?? ownFirst(replace);
  const may = (flip ?? replace[0]).fill.place.of.includes(place);
  const turn = ((at * 72 + 36 - 90) * Math.PI) / 180;
  const where = { left: `${50 + 33 * Math.cos(turn)}%`, top: `${50 + 33 * Math.sin(turn)}%` };
  const act = () => {
    if (!may) explain(`This one shows ${sideColour(side)}: it has to be a colour that you just sold, ${view.phase.colours.join(" or ")}.`, flip ? "ECO-15" : "ECO-22");
    else if (flip) play({ type: "flip", place });
    else play({ type: "replace", place, ...own });
  };
  const verb = flip ? `Flip ${sideName(side)}` : `Replace ${sideName(side)} by ${sideName(own.up)}`;
  return html`<button class=${`target ${may ? "can" : ""}`} style=${where} aria-disabled=${!may} aria-label=${`${verb}, wheel ${Math.floor(place / 5) + 1}`} onClick=${act}></button>`;
}

export const ownFirst = (replace) => (replace.length ? { wedge: replace[0].fill.wedge, up: sidesOf(replace[0].fill.wedge)[0] } : null);

/** Ten spaces, one for each colour and each animal; a knife keeps its space from being churned. */
function Tray({ game }) {
  const { view, choice, choose, by, names } = game;
  const churn = by("churn")[0]?.fill.trait.of ?? [];
  const produce = by("produce")[0]?.fill.trait.of ?? [];
  return html`<section class="tray" aria-label="Tray">${TRAITS.map((trait) => {
    const owner = view.tray.indexOf(trait);
    const may = churn.includes(trait) || produce.includes(trait);
    const named = view.phase.trait === trait;
    const knife = owner >= 0 ? `, ${names(owner) === "You" ? "your" : `${names(owner)}'s`} ${view.knives[owner]} knife lies on it` : "";
    const tell = () => game.explain(...whyNoTrait(game, trait, owner));
    return html`<button
      key=${trait}
      class=${`space ${may ? "can" : ""} ${named ? "named" : ""}`}
      data-place=${`space-${trait}`}
      aria-disabled=${!may}
      aria-pressed=${may ? choice.trait === trait : undefined}
      aria-label=${`${trait}${knife}${may ? (choice.trait === trait ? ": named, take it back" : ": name it") : ""}`}
      onClick=${may ? () => choose({ trait: choice.trait === trait ? null : trait }) : tell}
    ><${TraitIcon} trait=${trait} />${owner >= 0 ? html`<${Knife} /><span class="space-name owner">${names(owner)}</span>` : html`<span class="space-name">${trait}</span>`}</button>`;
  })}</section>`;
}

function whyNoTrait({ view, names, by, seat, offers }, trait, owner) {
  if (view.turn !== seat || !offers.length) return [view.turn === null ? "The game is over." : view.turn === seat ? "Wait for the others." : `It is ${names(view.turn)}'s turn.`, "ECO-7"];
  if (view.phase.type !== "turn") return ["Names are for the beginning of a turn.", "ECO-7"];
  if (owner >= 0) return [`The ${view.knives[owner]} knife lies on ${trait}, so nobody else may name it, and you hold none to produce.`, "ECO-11"];
  return by("churn").length ? [`You cannot name ${trait} now.`, "ECO-8"] : ["Everybody has churned for three rounds: produce or sell.", "ECO-7"];
}

/** What another seat has in its wheels, small. */
function Others({ view, other }) {
  const wheels = view.wheels[other];
  const text = wheels.length ? wheels.map((wedge) => wedgeName(wedge, view.sharp)).join(", ") : "nothing";
  const most = wheels.length > MOST_SMALL ? MOST_SMALL - 1 : MOST_SMALL;
  return html`<span class=${`small-wheels ${wheels.length > 6 ? "many" : ""}`} role="img" aria-label=${`in the wheels: ${text}`}>${wheels.slice(0, most).map((wedge, at) => html`<${Wedge} key=${at} wedge=${wedge} sharp=${view.sharp} />`)}${wheels.length > most ? html`<b>+${wheels.length - most}</b>` : null}${wheels.length ? null : html`<i class="bare">no cheese</i>`}</span>`;
}

/** My hand, my wheels, and in the sharp version my market wedges. */
function Mine({ game }) {
  const { view, seat } = game;
  return html`<div class=${`eco-mine ${view.sharp ? "sharp" : ""} at-${view.phase.type}`}>
    <div class="mine-row hand-row"><span class="row-label">hand</span><div class=${`wedges ${view.hand.length > 5 ? "many" : ""}`} data-place="my-hand">${view.hand.map((wedge, at) => html`<${Held} key=${at} ...${{ game, wedge, at }} />`)}</div></div>
    <div class="mine-row wheels-row"><span class="row-label">wheels</span><div class="wedges" data-place="my-wheels">
      ${view.wheels[seat].map((wedge, at) => html`<${Laid} key=${at} ...${{ game, wedge, at }} />`)}
      ${view.wheels[seat].length ? null : html`<span class="quiet bare">Nothing yet. What you produce lies here, safe, until you sell it.</span>`}
    </div></div>
    ${view.sharp ? html`<div class="mine-row supply-row"><span class="row-label">market</span><div class="wedges" data-place="my-supply">${view.supply.map((wedge, at) => html`<${Supply} key=${at} ...${{ game, wedge }} />`)}</div></div>` : null}
  </div>`;
}

/** A wedge in my hand: given, given back, or a way to produce its kind. */
function Held({ game, wedge, at }) {
  const { view, by, play, choice, choose, names, explain } = game;
  const name = wedgeName(wedge, view.sharp);
  const give = by("give")[0]?.fill.wedge.of.includes(wedge);
  const back = by("give_back")[0];
  const to = back && (choice.to ?? back.fill.seat.of[0]);
  const produce = by("produce").length > 0;
  const may = give || back || produce;
  const label = give ? `Give ${name}` : back ? `Give ${name} to ${names(to)}` : produce ? `${name}: ${choice.held === at ? "chosen" : "produce its colour or its animal"}` : name;
  const act = () => {
    if (give) play({ type: "give", wedge });
    else if (back) play({ type: "give_back", seat: to, wedge });
    else if (produce) choose({ held: choice.held === at ? null : at });
    else if (by("give").length) explain(`${names(view.turn)} asked for ${view.phase.trait}, and this is ${name}.`, "ECO-8");
    else if (view.turn === null) explain("The game is over.", "ECO-7");
    else explain(`Nothing to do with your hand now${names(view.turn) === "You" ? "" : `: ${names(view.turn)} is at it`}.`, "ECO-7");
  };
  return html`<button class=${`piece ${may ? "can" : ""} ${choice.held === at || (choice.trait && produce && has(wedge, choice.trait)) ? "chosen" : ""}`} aria-disabled=${!may} aria-pressed=${produce ? choice.held === at : undefined} aria-label=${label} onClick=${act}><${Wedge} wedge=${wedge} sharp=${view.sharp} /></button>`;
}

/** The offer that these wedges of mine fill, if any. */
const saleOf = (by, wedges) => by("sell").find((offer) => fits(offer, { trait: offer.fill.trait, wedges }));

/** A wedge in my wheels: picked for a sale. */
function Laid({ game, wedge, at }) {
  const { view, seat, by, choice, choose, explain, names } = game;
  const wheels = view.wheels[seat];
  const picked = choice.picked.includes(at);
  const next = picked ? choice.picked.filter((other) => other !== at) : [...choice.picked, at];
  const selling = by("sell").length > 0;
  const may = selling && (picked || Boolean(saleOf(by, next.map((place) => wheels[place]))));
  const price = view.prices[COLOURS.indexOf(colourOf(wedge))];
  const name = wedgeName(wedge, view.sharp);
  const act = () => {
    if (may) choose({ picked: next });
    else if (!selling) explain(`You can sell this on your turn; ${curds(price)} now.${view.turn === seat || view.turn === null ? "" : ` It is ${names(view.turn)}'s turn.`}`, "ECO-13");
    else if (!price) explain(`No market wedge shows ${colourOf(wedge)}, so it cannot be sold now.`, "ECO-13");
    else explain("A sale is one to three wedges of one colour or of one animal.", "ECO-13");
  };
  return html`<button class=${`piece ${may ? "can" : ""} ${picked ? "chosen" : ""}`} aria-disabled=${!may} aria-pressed=${selling ? picked : undefined} aria-label=${`${name} in your wheels, ${curds(price)}${may ? (picked ? ": put it back" : ": pick it for a sale") : ""}`} onClick=${act}><${Wedge} wedge=${wedge} sharp=${view.sharp} /><span class="price-of" aria-hidden="true">${price}</span></button>`;
}

/** One of my own market wedges; when I replace or swap, the side or the wedge is chosen here. */
function Supply({ game, wedge }) {
  const { by, choice, choose, explain } = game;
  const replace = by("replace");
  const swaps = [...by("swap_discard"), ...by("swap_seat")];
  if (replace.length) {
    const own = choice.own ?? ownFirst(replace);
    return html`<span class="two-sides">${sidesOf(wedge).map((up, at) => {
      const on = own.wedge === wedge && own.up === up;
      return html`<button key=${at} class=${`piece side ${on ? "chosen" : "can"}`} aria-pressed=${on} aria-label=${`Use ${marketName(wedge)} with ${sideName(up)} up`} onClick=${() => choose({ own: { wedge, up } })}><${Side} side=${up} /></button>`;
    })}</span>`;
  }
  const may = swaps.length > 0;
  const on = may && (choice.own?.wedge ?? swaps[0].fill.wedge.of[0]) === wedge;
  const act = () => (may ? choose({ own: { wedge } }) : explain("Your market wedges are used after a sale.", "ECO-22"));
  return html`<button class=${`piece both ${may && !on ? "can" : ""} ${on ? "chosen" : ""}`} aria-disabled=${!may} aria-pressed=${may ? on : undefined} aria-label=${`Your market wedge ${marketName(wedge)}${may ? ": give this one" : ""}`} onClick=${act}><${TwoSides} wedge=${wedge} /></button>`;
}

/** The buttons that carry out what was chosen on the table. */
function Do({ game }) {
  const { view, by, play, choice, offers } = game;
  const buttons = [];
  const button = (text, move) => buttons.push(html`<button key=${text} class="can do" onClick=${() => play(move)}>${text}</button>`);
  const produce = by("produce")[0]?.fill.trait.of ?? [];
  const count = (trait) => view.hand.filter((wedge) => has(wedge, trait)).length;
  const held = choice.held === null ? null : view.hand[choice.held];
  if (choice.trait && by("churn")[0]?.fill.trait.of.includes(choice.trait)) button(`Churn ${choice.trait}`, { type: "churn", trait: choice.trait });
  for (const trait of held ? [colourOf(held), animalOf(held)] : [choice.trait]) {
    if (produce.includes(trait)) button(`Produce ${count(trait)} ${trait}`, { type: "produce", trait });
  }
  const wedges = choice.picked.map((at) => view.wheels[view.me][at]);
  const sale = wedges.length ? saleOf(by, wedges) : null;
  if (sale) button(`Sell ${many(wedges.length)} for ${curds(worth(view, wedges))}`, { type: "sell", trait: sale.fill.trait, wedges });
  if (by("decline").length) button(words.offers.decline(null, null, view), { type: "decline" });
  const hint = hintOf(game, buttons.length);
  return html`<div class="eco-do">${buttons}${hint && offers.length ? html`<span class="quiet">${hint}</span>` : null}</div>`;
}

function hintOf({ view, by }, shown) {
  if (view.phase.type === "turn" && !shown) return `Churn: pick a space of the tray. Produce: pick a wedge in your hand.${by("sell").length ? " Sell: pick wedges in your wheels." : ""}`;
  if (view.phase.type === "replacing") return "Choose a side of one of your market wedges, then its place in the market.";
  return null;
}

export const publicOf = (view, seat) => [{ text: curds(view.curds[seat]), label: curds(view.curds[seat]) }];

/** How the points came about: sales, what was left, and the most of each animal. */
export function account(view, names) {
  const scores = view.phase.scores ?? [];
  return html`<div class="scroll"><table class="eco-account">
    <thead><tr><th></th><th>sales</th><th>left</th>${ANIMALS.map((animal) => html`<th key=${animal} aria-label=${animal}><${TraitIcon} trait=${animal} /></th>`)}<th>curds</th></tr></thead>
    <tbody>${scores.map((score, seat) => html`<tr key=${seat}><th scope="row">${names(seat)}</th><td>${score.sales}</td><td>+${score.unsold}</td>
      ${score.sold.map((sold, at) => html`<td key=${at} class=${score.most[at] ? "most" : "quiet"}>${score.most[at] ? `+${score.most[at]}` : `(${sold})`}</td>`)}<td><b>${score.total}</b></td></tr>`)}</tbody>
  </table><p class="quiet">What was left in the wheels brought a curd each (ECO-17), and so did every wedge of an animal to whoever sold the most of it (ECO-18); in brackets, what others sold.</p></div>`;
}
