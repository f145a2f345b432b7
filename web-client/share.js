/** The invitation to a table: its address, a QR code, the code, and the system's share sheet where there is one. */

import { Copy } from "./copy.js";
import { html, useState } from "./html.js";
import { titleOf } from "./net.js";
import { openSheet } from "./sheet.js";
import { texts } from "./messages/en/people.js";
import { translator } from "./messages.js";

const t = translator(texts);

export const tableUrl = (info) => `${location.origin}/t/${info.table}`;

/** Whether other devices cannot open this page's address, because it means the device itself. */
const isLoopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

export const CopyLink = () => html`<${Copy} text=${location.href} label=${t("copy_link")} />`;

export function Share({ info }) {
  const [fault, setFault] = useState("");
  const url = tableUrl(info);
  const showCode = async () => {
    try {
      setFault("");
      const { size, path } = (await import("./qr_code.js")).qrCode(url);
      openSheet(t("scan"), () => html`<svg class="qr" role="img" aria-label=${t("qr_of", { url })} viewBox=${`-1 -1 ${size + 2} ${size + 2}`}><path d=${path} /></svg>`);
    } catch {
      setFault(t("qr_failed"));
    }
  };
  const share = () => navigator.share({ title: t("play_with_me", { title: titleOf(info.game) }), url }).catch(() => {}); // the user may cancel it
  return html`<section class="share" aria-label=${t("invite")}>
    <p class="address"><a href=${`/t/${info.table}`}>${url}</a></p>
    ${isLoopback && html`<p class="quiet">${t("only_here")}</p>`}
    <p class="row">
      <${Copy} text=${url} label=${t("copy_link")} />
      ${navigator.share ? html`<button type="button" onClick=${share}>${t("share")}</button>` : null}
      <button type="button" onClick=${showCode}>${t("qr_code")}</button>
      <span>${t.rich("code", { code: html`<b class="code">${info.code}</b>` })}</span>
    </p>
    ${fault && html`<p class="fault" role="alert">${fault}</p>`}
  </section>`;
}
