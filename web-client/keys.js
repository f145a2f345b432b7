/** The keys of a table: those of its controls, in `aria-keyshortcuts`, and those that open a sheet. */

import { openRules } from "./bar.js";
import { useEffect } from "./html.js";
import { sheet } from "./sheet.js";

/** Whether a key belongs to a field or a button that has the focus, not to the table. */
const isTyping = ({ target, key }) => (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && (target.type !== "checkbox" || key === " ")) || (key === " " || key === "Enter" ? target.tagName === "BUTTON" : false);

/** The usable control of the table with this key in its `aria-keyshortcuts`; one in an open popover comes first. */
function controlOf(key) {
  const name = CSS.escape(key.length === 1 ? key.toLowerCase() : key);
  const all = [...document.querySelectorAll(`.page.table > :is(.board, .me) [aria-keyshortcuts~="${name}"]`)].filter((one) => !one.disabled);
  return all.find((one) => one.closest(".popover")) ?? all[0];
}

export function useKeys(info, openMoves, openChat) {
  useEffect(() => {
    const onKey = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || sheet.value) return;
      const control = controlOf(event.key);
      if (control) control.click();
      else if (event.key === "?") openRules(info.game);
      else if (event.key === "w") openMoves();
      else if (event.key === "c") openChat();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}
