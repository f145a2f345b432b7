/** The pages of addresses that are no page of ours, and of invitation codes. */

import { html, useEffect, useState } from "./html.js";
import { findByCode } from "./net.js";
import { texts } from "./messages/en/page.js";
import { translator } from "./messages.js";

const t = translator(texts);

export function MissingPage({ go }) {
  return html`<main class="page alone">
    <h1>${t("no_page")}</h1>
    <p>${t("no_page_why")}</p>
    <p><button class="do can" onClick=${() => go("/")}>${t("to_lobby")}</button></p>
  </main>`;
}

/** Find the table of an invitation code and go there. */
export function CodePage({ code, go }) {
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    findByCode(code).then((table) => go(`/t/${table}`, true), () => setMissing(true));
  }, [code]);
  if (!missing) return html`<main class="page alone"><p role="status">${t("looking_for_table")}</p></main>`;
  return html`<main class="page alone">
    <h1>${t("no_code")}</h1>
    <p>${t.rich("check_code", { code: html`<b class="code">${code}</b>` })}</p>
    <p><button class="do can" onClick=${() => go("/")}>${t("to_lobby")}</button></p>
  </main>`;
}
