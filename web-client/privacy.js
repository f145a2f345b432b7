/** The part of the settings about my account: whom I block or mute, and my token. */

import { blocked, loadBlocked, unblock } from "./blocked.js";
import { Confirm } from "./confirm.js";
import { html, useEffect, useState } from "./html.js";
import { deleteAccount, keptOfMe, replaceToken } from "./net.js";
import { muted, toggleMute } from "./talk.js";
import { texts } from "./messages/en/page.js";
import { translator } from "./messages.js";

const t = translator(texts);

/** Save what the server keeps of me as a file. */
async function downloadKept() {
  const text = JSON.stringify(await keptOfMe(), null, 1);
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: "cheeseboard-kept.json" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function Privacy() {
  const [text, setText] = useState("");
  useEffect(() => void loadBlocked().catch(() => {}), []);
  const run = (work, done) => work().then(() => setText(done), (error) => setText(error.message));
  const mutes = [...muted.value].filter(([key]) => key !== "*");
  return html`<section class="menu privacy" aria-label=${t("your_account")}>
    ${blocked.value.size ? html`<h3>${t("blocked")}</h3>
      <ul class="rows" aria-label=${t("blocked")}>${[...blocked.value].map(([user, name]) => html`<li key=${user}><bdi>${name}</bdi><button onClick=${() => run(() => unblock(user), "")} aria-label=${t("unblock_name", { name })}>${t("unblock")}</button></li>`)}</ul>` : null}
    ${mutes.length ? html`<h3>${t("muted")}</h3>
      <ul class="rows" aria-label=${t("muted")}>${mutes.map(([key, name]) => html`<li key=${key}><bdi>${name}</bdi><button onClick=${() => toggleMute(key)} aria-label=${t("unmute_name", { name })}>${t("unmute")}</button></li>`)}</ul>` : null}
    <p class="row">
      <button onClick=${() => run(downloadKept, "")}>${t("download_kept")}</button>
      <${Confirm} label=${t("log_out")} sure=${t("log_out_sure")} act=${() => run(replaceToken, t("logged_out"))} />
      <${Confirm} label=${t("delete_account")} sure=${t("delete_sure")} act=${() => run(deleteAccount, t("deleted"))} />
    </p>
    <p role="status" class="quiet">${text}</p>
  </section>`;
}
