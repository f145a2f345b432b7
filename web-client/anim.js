/**
 * Animations that show where something went. Elements that things move from or to have an attribute such as
 * `data-place="pile"`. `rememberPlaces` stores the positions of all of them before the page changes, and `fly` moves a copy
 * of something from one to another.
 */

import { h, render } from "./html.js";
import { mayAnimate } from "./settings.js";

let places = new Map();

const find = (place) => document.querySelector(`[data-place="${CSS.escape(place)}"]`);

/** Store the position of every place. */
export function rememberPlaces() {
  if (!mayAnimate()) return;
  places = new Map();
  for (const element of document.querySelectorAll("[data-place]")) {
    places.set(element.dataset.place, element.getBoundingClientRect());
  }
}

/** The position of a place before the page changed; the current position if it was not there. */
export const was = (place) => places.get(place) ?? now(place);

/** The current position of a place; the stored position if it is gone. */
export const now = (place) => find(place)?.getBoundingClientRect() ?? places.get(place) ?? null;

function layer() {
  let element = document.querySelector(".flying");
  if (!element) {
    element = document.createElement("div");
    element.className = "flying";
    element.ariaHidden = "true";
    document.body.append(element);
  }
  return element;
}

/**
 * Animate `what` (a vnode) from one place to another. It takes no clicks, and nothing waits for it. With reduced motion it
 * does nothing; the page's own fade then shows the change.
 */
export function fly(what, from, to, { ms = 300, delay = 0 } = {}) {
  const start = was(from);
  const end = now(to);
  if (!mayAnimate() || !start || !end) return;
  const box = document.createElement("div");
  layer().append(box);
  render(h("div", null, what), box);
  const at = (rect) => {
    const x = rect.left + rect.width / 2 - box.offsetWidth / 2;
    const y = rect.top + rect.height / 2 - box.offsetHeight / 2;
    return `translate(${x}px, ${y}px)`;
  };
  const frames = [
    { transform: at(start), opacity: 0.9 },
    { transform: at(end), opacity: 1, offset: 0.85 },
    { transform: at(end), opacity: 0 },
  ];
  const run = box.animate(frames, { duration: ms, delay, easing: "cubic-bezier(.2,.7,.3,1)", fill: "both" });
  run.onfinish = run.oncancel = () => box.remove();
}

/** Highlight a place for a moment: a bid that rose, a die that turned. */
export function pulse(place) {
  const element = find(place);
  if (!element || !mayAnimate()) return;
  element.animate([{ transform: "scale(1.12)" }, { transform: "none" }], { duration: 260, easing: "ease-out" });
}

const DEAL_MS = 260; // for each card
const DEAL_STEP_MS = 45; // from one card to the next

let created = null; // the table that this page has just created, whose game has started at once

/** Remember that this table was created by this page: its game starts when the page shows it. */
export const rememberCreated = (table) => (created = table);

/** Whether this page has just created the table and has not shown its game yet. */
export const isCreatedHere = (table) => created === table;

/** Whether this page has just created the table; true once. */
export function isJustCreated(table) {
  const is = created === table;
  if (is) created = null;
  return is;
}

/** Deal the hand: the back of each piece comes from the middle of the board. The piece itself stays where it can be pressed. */
export function deal() {
  const from = now("board");
  if (!mayAnimate() || !from) return;
  const pieces = [...document.querySelectorAll(".page.table > .me .hand :is(button, .my-row .small, .painting)")].filter((one) => !one.parentElement.closest("button"));
  pieces.forEach((piece, at) => {
    const to = piece.getBoundingClientRect();
    const timing = { duration: DEAL_MS, delay: at * DEAL_STEP_MS, easing: "cubic-bezier(.2,.7,.3,1)", fill: "backwards" };
    piece.animate([{ opacity: 0 }, { opacity: 0, offset: 0.85 }, { opacity: 1 }], timing);
    const back = document.createElement("div");
    back.className = "dealt-back";
    Object.assign(back.style, { width: `${to.width}px`, height: `${to.height}px` });
    layer().append(back);
    const [x, y] = [from.left + (from.width - to.width) / 2, from.top + (from.height - to.height) / 2];
    const frames = [{ transform: `translate(${x}px, ${y}px) rotate(-12deg)`, opacity: 0 }, { opacity: 1, offset: 0.3 }, { transform: `translate(${to.left}px, ${to.top}px)`, opacity: 1 }];
    const run = back.animate(frames, timing);
    run.onfinish = run.oncancel = () => back.remove();
  });
}
