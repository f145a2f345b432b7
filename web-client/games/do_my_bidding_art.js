/** The paintings: a frame for each colour, a motif for each artist, and the value on a plate. */

import { html } from "../html.js";
import { texts } from "../messages/en/do_my_bidding.js";
import { translator } from "../messages.js";

const t = translator(texts);

/** The colours of frame, canvas and brush. */
const PAINTS = {
  pink: ["#d6679a", "#fbe3ee", "#8e2f5f"],
  red: ["#b3261e", "#f8d9d3", "#7a1710"],
  orange: ["#d9731a", "#fde5cb", "#8f4508"],
  yellow: ["#d9b11a", "#fdf3c4", "#7a5f05"],
  green: ["#3f7d3a", "#dcedd6", "#245020"],
  blue: ["#2f66a8", "#d9e6f5", "#1b4272"],
  violet: ["#74429b", "#e8dbf3", "#4a2370"],
};

const band = (attributes, inset = 4) => html`<rect x=${inset} y=${inset} width=${60 - 2 * inset} height=${60 - 2 * inset} fill="none" stroke="#fff" ...${attributes} />`;

/** Beads, plain with corners, dashes, ticks, two lines, a checkered band, blocks. */
const FRAMES = {
  pink: band({ "stroke-width": 4.2, "stroke-dasharray": "0 6.5", "stroke-linecap": "round" }),
  red: html`<path d="M0 0h12v12H0zM48 0h12v12H48zM0 48h12v12H0zM48 48h12v12H48z" fill="#5c0f0a" />`,
  orange: band({ "stroke-width": 3, "stroke-dasharray": "7 6" }),
  yellow: band({ "stroke-width": 8, "stroke-dasharray": "1.6 3.6", stroke: "#6b5304" }),
  green: html`${band({ "stroke-width": 1.3 }, 2.2)}${band({ "stroke-width": 1.3 }, 5.8)}`,
  blue: html`${band({ "stroke-width": 3.4, "stroke-dasharray": "4 4" }, 2.2)}${band({ "stroke-width": 3.4, "stroke-dasharray": "4 4", "stroke-dashoffset": 4 }, 5.8)}`,
  violet: band({ "stroke-width": 8, "stroke-dasharray": "3 10", stroke: "#f3d9ff" }),
};

/** Haystacks in strokes, two heads under a shawl, the wave, brows and flowers, one large flower, swirls, a window. */
const MOTIFS = {
  Monet: (frame, brush) => html`<circle cx="36" cy="9" r="4.500" fill=${frame} /><path d="M7 32q10-24 21 0z" fill=${frame} /><g stroke=${brush} stroke-width="1.800" stroke-linecap="round"><path d="M17 13l-5 9M18 16v9M19 14l5 10M14 24l-3 6M22 24l3 6M18 27v4" /><path d="M2 36h8M14 37h9M28 35h12M5 41h11M22 41h10M36 40h5M32 29h8M31 24h9" /></g>`,
  Cassatt: (frame, brush) => html`<path d="M5 44q1-19 14-20 16 1 19 20z" fill=${frame} /><circle cx="18" cy="15" r="7" fill=${brush} /><circle cx="29" cy="26" r="5.500" fill=${brush} opacity=".75" /><path d="M11 12q7-9 14 0" fill="none" stroke=${frame} stroke-width="3" /><path d="M10 40q4-10 12-11M15 43q4-8 10-8" fill="none" stroke="#fff" stroke-width="1.600" stroke-linecap="round" />`,
  Hokusai: (frame, brush) => html`<path d="m25 33 7-10 8 10z" fill=${brush} opacity=".6" /><path d="M0 34Q4 8 24 8q9 1 11 8-5-4-9-1-5-3-8 2 9 1 9 9-8-4-13 3 12-2 16 5 8-3 14 0v10H0z" fill=${frame} /><path d="M0 34Q4 8 24 8q9 1 11 8M2 40q10-6 20 0t20 0" fill="none" stroke=${brush} stroke-width="2" /><g fill=${brush}><circle cx="38" cy="13" r="1.300" /><circle cx="34" cy="20" r="1.300" /><circle cx="30" cy="18" r="1" /></g>`,
  Kahlo: (frame, brush) => html`<ellipse cx="22" cy="27" rx="13" ry="16" fill="#fff" opacity=".75" /><g fill=${frame}><circle cx="11" cy="9" r="5" /><circle cx="22" cy="6" r="5.500" /><circle cx="33" cy="9" r="5" /></g><g fill="#fff"><circle cx="11" cy="9" r="1.700" /><circle cx="22" cy="6" r="1.900" /><circle cx="33" cy="9" r="1.700" /></g><path d="M11 23q5-5 11-1 6-4 11 1" fill="none" stroke=${brush} stroke-width="2.800" stroke-linecap="round" /><g fill=${brush}><circle cx="16.500" cy="27" r="1.700" /><circle cx="27.500" cy="27" r="1.700" /><path d="M17 37q5-3 10 0-5 4-10 0z" /></g>`,
  "O'Keeffe": (frame, brush) => html`<g fill=${frame} stroke=${brush} stroke-width="1">${[0, 72, 144, 216, 288].map((turn) => html`<ellipse key=${turn} cx="22" cy="10.500" rx="8.500" ry="11" transform=${`rotate(${turn} 22 22)`} />`)}</g><circle cx="22" cy="22" r="6" fill=${brush} /><circle cx="22" cy="22" r="2.500" fill="#fff" />`,
  "Van Gogh": (frame, brush) => html`<g fill="none" stroke=${frame} stroke-width="2.600" stroke-linecap="round"><path d="M15 15a2 2 0 1 1 3 2 5 5 0 1 1-2-8 8 8 0 1 1-8 9" /><path d="M32 23a1.500 1.500 0 1 1 2 2 4 4 0 1 1-2-6.500M2 31q10-5 18 0t22-2M2 37q12-4 20 0t20-2" /></g><path d="M8 44q-2-12 3-22 4 10 2 22z" fill=${brush} /><g fill=${brush}><circle cx="34" cy="8" r="3" /><circle cx="5" cy="6" r="1.800" /><circle cx="40" cy="16" r="1.500" /></g>`,
  Vermeer: (frame, brush) => html`<path d="M0 0h14v24H0z" fill="#fff" stroke=${brush} stroke-width="2" /><path d="M7 0v24M0 8h14M0 16h14" stroke=${brush} stroke-width="1.600" /><path d="M14 2 40 30H22L14 22z" fill=${frame} opacity=".35" /><path d="M0 31h44v13H0z" fill="#fff" /><path d="M0 31h11v6H0zM22 31h11v6H22zM11 37h11v7H11zM33 37h11v7H33z" fill=${brush} /><circle cx="33" cy="15" r="5.500" fill="#fff" stroke=${brush} stroke-width="1.600" /><path d="M30.500 13.500a3 3 0 0 1 3-2.500" stroke=${frame} stroke-width="1.600" fill="none" />`,
};

export const ARTISTS = Object.keys(MOTIFS);
export const COLOURS = Object.keys(PAINTS);
/** The value of the painting by this artist in this colour, by their numbers (DMB-1). */
export const valueOf = (artist, colour) => 1 + ((ARTISTS.indexOf(artist) + COLOURS.indexOf(colour) + 5) % 7);
export const colourName = (colour) => t(`colour_${colour}`);
export const nameOf = ({ artist, colour, value }) => t("painting", { artist, colour: colourName(colour), value });
export const alike = (one, other) => one.artist === other.artist || one.colour === other.colour;

/** A painting. `match` marks one that scores with the lot that is being sold. */
export function Painting({ art, match = 0 }) {
  const [frame, canvas, brush] = PAINTS[art.colour];
  const label = match ? t("matching", { painting: nameOf(art) }) : nameOf(art);
  return html`<span class=${`painting ${match ? "match" : ""}`} role="img" aria-label=${label} title=${label} data-about=${t("about_painting", { artist: art.artist, colour: colourName(art.colour), value: art.value })}>
    <svg viewBox="0 0 60 60" aria-hidden="true">
      <rect width="60" height="60" rx="1.500" fill=${frame} />${FRAMES[art.colour]}
      <rect x="8" y="8" width="44" height="44" fill=${canvas} stroke=${brush} stroke-width=".8" />
      <svg x="8" y="8" width="44" height="44" viewBox="0 0 44 44">${MOTIFS[art.artist](frame, brush)}</svg>
      <circle cx="49" cy="49" r="10.500" fill="#fffdf6" stroke="#2b2118" stroke-width="1.400" /><text x="49" y="54.500" text-anchor="middle" class="value">${art.value}</text>
    </svg>
    ${match ? html`<i class="match-mark" aria-hidden="true">+${match}</i>` : null}
  </span>`;
}

/** Whether each painting of a collection matches the lot (1 or 0), and the points of all (DMB-15). */
export function worth(collection, lot) {
  const matches = collection.map((old) => (lot.some((art) => alike(old, art)) ? 1 : 0));
  const within = lot.length === 2 && alike(lot[0], lot[1]) ? 1 : 0;
  const values = lot.reduce((sum, art) => sum + art.value, 0);
  const matched = matches.reduce((sum, count) => sum + count, 0) + within;
  return { matches, within, values, matched, points: values + matched };
}

/** An envelope, a purse. */
export const Envelope = () => html`<svg class="envelope" viewBox="0 0 32 22" aria-hidden="true"><rect x="1" y="1" width="30" height="20" rx="2" fill="#f6ead0" stroke="#8a5a33" stroke-width="1.500" /><path d="m2 3 14 10L30 3" fill="none" stroke="#8a5a33" stroke-width="1.500" /><circle cx="16" cy="13" r="3.500" fill="#a8341f" /></svg>`;
