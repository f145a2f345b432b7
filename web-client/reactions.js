/** Reactions: an emoji that a press sends to the table. They are chat, so who is muted stays silent; the page draws them itself. */

import { html, useEffect, useRef, useState } from "./html.js";
import { icons } from "./icons.js";
import { keepInside } from "./inside.js";
import { request } from "./net.js";
import { texts } from "./messages/en/people.js";
import { translator } from "./messages.js";

const t = translator(texts);

const face = (inside) => html`<circle cx="18" cy="18" r="15" fill="#f6c945" stroke="#a5761a" stroke-width="1.5" />${inside}`;
const EYES = html`<g fill="#3a2a12"><circle cx="12.5" cy="15" r="2" /><circle cx="23.5" cy="15" r="2" /></g>`;
const stroke = (d) => html`<path d=${d} fill="none" stroke="#3a2a12" stroke-width="2" stroke-linecap="round" />`;

// The emoji, what it is called, and how it is drawn in 36 x 36.
const DRAWN = [
  ["👍", t("thumbs_up"), html`<path d="M13 16 19 4c3 0 4 3 3 6l-1 4h8c3 0 4 2 3 4l-3 10c-1 2-2 3-4 3H13z" fill="#f6c945" stroke="#a5761a" stroke-width="1.5" stroke-linejoin="round" /><rect x="4" y="15" width="8" height="17" rx="2" fill="#2f5d80" />`],
  ["❤️", t("heart"), html`<path d="M18 32C6 23 3 17 4 12c1-6 10-8 14-1 4-7 13-5 14 1 1 5-2 11-14 20z" fill="#d8443a" />`],
  ["😂", t("laughing"), face(html`${stroke("M9 15q3-4 6 0M21 15q3-4 6 0")}<path d="M9 19h18c0 7-4 10-9 10s-9-3-9-10z" fill="#7d2f22" /><path d="M6 17c-3 3-4 6-1 7s4-3 1-7zM30 17c3 3 4 6 1 7s-4-3-1-7z" fill="#5aa9dd" />`)],
  ["😮", t("surprised"), face(html`${EYES}<ellipse cx="18" cy="25" rx="4" ry="5" fill="#7d2f22" />${stroke("M9 9q3-3 6-1M27 9q-3-3-6-1")}`)],
  ["😢", t("crying"), face(html`${EYES}${stroke("M12 27q6-5 12 0")}<path d="M24 18c-3 4-4 8-1 9s5-4 1-9z" fill="#5aa9dd" />`)],
  ["😡", t("angry"), html`<circle cx="18" cy="18" r="15" fill="#e2653f" stroke="#8f2f1a" stroke-width="1.5" />${EYES}${stroke("M8 9l7 4M28 9l-7 4M12 27q6-5 12 0")}`],
  ["🔥", t("fire"), html`<path d="M19 3c1 6 9 9 9 18 0 7-5 12-10 12S8 28 8 21c0-4 2-7 5-9 0 3 1 5 3 5 3-3 0-8 3-14z" fill="#e8622c" /><path d="M18 33c-4 0-6-3-6-6 0-4 4-5 5-10 4 3 7 6 7 10 0 3-2 6-6 6z" fill="#f6c945" />`],
  ["🧀", t("cheese"), html`<path d="M3 22 27 6c4 4 6 9 6 14v11H3z" fill="#f2c14e" /><path d="M3 22h30v3H3z" fill="#d99f2c" /><g fill="#d99f2c"><circle cx="24" cy="15" r="3" /><circle cx="11" cy="28" r="2" /><circle cx="26" cy="28" r="2" /></g>`],
];
const REACTIONS = new Map(DRAWN.map(([emoji, label, drawing]) => [emoji, { label, drawing }]));

export const isReaction = (text) => REACTIONS.has(text);

/** The picture of a reaction. */
export function Reaction({ emoji }) {
  const { label, drawing } = REACTIONS.get(emoji);
  return html`<svg class="reaction" role="img" aria-label=${label} viewBox="0 0 36 36">${drawing}</svg>`;
}

/** A chat text; a reaction as its picture. */
export const ChatText = ({ text }) => (isReaction(text) ? html`<${Reaction} emoji=${text} />` : html`<bdi>${text}</bdi>`);

/** A button for each reaction. `say` gets the emoji. */
export const ReactionButtons = ({ say }) => [...REACTIONS].map(([emoji, { label }]) => html`<button key=${emoji} type="button" class="react" aria-label=${t("react_with", { label })} onClick=${() => say(emoji)}><${Reaction} emoji=${emoji} /></button>`);

/** A button over my seat that opens the reactions above it. */
export function React({ table }) {
  const [open, setOpen] = useState(false);
  const [fault, setFault] = useState("");
  const box = useRef(null);
  useEffect(() => {
    if (!open) return undefined;
    const outside = ({ target, key }) => (key ? key === "Escape" : !box.current?.contains(target)) && setOpen(false);
    addEventListener("pointerdown", outside);
    addEventListener("keydown", outside);
    return () => (removeEventListener("pointerdown", outside), removeEventListener("keydown", outside));
  }, [open]);
  const say = (text) => request("say", { table, text }).then(() => (setFault(""), setOpen(false)), (error) => setFault(error.message));
  return html`<span class="react-menu" ref=${box}>
    <button type="button" class="seat-menu" aria-label=${t("react")} aria-expanded=${open} title=${t("react")} onClick=${() => setOpen(!open)}><span class="sign">${icons.smile()}</span></button>
    ${open ? html`<span class="popover" ref=${keepInside} role="group" aria-label=${t("reactions")}><${ReactionButtons} say=${say} />${fault && html`<span class="fault" role="alert">${fault}</span>`}</span>` : null}
  </span>`;
}
