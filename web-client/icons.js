/** The icons of buttons, and an emblem for each game. */

import { html } from "./html.js";

const line = (inside) => html`<svg class="sign-icon" viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${inside}</svg>`;

export const icons = {
  back: () => line(html`<path d="M19 12H5M11 6l-6 6 6 6" />`),
  talk: () => line(html`<path d="M4 5h16v11H10l-5 4v-4H4z" /><path d="M8 10h8" />`),
  menu: () => line(html`<path d="M4 7h16M4 12h16M4 17h16" />`),
  rules: () => line(html`<path d="M9 9a3 3 0 1 1 4.2 2.7c-.8.4-1.2 1-1.2 2V14.5M12 18v.2" />`),
  lesson: () => line(html`<path d="M2 9l10-5 10 5-10 5zM6 11.500v5c3 3 9 3 12 0v-5M22 9v6" />`),
  close: () => line(html`<path d="M6 6l12 12M18 6 6 18" />`),
  eye: () => line(html`<path d="M2 12s4-6 10-6 10 6 10 6-4 6-10 6-10-6-10-6z" /><circle cx="12" cy="12" r="2.5" />`),
  bot: () => line(html`<rect x="5" y="8" width="14" height="10" rx="3" /><path d="M12 8V4M9.5 12.5v1M14.5 12.5v1" />`),
  smile: () => line(html`<circle cx="12" cy="12" r="9" /><path d="M8 14q4 4 8 0M9 9.5v.2M15 9.5v.2" />`),
  host: () => line(html`<path d="M4 18h16M4 15 3 7l5 4 4-6 4 6 5-4-1 8z" fill="currentColor" />`),
  away: () => line(html`<path d="M18 14A7 7 0 0 1 10 4a8 8 0 1 0 8 10z" />`),
  link: () => line(html`<path d="M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1" />`),
  lock: () => line(html`<rect x="5" y="11" width="14" height="9" rx="2" /><path d="M8 11V8a4 4 0 0 1 8 0v3" />`),
  door: () => line(html`<path d="M6 21V4h9l3 2v15M4 21h16M14 12v1" />`),
  dials: () => line(html`<path d="M4 8h9M17 8h3M4 16h3M11 16h9" /><circle cx="15" cy="8" r="2" /><circle cx="9" cy="16" r="2" />`),
  sound: () => line(html`<path d="M4 10v4h4l5 4V6L8 10zM16.5 9a4 4 0 0 1 0 6M19 6.500a8 8 0 0 1 0 11" />`),
  silence: () => line(html`<path d="M4 10v4h4l5 4V6L8 10zM17 9.500l5 5M22 9.500l-5 5" />`),
  gavel: () => line(html`<path d="m8 9 7 7 4-4-7-7zM4 20l6-6M13 20h8" stroke-width="3" />`),
  play: () => line(html`<path d="M8 5v14l11-7z" fill="currentColor" />`),
  pause: () => line(html`<path d="M8 5v14M16 5v14" stroke-width="4" />`),
  step: () => line(html`<path d="M9 5l8 7-8 7" />`),
  stepBack: () => line(html`<path d="M15 5l-8 7 8 7" />`),
  turn: () => line(html`<path d="M5 5l6 7-6 7M12 5l6 7-6 7" />`),
  turnBack: () => line(html`<path d="M19 5l-6 7 6 7M12 5l-6 7 6 7" />`),
};

const EMBLEMS = {
  chesterfield: html`<g transform="rotate(-38 22 20)"><rect x="12" y="11" width="20" height="12" rx="2" fill="#8a5a33" /><rect x="9" y="10" width="4" height="14" rx="1.5" fill="#5d3a20" /><rect x="31" y="10" width="4" height="14" rx="1.5" fill="#5d3a20" /><rect x="20" y="23" width="4" height="20" rx="2" fill="#a9713f" /></g><rect x="24" y="39" width="18" height="4" rx="2" fill="#5d3a20" />`,
  do_my_bidding: html`<rect x="6" y="8" width="36" height="30" rx="2" fill="#8a5a33" /><rect x="10" y="12" width="28" height="22" fill="#e9dcc0" /><path d="M10 34l9-11 7 7 5-5 7 9z" fill="#3f6b3c" /><circle cx="31" cy="18" r="3" fill="#a8341f" /><path d="M10 27c5-3 9 2 14-1s9 1 14-1v9H10z" fill="#2f5d80" opacity=".55" />`,
  diced_cheese: html`<path d="M24 7 40 15v17l-16 9-16-9V15z" fill="#e8c66a" /><path d="M24 24v17l16-9V15z" fill="#c9973c" /><path d="M24 24 8 15v17l16 9z" fill="#dcb052" /><circle cx="24" cy="15.5" r="2.6" fill="#5d3a20" /><circle cx="13" cy="23" r="2" fill="#5d3a20" /><circle cx="19" cy="32" r="2" fill="#5d3a20" /><circle cx="32" cy="28" r="2.3" fill="#5d3a20" />`,
  cheesedog: html`<g transform="rotate(-12 20 26)"><rect x="8" y="9" width="22" height="31" rx="3" fill="#7a2f22" /></g><g transform="rotate(9 28 26)"><rect x="17" y="9" width="22" height="31" rx="3" fill="#fffdf6" stroke="#b79f75" /><circle cx="28" cy="27" r="5" fill="#5d3a20" /><circle cx="21.5" cy="21" r="2.4" fill="#5d3a20" /><circle cx="26" cy="17.5" r="2.4" fill="#5d3a20" /><circle cx="31" cy="17.5" r="2.4" fill="#5d3a20" /><circle cx="35" cy="21.5" r="2.4" fill="#5d3a20" /></g>`,
  cheesonomics: html`<path d="M24 24V6a18 18 0 0 1 16 10z" fill="#c0432c" /><path d="M24 24 40 16a18 18 0 0 1-3 21z" fill="#e08a2c" /><path d="m24 24 13 13a18 18 0 0 1-20 4z" fill="#e6c453" /><path d="m24 24-7 17A18 18 0 0 1 7 18z" fill="#4f8a4b" /><path d="M24 24 7 18A18 18 0 0 1 24 6z" fill="#3b719b" /><circle cx="24" cy="24" r="4" fill="#fbf6ea" />`,
};
const WEDGE = html`<path d="M6 28 36 12c4 5 6 10 6 15v9H6z" fill="#e8c66a" /><path d="M6 28h36v3H6z" fill="#c9973c" /><circle cx="18" cy="33" r="2" fill="#c9973c" /><circle cx="30" cy="22" r="3" fill="#c9973c" />`;

/** The emblem of a game; a wedge of cheese for one that has none. */
export const Emblem = ({ game }) => html`<svg class="emblem" viewBox="0 0 48 48" aria-hidden="true">${EMBLEMS[game] ?? WEDGE}</svg>`;
