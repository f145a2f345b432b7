/** The page without a network: a service worker that keeps the client, and a note that says what still works. */

import { html, signal } from "./html.js";
import { texts } from "./messages/en/page.js";
import { translator } from "./messages.js";

const t = translator(texts);

const INSTALL_MS = 5000; // after the page has been loaded: the first visit needs the network for itself
export const offline = signal(!navigator.onLine);

addEventListener("online", () => (offline.value = false));
addEventListener("offline", () => (offline.value = true));

/** Let the service worker keep the client. Without a secure connection browsers have none. */
export function keepOffline() {
  const install = () => navigator.serviceWorker?.register("/sw.js").catch((error) => console.info(`no service worker: ${error.message}`));
  addEventListener("load", () => setTimeout(install, INSTALL_MS));
}

export function OfflineNote() {
  if (!offline.value) return null;
  return html`<p class="offline-note" role="status">
    <b>${t("offline")}</b> ${t("offline_what")}
  </p>`;
}
