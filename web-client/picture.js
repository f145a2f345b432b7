/** The choice of one's picture. */

import { Avatar, PICTURES } from "./avatar.js";
import { html, useState } from "./html.js";
import { request, user } from "./net.js";
import { closeSheet, openSheet } from "./opened_sheet.js";
import { texts } from "./messages/en/page.js";
import { translator } from "./messages.js";

const t = translator(texts);

async function choose(avatar) {
  await request("rename", { name: user.value.name, avatar });
  user.value = { ...user.value, avatar };
}

/** All pictures and the initials, as a group of radio buttons. `done` is called after a choice. */
export function Pictures({ done = () => {} }) {
  const [fault, setFault] = useState("");
  const now = user.value?.avatar ?? "";
  const pick = (name) => choose(name).then(done, (error) => setFault(error.message));
  return html`<div class="pictures" role="radiogroup" aria-label=${t("your_picture")}>
    ${["", ...Object.keys(PICTURES)].map((name) => html`<button key=${name} type="button" role="radio" aria-checked=${name === now} onClick=${() => pick(name)}><span class="sr">${name ? t(`picture_${name}`) : t("initials")}</span><${Avatar} name=${user.value?.name} picture=${name} /></button>`)}
    ${fault && html`<p class="fault" role="alert">${fault}</p>`}
  </div>`;
}

const openPictures = () => openSheet(t("your_picture"), () => html`<${Pictures} done=${closeSheet} />`);

/** My avatar as a button that opens the choice; `seat` and `name` are those of my seat, if I have one. */
export const MyPicture = ({ seat, name = user.value?.name }) => html`<button type="button" class="my-picture" title=${t("choose_picture")} onClick=${openPictures}><span class="sr">${t("choose_picture")}</span><${Avatar} name=${name} picture=${user.value?.avatar} seat=${seat} /></button>`;
