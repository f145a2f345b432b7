/** A button that asks once more before it does something that cannot be undone. */

import { html, useState } from "./html.js";

export function Confirm({ label, sure, act }) {
  const [asked, setAsked] = useState(false);
  const press = () => {
    if (asked) act();
    setAsked(!asked);
  };
  return html`<button class=${asked ? "danger" : ""} onClick=${press} onBlur=${() => setAsked(false)}>${asked ? sure : label}</button>`;
}
