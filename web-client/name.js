/** The only question: what to call somebody. Asked once, with a suggestion. */

import { html, signal, useState } from "./html.js";
import { request, user } from "./net.js";
import { keep, named } from "./settings.js";

const draft = signal(null); // what is being typed; null: the name as it is

/** Make sure that the name in the field is the one that others see; resolves when it is. */
export async function settleName() {
  const name = (draft.value ?? "").trim();
  if (name && user.value && name !== user.value.name) {
    await request("rename", { name });
    user.value = { ...user.value, name };
    keep("name", name);
  }
  named.value = true;
  draft.value = null;
}

export function AskName({ always = false }) {
  const [fault, setFault] = useState("");
  const now = user.value?.name ?? "";
  if (named.value && !always) return null;
  const save = () => settleName().then(() => setFault(""), (no) => setFault(no.message));
  return html`<label class="ask-name">
    <span>Your name</span>
    <input maxlength="24" autocomplete="nickname" value=${draft.value ?? now} onInput=${(event) => (draft.value = event.target.value)} onChange=${save} />
    ${fault && html`<span class="fault" role="alert">${fault}</span>`}
  </label>`;
}
