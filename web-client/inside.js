/** Keeps what opens over the page, such as a chooser at a card, inside the window. */

const EDGE_PX = 8; // that stay free beside it

/** Move an element sideways so that it extends beyond neither edge of the window; usable as a `ref`. */
export function keepInside(element) {
  if (!element) return;
  element.style.translate = "";
  const [base] = getComputedStyle(element).translate.split(" "); // of its style sheet, such as -50%
  const { left, right } = element.getBoundingClientRect();
  const shift = Math.max(EDGE_PX - left, Math.min(0, document.documentElement.clientWidth - EDGE_PX - right));
  if (shift) element.style.translate = `calc(${base === "none" ? "0px" : base} + ${shift}px)`;
}

// Also when a phone is turned; a frame later, for then the page has its new shape.
addEventListener("resize", () => requestAnimationFrame(() => document.querySelectorAll(".popover, .bubble").forEach(keepInside)));
