/** Avatars: a picture or the initials of a name, on a colour. At a table the colour belongs to the seat, so no two seats share one. */

import { html } from "./html.js";

const SEAT_HUES = [28, 208, 118, 334, 262, 172, 64, 298, 235, 145]; // neighbours differ clearly; ten seats are the most
const EYES = html`<g fill="#2b2118"><circle cx="15" cy="20" r="1.9" /><circle cx="25" cy="20" r="1.9" /></g>`;

// The pictures to choose from, by the name that the server knows. Each is a head, drawn in 40 x 40.
export const PICTURES = {
  mouse: html`<g fill="#c9c2bb"><circle cx="10" cy="12" r="7" /><circle cx="30" cy="12" r="7" /><path d="M8 20a12 11 0 0 1 24 0c0 7-7 14-12 14S8 27 8 20z" /></g><g fill="#efb7b0"><circle cx="10" cy="12" r="4" /><circle cx="30" cy="12" r="4" /><circle cx="20" cy="31" r="3" /></g>${EYES}`,
  cow: html`<path d="M9 8c1 4 3 5 5 5M31 8c-1 4-3 5-5 5" fill="none" stroke="#e9dcc0" stroke-width="3" stroke-linecap="round" /><path d="M5 16l8-2v5zM35 16l-8-2v5z" fill="#3a2d25" /><rect x="11" y="11" width="18" height="20" rx="8" fill="#fff" /><path d="M11 19c0-6 3-8 8-8v9z" fill="#3a2d25" /><rect x="10" y="24" width="20" height="11" rx="5.5" fill="#efb7b0" /><g fill="#7d4a43"><circle cx="16" cy="29" r="1.6" /><circle cx="24" cy="29" r="1.6" /></g><circle cx="15" cy="19" r="1.7" fill="#fff" /><circle cx="25" cy="19" r="1.7" fill="#2b2118" />`,
  goat: html`<path d="M14 13C12 6 8 4 6 5c3 2 4 6 5 11zM26 13c2-7 6-9 8-8-3 2-4 6-5 11z" fill="#8a6a4b" /><path d="M5 18l8-1v5zM35 18l-8-1v5z" fill="#d8cdbd" /><path d="M12 17c0-5 16-5 16 0l-3 13c-1 4-9 4-10 0z" fill="#f3ece1" /><path d="M18 32h4l-2 6z" fill="#d8cdbd" /><path d="M18 29h4l-2 2z" fill="#7d4a43" />${EYES}`,
  sheep: html`<g fill="#fffdf6"><circle cx="12" cy="14" r="6" /><circle cx="20" cy="11" r="7" /><circle cx="28" cy="14" r="6" /><circle cx="10" cy="22" r="5" /><circle cx="30" cy="22" r="5" /></g><path d="M6 19l8 1-5 4zM34 19l-8 1 5 4z" fill="#4a3c33" /><path d="M12 18c0-3 16-3 16 0 0 9-4 16-8 16s-8-7-8-16z" fill="#5b4a3f" /><g fill="#fff"><circle cx="16" cy="22" r="2" /><circle cx="24" cy="22" r="2" /></g>`,
  fox: html`<path d="M7 6l9 7-8 6zM33 6l-9 7 8 6z" fill="#b5521f" /><path d="M7 17c4-6 22-6 26 0-2 9-9 16-13 18-4-2-11-9-13-18z" fill="#dd7631" /><path d="M7 18c5 1 10 6 13 17C15 32 9 26 7 18zM33 18c-5 1-10 6-13 17 5-3 11-9 13-17z" fill="#fff5e6" /><circle cx="20" cy="33" r="2.6" fill="#2b2118" />${EYES}`,
  cat: html`<path d="M8 5l8 7-8 7zM32 5l-8 7 8 7z" fill="#6b6570" /><path d="M7 21c0-13 26-13 26 0 0 8-6 13-13 13S7 29 7 21z" fill="#8b8490" /><path d="M18 26h4l-2 2.5z" fill="#efb7b0" /><path d="M5 25l8 1M5 29l8-1M35 25l-8 1M35 29l-8-1" stroke="#eee" stroke-width="1.2" /><g fill="#e6d36b"><ellipse cx="14.5" cy="20" rx="3" ry="3.4" /><ellipse cx="25.5" cy="20" rx="3" ry="3.4" /></g><path d="M14.5 17v6M25.5 17v6" stroke="#2b2118" stroke-width="1.8" />`,
  dog: html`<path d="M12 10c6-5 10-5 16 0l1 14c0 6-4 11-9 11s-9-5-9-11z" fill="#d9a867" /><path d="M12 9C6 9 4 17 6 24c1 3 5 2 6-2zM28 9c6 0 8 8 6 15-1 3-5 2-6-2z" fill="#7a4b27" /><ellipse cx="20" cy="28" rx="6" ry="5" fill="#f6e3c4" /><ellipse cx="20" cy="26" rx="2.6" ry="2" fill="#2b2118" />${EYES}`,
  bear: html`<g fill="#7b4f2e"><circle cx="10" cy="11" r="5" /><circle cx="30" cy="11" r="5" /><circle cx="20" cy="21" r="13" /></g><ellipse cx="20" cy="27" rx="6.5" ry="5.5" fill="#d9b48a" /><ellipse cx="20" cy="25" rx="2.6" ry="2" fill="#2b2118" />${EYES}`,
  owl: html`<path d="M8 6c3 4 21 4 24 0 3 8 3 28-12 29C5 34 5 14 8 6z" fill="#8a6a4b" /><path d="M12 27c2-3 14-3 16 0 0 4-3 7-8 7s-8-3-8-7z" fill="#d8bf98" /><g fill="#fff5d9"><circle cx="14" cy="18" r="5.5" /><circle cx="26" cy="18" r="5.5" /></g><g fill="#2b2118"><circle cx="14" cy="18" r="2.6" /><circle cx="26" cy="18" r="2.6" /></g><path d="M18 21h4l-2 5z" fill="#e59a2f" />`,
  frog: html`<g fill="#5fa04a"><circle cx="11" cy="12" r="6" /><circle cx="29" cy="12" r="6" /><ellipse cx="20" cy="23" rx="15" ry="11" /></g><g fill="#fff"><circle cx="11" cy="11" r="3.6" /><circle cx="29" cy="11" r="3.6" /></g><g fill="#2b2118"><circle cx="11" cy="11" r="1.9" /><circle cx="29" cy="11" r="1.9" /></g><path d="M10 25c5 5 15 5 20 0" fill="none" stroke="#2c5a22" stroke-width="2" stroke-linecap="round" />`,
  pig: html`<path d="M7 8l9 3-6 7zM33 8l-9 3 6 7z" fill="#d98a8a" /><circle cx="20" cy="21" r="13" fill="#f0b1ad" /><ellipse cx="20" cy="26" rx="6" ry="4.5" fill="#d98a8a" /><g fill="#7d4a43"><circle cx="17.8" cy="26" r="1.4" /><circle cx="22.2" cy="26" r="1.4" /></g><circle cx="14" cy="18" r="1.9" fill="#2b2118" /><circle cx="26" cy="18" r="1.9" fill="#2b2118" />`,
  cheese: html`<path d="M4 25 30 8c4 4 6 9 6 14v12H4z" fill="#f2c14e" /><path d="M4 25h32v3H4z" fill="#d99f2c" /><g fill="#d99f2c"><circle cx="28" cy="16" r="2.6" /><circle cx="12" cy="31" r="1.7" /><circle cx="29" cy="32" r="1.6" /></g><g fill="#2b2118"><circle cx="17" cy="21" r="1.7" /><circle cx="24" cy="21" r="1.7" /></g>`,
};

/** The hue of a seat at a table. */
export const hueOfSeat = (seat) => SEAT_HUES[seat % SEAT_HUES.length];

/** The hue of a name that has no seat. */
function hueOf(name) {
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + letter.codePointAt(0)) % 360;
  return hash;
}

const initials = (name) => name.split(/\s+/).map((word) => [...word][0]).slice(0, 2).join("").toUpperCase();

/** An avatar; `seat` is the number of the seat at a table, if there is one, and `picture` the name of the chosen picture. */
export function Avatar({ name, bot, seat, picture }) {
  const shown = name ?? "?";
  const hue = Number.isInteger(seat) ? hueOfSeat(seat) : hueOf(shown);
  const drawn = Object.hasOwn(PICTURES, picture ?? "") ? html`<svg viewBox="0 0 40 40">${PICTURES[picture]}</svg>` : initials(shown);
  return html`<span class=${`avatar ${bot ? "of-bot" : ""}`} style=${{ "--hue": hue }} aria-hidden="true">${drawn}</span>`;
}
