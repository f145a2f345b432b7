/**
 * Motion that shows where something went. Things that others come from or go to carry `data-place="pile"`;
 * `remember` notes where all of them are before the page changes, and `fly` moves a copy from one to another.
 */

import { h, render } from "./html.js";
import { moving } from "./settings.js";

let places = new Map();

const find = (place) => document.querySelector(`[data-place="${CSS.escape(place)}"]`);

/** Note where every place is now. */
export function remember() {
  if (!moving()) return;
  places = new Map();
  for (const element of document.querySelectorAll("[data-place]")) {
    places.set(element.dataset.place, element.getBoundingClientRect());
  }
}

/** Where a place was before the page changed, or is now if it was not there. */
export const was = (place) => places.get(place) ?? now(place);

/** Where a place is now, or was if it is gone. */
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
 * Show `what` (a vnode) going from one place to another. Never in the way: it takes no clicks and keeps nobody
 * waiting. With little motion it does nothing, and the page's own fade says it.
 */
export function fly(what, from, to, { ms = 300, delay = 0 } = {}) {
  const start = was(from);
  const end = now(to);
  if (!moving() || !start || !end) return;
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

/** Let something that is there draw the eye for a moment: a bid that rose, a die that turned. */
export function pulse(place) {
  const element = find(place);
  if (!element || !moving()) return;
  element.animate([{ transform: "scale(1.12)" }, { transform: "none" }], { duration: 260, easing: "ease-out" });
}
