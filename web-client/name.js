/** The user's name: the page asks for it once, with a suggestion. */

import { html, signal, useState } from "./html.js";
import { request, user } from "./net.js";
import { MyPicture } from "./picture.js";
import { nameChosen, save } from "./settings.js";
import { texts } from "./messages/en/page.js";
import { translator } from "./messages.js";

const t = translator(texts);

const draft = signal(null); // the text in the field; null if it was not edited

/** The field `name` of a request that may change the name: empty if the name stays as it is. */
export function newName() {
  const name = (draft.value ?? "").trim();
  return name && name !== user.value?.name ? { name } : {};
}

/** A request with `newName()` was done: the name is the user's own now. */
export function nameAccepted({ name }) {
  if (name) {
    user.value = { ...user.value, name };
    save("name", name);
  }
  nameChosen.value = true;
  const typed = (draft.value ?? "").trim();
  if (!typed || typed === user.value?.name) draft.value = null; // another name may have been typed meanwhile
}

/** Send the name in the field to the server if it was changed. */
export async function saveName() {
  const changed = newName();
  if (changed.name) await request("rename", changed);
  nameAccepted(changed);
}

/**
 * The field for the name. It stays where it is until the page changes, and leaving it saves nothing: the next request
 * takes the name along. Otherwise the page would move under a pointer that is being pressed. Where there is no such
 * request, `saves` makes leaving the field save. `always` shows the field to users who have chosen a name before,
 * `picture` the button for the picture beside it.
 */
export function AskName({ always = false, saves = false, picture = false }) {
  const [asked] = useState(always || !nameChosen.value);
  const [fault, setFault] = useState("");
  if (!asked) return null;
  const submit = () => saveName().then(() => setFault(""), (error) => setFault(error.message));
  const onKey = (event) => event.key === "Enter" && submit();
  return html`${picture ? html`<${MyPicture} />` : null}<label class="ask-name">
    <span>${t("your_name")}</span>
    <input maxlength="24" autocomplete="nickname" value=${draft.value ?? user.value?.name ?? ""} onInput=${(event) => (draft.value = event.target.value)} onKeyDown=${onKey} onChange=${saves ? submit : null} />
    ${fault && html`<span class="fault" role="alert">${fault}</span>`}
  </label>`;
}
