/** Remarks of players at moments of their finished game. */

import { html, useEffect, useState } from "./html.js";
import { request } from "./net.js";
import { openSheet, closeSheet } from "./sheet.js";
import { texts } from "./messages/en/replay.js";
import { translator } from "./messages.js";

const t = translator(texts);

const MAX_LENGTH = 300;

/** The remarks at a game: [remarks, reload]. */
export function useRemarks(id) {
  const [remarks, setRemarks] = useState([]);
  const load = async () => {
    const answer = id ? await fetch(`/r/${id}/remarks`).catch(() => null) : null;
    if (answer?.ok) setRemarks(await answer.json());
  };
  useEffect(() => void load(), [id]);
  return [remarks, load];
}

/** The remarks at one entry. */
export const RemarksAt = ({ remarks, n }) =>
  remarks.filter((remark) => remark.n === n).map((remark) => html`<p key=${remark.seat} class="note remark">${t.rich("said_later", { name: html`<bdi>${remark.name}</bdi>`, text: remark.text })}</p>`);

function Form({ player, saved }) {
  const [text, setText] = useState("");
  const [fault, setFault] = useState("");
  const send = async (event) => {
    event.preventDefault();
    try {
      await request("remark", { table: player.id, n: player.entry().n, text });
      await saved();
      closeSheet();
    } catch (error) {
      setFault(error.message);
    }
  };
  return html`<form class="menu" onSubmit=${send}>
    <label>${t("on_your_mind")} <textarea rows="3" maxlength=${MAX_LENGTH} value=${text} onInput=${(event) => setText(event.target.value)}></textarea></label>
    <p class="quiet">${t("remark_what")}</p>
    ${fault ? html`<p class="fault" role="alert">${fault}</p>` : null}
    <button class="can do">${t("leave_this")}</button>
  </form>`;
}

export const openRemark = (player, saved) => openSheet(t("remark_at"), () => html`<${Form} ...${{ player, saved }} />`);
