/** The pieces of Cheesonomics: wedges with an animal's head and a colour's shape, market wedges, knives. */

import { html } from "../html.js";
import { capital } from "../words.js";
import { texts } from "../messages/en/cheesonomics.js";
import { translator } from "../messages.js";

const t = translator(texts);

export const COLOURS = ["red", "orange", "yellow", "green", "blue"];
export const ANIMALS = ["cow", "sheep", "goat", "yak", "reindeer"];
export const STATES = { red: t("state_red"), orange: t("state_orange"), yellow: t("state_yellow"), green: t("state_green"), blue: t("state_blue") };


export const animalOf = (wedge) => wedge.split("-")[0];
export const colourOf = (wedge) => wedge.split("-")[1].replace("*", "");
export const marked = (wedge) => wedge.endsWith("*");
export const has = (wedge, trait) => animalOf(wedge) === trait || colourOf(wedge) === trait;
export const sideColour = (side) => side.replace("+", "");
export const ribbon = (side) => side.endsWith("+");
export const sidesOf = (wedge) => wedge.split("/");

/** The market symbol of each animal (ECO-1): its name, and its drawing, about 16 units wide, round the origin. */
const SYMBOLS = {
  cow: [t("symbol_cow"), html`<path d="M-5-3H5L3.500 6H-3.500Z" /><path class="drawn" d="M-5-3Q0-10 5-3" />`],
  sheep: [t("symbol_sheep"), html`<path class="drawn" d="M-4-7 2.500 2M4-7-2.500 2" /><circle class="drawn" cx="-3.500" cy="4.500" r="2.400" /><circle class="drawn" cx="3.500" cy="4.500" r="2.400" />`],
  goat: [t("symbol_goat"), html`<path d="M-7 6-1.500-6 1.500-1.500 3-4 7 6Z" />`],
  yak: [t("symbol_yak"), html`<path d="M-6 1H1L5 6H-3Z" /><path class="drawn" d="M-6 1 5-6" />`],
  reindeer: [t("symbol_reindeer"), html`<path d="M-5.500 4Q-3.500 2-3.500-2-3.500-6 0-6 3.500-6 3.500-2 3.500 2 5.500 4Z" /><circle cx="0" cy="5.500" r="1.700" />`],
};

/** The name of a colour or an animal. */
export const traitName = (trait) => t(`trait_${trait}`);

/** "red cow", in the sharp version "red cow with a pail". */
export const wedgeName = (wedge, sharp = true) => t(sharp && marked(wedge) ? "wedge_marked" : "wedge", { colour: traitName(colourOf(wedge)), animal: traitName(animalOf(wedge)), symbol: SYMBOLS[animalOf(wedge)][0] });
export const sideName = (side) => t(ribbon(side) ? "side_ribbon" : "side", { colour: traitName(sideColour(side)) });

/** Several of a colour or an animal: "cows", "red wedges"; with a number, "3 cows". */
export const kindName = (trait) => t(`kind_${trait}`);
export const countName = (trait, count) => t(`count_${trait}`, { count });

/** "red / green with a ribbon". */
export function marketName(wedge) {
  const [front, back] = sidesOf(wedge).map(sideName);
  return t("two_sides", { front, back });
}

const SHAPES = {
  red: "M-8 0A8 8 0 1 1 8 0A8 8 0 1 1 -8 0Z",
  orange: "M0 -9 9 7H-9Z",
  yellow: "M0 -10 8 0 0 10 -8 0Z",
  green: "M-7 -7H7V7H-7Z",
  blue: "M0 -10 2.6 -3.4 9.6 -3.1 4.1 1.2 6 8.1 0 4.2 -6 8.1 -4.1 1.2 -9.6 -3.1 -2.6 -3.4Z",
};

/** The shape of a colour, about 20 units wide, round the origin. */
export const Shape = ({ colour, plain = false }) => html`<path class=${`shape ${plain ? "plain" : `fill-${colour}`}`} d=${SHAPES[colour]} />`;

/** The shape alone. */
export const ShapeIcon = ({ colour }) => html`<svg class="shape-icon" viewBox="-12 -12 24 24" aria-hidden="true"><${Shape} colour=${colour} /></svg>`;

const eyes = (y, apart = 2.6) => html`<circle class="eye" cx=${12 - apart} cy=${y} r="1" /><circle class="eye" cx=${12 + apart} cy=${y} r="1" />`;
const HEADS = {
  cow: html`<path class="horn" d="M7 7Q4 5 5 2M17 7Q20 5 19 2" /><path class="h-dark" d="M7 9Q3 7 1 10 3 13 7 11zM17 9q4-2 6 1-2 3-6 1z" />
    <path class="h-white" d="M7 7q5-3 10 0l-1 10q-4 4-8 0z" /><path class="h-dark" d="M12.5 5.6Q15 5.6 17 7l-.5 6Q12 13 12.5 5.6Z" />
    <ellipse class="h-pink" cx="12" cy="18" rx="5.2" ry="3.6" /><circle class="eye" cx="10" cy="18" r=".8" /><circle class="eye" cx="14" cy="18" r=".8" /><circle class="eye" cx="9.4" cy="11" r="1" /><circle class="eye pale" cx="14.6" cy="10.5" r="1" />`,
  sheep: html`<path class="h-white" d="M4 13q-4-3 0-6 0-5 5-4 3-3 6 0 5-1 5 4 4 3 0 6z" /><path class="h-dark" d="M7 10Q3 10 2 13q3 2 6-1zM17 10q4 0 5 3-3 2-6-1zM7.5 8h9l-1 10q-3.5 5-7 0z" />
    <circle class="eye pale" cx="9.8" cy="13" r="1.1" /><circle class="eye pale" cx="14.2" cy="13" r="1.1" />`,
  goat: html`<path class="horn" d="M9 8Q8 2 3 1M15 8q1-6 6-7" /><path class="h-tan" d="M8 10 1 13l7 2zM16 10l7 3-7 2zM10 17l2 7 2-7z" /><path class="h-tan" d="M7.5 8q4.5-3 9 0l-2 10q-2.5 2.5-5 0z" />${eyes(12)}<path class="line" d="M10.6 17h2.8" />`,
  yak: html`<path class="horn" d="M6 9Q-1 9 2 2M18 9q7 0 4-7" /><path class="h-shag" d="M4 10q8-8 16 0l1 5-2 2-1 5-2-2H8l-2 2-1-5-2-2z" /><ellipse class="h-tan" cx="12" cy="18" rx="4.6" ry="3.8" /><path class="line pale" d="M9 7v5M12 6v6M15 7v5" />
    <circle class="eye" cx="10.5" cy="18" r=".8" /><circle class="eye" cx="13.5" cy="18" r=".8" /><circle class="eye pale" cx="8" cy="13.5" r="1" /><circle class="eye pale" cx="16" cy="13.5" r="1" />`,
  reindeer: html`<path class="horn" d="M10 8Q9 4 10 1M9.5 5 5 2M9.6 7 4 6M14 8q1-4 0-7M14.5 5 19 2M14.4 7 20 6" /><path class="h-brown" d="M8 10 3 9q1 4 5 4zM16 10l5-1q-1 4-5 4zM8 8q4-2 8 0l-1.5 10q-2.5 3-5 0z" />${eyes(12.5)}<circle class="h-nose" cx="12" cy="19" r="2.6" />`,
};

export const Head = ({ animal }) => html`<g class="head">${HEADS[animal]}</g>`;
export const HeadIcon = ({ animal }) => html`<svg class="head-icon" viewBox="-1 -1 26 26" aria-hidden="true"><${Head} animal=${animal} /></svg>`;
export const TraitIcon = ({ trait }) => (COLOURS.includes(trait) ? html`<${ShapeIcon} colour=${trait} />` : html`<${HeadIcon} animal=${trait} />`);

const aboutWedge = (wedge, sharp) => t("about_wedge", { wedge: capital(wedgeName(wedge, sharp)), colour: traitName(colourOf(wedge)), colours: kindName(colourOf(wedge)), animals: kindName(animalOf(wedge)), marked: sharp && marked(wedge) ? "yes" : "no" });

const BODY = "M27 57Q32 61 37 57L62 17Q32-5 2 17Z";

/** A cheese wedge; without a name, its waxed paper. */
export function Wedge({ wedge, sharp = false }) {
  if (!wedge) return html`<svg class="wedge" viewBox="0 0 64 62" aria-hidden="true"><path class="wedge-paper" d=${BODY} /><path class="paper-fold" d="M14 22 32 52 50 22M22 12 32 30 42 12" /></svg>`;
  const colour = colourOf(wedge);
  return html`<svg class=${`wedge of-${colour}`} viewBox="0 0 64 62" aria-hidden="true" data-about=${aboutWedge(wedge, sharp)}>
    <path class="wedge-body" d=${BODY} /><path class=${`wedge-rind stroke-${colour}`} d="M5 16.5Q32-2 59 16.5" />
    <g transform="translate(18.5 8.5) scale(1.12)"><${Head} animal=${animalOf(wedge)} /></g>
    <g transform="translate(32 46.5) scale(.82)"><${Shape} colour=${colour} /></g>
    ${sharp && marked(wedge) ? html`<g class="symbol" transform="translate(9 40)"><circle r="9.5" />${SYMBOLS[animalOf(wedge)][1]}</g>` : null}
  </svg>`;
}

const point = (angle, radius) => {
  const turn = ((angle - 90) * Math.PI) / 180;
  return `${(radius * Math.cos(turn)).toFixed(2)} ${(radius * Math.sin(turn)).toFixed(2)}`;
};

/** A market wheel of five wedges that show these sides. `backs` are the other sides that have been seen, by place. */
export function MarketWheel({ sides, first, flipped, label, backs = [] }) {
  return html`<svg class="market-wheel" viewBox="-100 -100 200 200" role="img" aria-label=${label}>
    <circle class="market-board" r="99" />
    ${sides.map((side, at) => {
      const middle = at * 72 + 36;
      const [x, y] = point(middle, ribbon(side) ? 44 : 60).split(" ");
      return html`<g key=${`${at}${side}`} data-about=${t("about_market", { side: sideName(side), curds: ribbon(side) ? 2 : 1, colour: traitName(sideColour(side)), back: backs[first + at] ? sideName(backs[first + at]) : "unknown" })} class=${`market-wedge ${flipped === first + at ? "flip" : ""}`}>
        <path class=${`sector fill-${sideColour(side)}`} d=${`M${point(middle, 4)} L${point(at * 72 + 1.5, 95)} A95 95 0 0 1 ${point(at * 72 + 70.5, 95)}Z`} />
        <g transform=${`translate(${x} ${y}) scale(${ribbon(side) ? 1.6 : 1.9})`}><${Shape} colour=${sideColour(side)} plain=${true} /></g>
        ${ribbon(side) ? html`<g class="ribbon" transform=${`translate(${point(middle, 74)}) rotate(${middle + 180}) scale(1.1)`}><path d="M-7 4-10 18-3 14 0 17 3 14 10 18 7 4Z" /><circle r="11" /><text y="5.5" transform=${`rotate(${-middle - 180})`}>2</text></g>` : null}
      </g>`;
    })}
  </svg>`;
}

/** A market wedge side by side, as its owner sees it. */
export function TwoSides({ wedge }) {
  return html`<span class="two-sides">${sidesOf(wedge).map((side, at) => html`<${Side} key=${at} side=${side} />`)}</span>`;
}

export const Side = ({ side }) => html`<svg class="side-face" viewBox="0 0 40 44" aria-hidden="true" data-about=${t("about_side", { curds: ribbon(side) ? 2 : 1, colour: traitName(sideColour(side)) })}>
  <path class=${`sector fill-${sideColour(side)}`} d="M16 42Q20 45 24 42L39 9Q20-4 1 9Z" />
  <g transform="translate(20 16)"><${Shape} colour=${sideColour(side)} plain=${true} /></g>
  ${ribbon(side) ? html`<g class="ribbon" transform="translate(20 34) scale(.62)"><path d="M-7 4-10 18-3 13 0 16 3 13 10 18 7 4Z" /><circle r="11" /><text y="5.5">2</text></g>` : null}
</svg>`;

export const Knife = () => html`<svg class="knife" viewBox="0 0 60 16" aria-hidden="true"><path class="blade" d="M22 5H52Q59 6 57 11L55 13Q40 13 22 11Z" /><path class="handle" d="M2 5Q12 3 22 5V11Q12 13 2 11Z" /></svg>`;
