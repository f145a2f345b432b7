/** Copying a text: with the clipboard where the browser gives one, else out of a selected field, else by hand. */

import { html, useEffect, useRef, useState } from "./html.js";

export function Copy({ text, label }) {
  const [done, setDone] = useState(null);
  const field = useRef(null);
  useEffect(() => setDone(null), [text]);
  useEffect(() => {
    if (done === false) field.current.focus();
  }, [done]);
  const copy = async (event) => setDone(await copied(text, event.currentTarget));
  return html`<button type="button" onClick=${copy}>${done ? "Copied" : label}</button>
    ${done === false ? html`<input class="by-hand" readonly aria-label="To be copied by hand" value=${text} ref=${field} onFocus=${(event) => event.target.select()} />` : null}`;
}

/** Whether it was copied; over plain http there is no clipboard. */
async function copied(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedFromField(text, button);
  }
}

/** The field stands beside the button, since outside an open sheet nothing can be selected. */
function copiedFromField(text, button) {
  const field = document.createElement("textarea");
  field.className = "sr";
  field.value = text;
  button.after(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  button.focus();
  return done;
}
