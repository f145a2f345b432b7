/** Drawings of the wedge dice of Diced Cheese and of the wheel. */

import { html } from "../html.js";
import { texts } from "../messages/en/diced_cheese.js";
import { translator } from "../messages.js";

const t = translator(texts);

export const FACES = ["goat", "queso", "no_gouda", "tower"];
export const FACE_NAMES = { goat: t("goat"), queso: t("queso"), no_gouda: t("no_gouda"), tower: t("tower") };

const TOP = "M32 4 55 51Q32 65 9 51Z"; // a wedge from above, its tip upwards

const GOAT = html`<path class="goat-body" d=${TOP} /><path class="rind" d="M9 51Q32 65 55 51" />
  <path class="mark" d="M26 33q-7-1-8-9M38 33q7-1 8-9M26 33q6-4 12 0l-2 13q-4 5-8 0zM25 36l-6 2M39 36l6 2" />`;
const QUESO = html`<path class="queso-body" d=${TOP} /><path class="rind" d="M9 51Q32 65 55 51" />
  <circle class="hole" cx="32" cy="26" r="5" /><circle class="hole" cx="25" cy="43" r="6.5" />
  <circle class="hole" cx="41" cy="45" r="4.5" /><circle class="hole" cx="36" cy="35" r="2.5" />`;
const NO_GOUDA = html`<path class="edge-body" d="M32 1 44 51Q32 58 20 51Z" /><path class="rind" d="M20 51Q32 58 44 51" />
  <path class="edge-line" d="M26 29 32 19 38 29M32 20V45" />`;
const TOWER = html`<ellipse class="cast" cx="34" cy="59" rx="24" ry="5" /><path class="tower-side" d="M32 2 54 54 44 60Z" />
  <path class="tower-body" d="M32 2 44 60Q26 62 12 54Z" /><path class="rind" d="M12 54Q26 63 44 60L54 54" />
  <path class="mark" d="M22 50v-9h4v4h4v-4h4v10" />`;
const FRESH = html`<path class="fresh-body" d=${TOP} /><path class="rind" d="M9 51Q32 65 55 51" />`;
const DRAWN = { goat: GOAT, queso: QUESO, no_gouda: NO_GOUDA, tower: TOWER };

/** What a way to land does in a variant, in full, and how often it happens (DIC-2). */
export const aboutFace = (variant, face) => t(`about_${variant}_${face}`);

/** A die; a tower is upright whatever its heading. */
export function Face({ face, turn = 0, variant = "classic" }) {
  const upright = face === "tower" || turn === 0;
  return html`<svg class=${`die-face ${face ?? "fresh"}`} viewBox="0 0 64 64" aria-hidden="true" data-about=${face ? aboutFace(variant, face) : null}>
    <g transform=${upright ? undefined : `rotate(${turn} 32 32)`}>${DRAWN[face] ?? FRESH}</g>
  </svg>`;
}

const point = (angle, radius) => {
  const turn = ((angle - 90) * Math.PI) / 180;
  return `${(radius * Math.cos(turn)).toFixed(2)} ${(radius * Math.sin(turn)).toFixed(2)}`;
};

/** The sector of die `number`, one eighth of the wheel. */
const sector = (number) => {
  const from = number * 45 + 1.5;
  return `M${point(number * 45 + 22.5, 3)} L${point(from, 92)} A92 92 0 0 1 ${point(from + 42, 92)}Z`;
};
const NUMBERS = [0, 1, 2, 3, 4, 5, 6, 7];

/** The wheel: the places of `filled` dice are cheese, `fresh` ones have just come. */
export function Wheel({ filled, fresh = [], won = false, small = false }) {
  return html`<svg class=${`wheel ${won ? "won" : ""} ${small ? "small" : ""}`} viewBox="-100 -100 200 200" role="img" aria-label=${t("wheel_of", { count: filled.length })}>
    <circle class="wheel-board" r="98" />
    ${NUMBERS.map((number) => {
      const there = filled.includes(number);
      return html`<g key=${number} class=${`slot ${there ? "full" : ""} ${fresh.includes(number) ? "fresh" : ""}`}>
        <path d=${sector(number)} />
        ${there && !small ? html`<path class="slot-rind" d=${`M${point(number * 45 + 3, 88)} A88 88 0 0 1 ${point(number * 45 + 42, 88)}`} />` : null}
      </g>`;
    })}
  </svg>`;
}

/** Eight places in a row for towers that stand. */
export function Skyline({ standing }) {
  return html`<svg class="skyline" viewBox="0 0 176 40" role="img" aria-label=${t("towers_stand", { count: standing })}>
    ${NUMBERS.map((at) => html`<g key=${at} transform=${`translate(${at * 22 + 1} 2)`} class=${at < standing ? "up" : ""}>
      <path class="tower-body" d="M10 1 17 33Q8 35 3 32Z" /><path class="tower-side" d="M10 1 19 31 17 33Z" />
    </g>`)}
    <path class="ground" d="M0 37H176" />
  </svg>`;
}
