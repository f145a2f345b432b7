/**
 * The keyboard on the whole page: arrow keys inside groups of buttons, and a focus that is not lost after a move.
 *
 * A group is a radio group, the hand, the board or the controls of a table, or anything with `data-arrows`. Tab reaches
 * a group once (a roving tabindex); arrow keys, Home and End move inside it. When the focused button vanishes or is
 * disabled, because its card was played, the focus moves to the button that is now in its place; if nothing is left
 * there, to the next thing that can be done. Renderers need to do nothing for that but use buttons.
 */

const GROUPS = "[role=radiogroup], [data-arrows], .page.table:not(.replay) :is(.hand, .controls, .board:not(:has(.waiting, .result)))";
const ITEMS = "button, a[href], [role=radio]";
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

let byKeyboard = false; // whether the last input came from the keyboard: the focus follows only then
let last = null; // {element, group, place}: where the focus was last

const groupOf = (element) => element.closest?.(GROUPS) ?? null;
const isUsable = (item) => !item.disabled && item.checkVisibility();
const itemsOf = (group) => [...group.querySelectorAll(ITEMS)].filter((item) => groupOf(item) === group && isUsable(item));
const canAct = (item) => item.matches(".can") && item.getAttribute("aria-disabled") !== "true";

/** The one item of a group that Tab reaches. */
function tabStop(items) {
  return (
    items.find((item) => item === document.activeElement) ??
    items.find((item) => item.getAttribute("aria-checked") === "true") ??
    items.find((item) => item === last?.element && canAct(item)) ??
    items.find(canAct) ??
    items.find((item) => item === last?.element) ??
    items[0]
  );
}

/** Let Tab reach one item of each group. */
function updateTabStops() {
  for (const group of document.querySelectorAll(GROUPS)) {
    const items = itemsOf(group);
    const stop = tabStop(items);
    for (const item of items) {
      const tabIndex = item === stop ? 0 : -1;
      if (item.tabIndex !== tabIndex) item.tabIndex = tabIndex;
    }
  }
}

function focusOn(item) {
  item.focus({ preventScroll: true });
  item.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** The item in the nearest other row, if the items are in several rows. */
function inOtherRow(items, from, step) {
  const middle = (item) => {
    const box = item.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2, box.height];
  };
  const [x, y, height] = middle(from);
  const distance = (item) => {
    const [itemX, itemY] = middle(item);
    const rows = (itemY - y) * step;
    return rows > height / 2 ? rows * 4 + Math.abs(itemX - x) : Infinity;
  };
  const nearest = items.reduce((best, item) => (distance(item) < distance(best) ? item : best), from);
  return nearest === from ? null : nearest;
}

function onKeyDown(event) {
  byKeyboard = true;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const group = groupOf(event.target);
  if (!group || !event.target.matches(ITEMS)) return;
  const items = itemsOf(group);
  const place = items.indexOf(event.target);
  const step = STEPS[event.key];
  let next = null;
  if (event.key === "Home") next = items[0];
  else if (event.key === "End") next = items.at(-1);
  else if (step) {
    const vertical = /Up|Down/.test(event.key) && event.target.getAttribute("role") !== "radio";
    next = (vertical && inOtherRow(items, event.target, step)) || items.at((place + step) % items.length);
  }
  if (!next || next === event.target) return;
  event.preventDefault();
  focusOn(next);
  if (next.getAttribute("role") === "radio") next.click();
}

function onFocusIn({ target }) {
  const group = groupOf(target);
  last = group && { element: target, group, place: itemsOf(group).indexOf(target) };
  if (group) updateTabStops();
}

/** The group that has taken the place of one that was drawn anew. */
function sameGroup(group) {
  if (group.isConnected) return group;
  const names = [...group.classList].map((name) => `.${CSS.escape(name)}`).join("");
  return [...document.querySelectorAll(GROUPS)].find((other) => names && other.matches(names)) ?? null;
}

/** Return the focus that was lost because its element has vanished. */
function restoreFocus() {
  const now = document.activeElement;
  if (!last || !byKeyboard || (now && now !== document.body && !now.disabled)) return;
  if (last.element.isConnected && isUsable(last.element)) return;
  const group = sameGroup(last.group);
  const items = group ? itemsOf(group) : [];
  const elsewhere = () => [...document.querySelectorAll(GROUPS)].flatMap(itemsOf).find(canAct);
  const next = items[Math.min(last.place, items.length - 1)] ?? elsewhere();
  if (next) focusOn(next);
}

/** Start listening. */
export function followFocus() {
  addEventListener("keydown", onKeyDown);
  addEventListener("pointerdown", () => (byKeyboard = false), true);
  addEventListener("focusin", onFocusIn);
  const changes = { childList: true, subtree: true, attributes: true, attributeFilter: ["class", "disabled", "aria-checked"] };
  new MutationObserver(() => {
    restoreFocus();
    updateTabStops();
  }).observe(document.getElementById("app"), changes);
  updateTabStops();
}
