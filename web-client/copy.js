/** A button that copies a text: with the clipboard API, else from a selected field, else the user copies it. */

import { html, useEffect, useRef, useState } from "./html.js";
import { texts } from "./messages/en/page.js";
import { translator } from "./messages.js";

const t = translator(texts);

export function Copy({ text, label }) {
  const [done, setDone] = useState(null);
  const field = useRef(null);
  useEffect(() => setDone(null), [text]);
  useEffect(() => {
    if (done === false) field.current.focus();
  }, [done]);
  const copy = async (event) => setDone(await copyText(text, event.currentTarget));
  return html`<button type="button" onClick=${copy}>${done ? t("copied") : label}</button>
    ${done === false ? html`<input class="by-hand" readonly aria-label=${t("copy_by_hand")} value=${text} ref=${field} onFocus=${(event) => event.target.select()} />` : null}`;
}

/** Copy the text and return whether that worked. Over plain http there is no clipboard API. */
async function copyText(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyFromField(text, button);
  }
}

/** The field is inserted after the button, because nothing outside an open dialog can be selected. */
function copyFromField(text, button) {
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
