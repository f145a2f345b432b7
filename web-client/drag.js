/**
 * Cards of the hand can be dragged as well as tapped, with a mouse or a finger.
 *
 * A card that is dropped on the board does what a tap on it does, unless it is chosen already; if a place can be used then (TARGET),
 * such as a place for a wedge or a set, and it lies under the pointer, it is used too. A pointer that moves across the hand chooses
 * all cards it passes, where several can be chosen; at the edge of a hand that is wider than the page, the hand moves along.
 * Renderers need to do nothing for that but use buttons, with `aria-pressed` where several can be chosen.
 */

import { useEffect } from "./html.js";

const START_PX = 10; // a pointer that moves less is a tap
const EDGE_PX = 28; // of a hand that is wider than the page
const CARD = ".page.table > .me .hand :is(button):not([aria-disabled=true], :disabled, .my-set)";
const TARGET = ":is(.board .target, .board .space, .my-set).can:not([aria-pressed=true])";
const DROP = ".page.table > .board, .page.table > .me .my-set";
const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/** A copy of a card that follows the pointer and takes no clicks. */
function copyOf(card, x, y) {
  const box = card.getBoundingClientRect();
  const copy = card.cloneNode(true);
  copy.classList.add("dragged");
  copy.inert = true;
  copy.ariaHidden = "true";
  copy.removeAttribute("data-place");
  Object.assign(copy.style, { width: `${box.width}px`, height: `${box.height}px`, left: `${box.left - x}px`, top: `${box.top - y}px` });
  card.closest(".hand").append(copy); // the styles of a card depend on where it is
  return copy;
}

async function drop(card, x, y) {
  if (card.getAttribute("aria-pressed") !== "true") card.click(); // a second tap would take the choice back
  await nextFrame();
  document.elementFromPoint(x, y)?.closest(TARGET)?.click();
}

/** Scroll a hand that is wider than the page: along with a sweep at its edge, or with a finger that neither sweeps nor drags. */
function scroll({ scroller, left, x, swept, card }, event) {
  if (!scroller) return;
  const box = scroller.getBoundingClientRect();
  if (swept.size) scroller.scrollLeft += event.clientX > box.right - EDGE_PX ? 12 : event.clientX < box.left + EDGE_PX ? -12 : 0;
  else if (event.pointerType === "touch" && !card.hasAttribute("aria-pressed")) scroller.scrollLeft = left - (event.clientX - x);
}

/** Follow pointers on the whole page; used by pages with a table. */
export function useDragging() {
  useEffect(() => {
    let held = null; // {card, x, y, copy, swept, moved, scroller, left}
    let ended = false; // a drag has just ended, so the click that follows does nothing
    const over = ({ clientX, clientY }, query) => document.elementFromPoint(clientX, clientY)?.closest(query) ?? null;
    let chosen = Promise.resolve(); // one card after the other, for each choice must be drawn before the next
    const choose = (card) => {
      if (held.swept.has(card) || !card.hasAttribute("aria-pressed")) return;
      held.swept.add(card);
      chosen = chosen.then(nextFrame).then(() => card.getAttribute("aria-pressed") !== "true" && card.click());
    };
    const stop = () => {
      held?.copy?.remove();
      delete document.documentElement.dataset.drop;
      held = null;
    };
    const listeners = {
      pointerdown: (event) => {
        stop();
        ended = false;
        const card = event.isPrimary && event.button === 0 ? event.target.closest?.(CARD) : null;
        if (!card) return;
        const cards = card.parentElement;
        const scroller = cards.scrollWidth > cards.clientWidth ? cards : null;
        held = { card, x: event.clientX, y: event.clientY, copy: null, swept: new Set(), moved: false, scroller, left: cards.scrollLeft };
      },
      pointermove: (event) => {
        if (!held) return;
        const [right, down] = [event.clientX - held.x, event.clientY - held.y];
        if (!held.moved && Math.hypot(right, down) < START_PX) return;
        held.moved = true;
        const other = held.copy ? null : over(event, CARD);
        if (other && (held.swept.size || other !== held.card)) {
          choose(held.card);
          choose(other);
        } else if (!held.swept.size && (held.copy || down < -START_PX)) {
          held.copy ??= copyOf(held.card, held.x, held.y);
          held.copy.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
          document.documentElement.dataset.drop = over(event, DROP) ? "here" : "";
        }
        if (!held.copy) scroll(held, event);
      },
      pointerup: (event) => {
        if (!held) return;
        const { card, copy, moved } = held;
        ended = moved && (copy !== null || held.swept.size > 0);
        stop();
        if (copy && over(event, DROP)) {
          ended = false; // the click on the card is ours; the browser's own goes to what contains the card and the board
          drop(card, event.clientX, event.clientY);
        }
      },
      pointercancel: stop,
      click: (event) => {
        if (!ended || !event.isTrusted) return;
        ended = false;
        event.preventDefault();
        event.stopPropagation();
      },
    };
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener, true);
    return () => {
      stop();
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener, true);
    };
  }, []);
}
