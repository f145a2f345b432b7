/** Shows elsewhere that it is my turn: the title, the icon of the tab, a notification, a vibration, a screen reader. */

import { announce } from "./announce.js";
import { useEffect } from "./html.js";
import { fileUrl } from "./renderers.js";
import { notify, vibrate } from "./settings.js";
import * as sound from "./sound.js";
import { texts } from "./messages/en/table.js";
import { translator } from "./messages.js";

const t = translator(texts);

const LONG_WAIT_MS = 5000; // a turn that comes sooner after my last move needs no vibration

let endedAt = 0; // when my last turn ended, by performance.now()
let shown = null; // the notification

/** Tell the user when a turn begins. `text` says what is asked, `game` is the title of the game. */
export function useTurn(ask, text, game) {
  useEffect(() => {
    if (ask === null) return undefined;
    begin(text, game);
    return end;
  }, [ask]);
}

function begin(text, game) {
  document.title = t("turn_title");
  setIcon("turn.svg");
  announce(text.startsWith(t("your_turn")) ? text : t("turn_announced", { text }));
  sound.play("turn");
  if (vibrate.value && endedAt && performance.now() - endedAt > LONG_WAIT_MS) navigator.vibrate?.(150);
  if (notify.value && document.visibilityState === "hidden") showNotification(text, game);
}

function end() {
  document.title = "Cheeseboard";
  setIcon("icon.svg");
  endedAt = performance.now();
  announce("");
  shown?.close();
  shown = null;
}

function setIcon(name) {
  document.querySelector("link[rel=icon]").href = fileUrl(name);
}

/** Show a notification of the system. Phones show them only through the service worker. */
async function showNotification(text, game) {
  if (globalThis.Notification?.permission !== "granted") return;
  const options = { body: text, icon: fileUrl("icon-192.png"), tag: "turn" };
  const title = t("turn_of", { game });
  try {
    shown = new Notification(title, options);
    shown.onclick = () => (focus(), shown?.close());
  } catch {
    const worker = await navigator.serviceWorker?.getRegistration();
    await worker?.showNotification(title, { ...options, data: location.pathname });
  }
}

/** Switch notifications on, which asks the user for permission, or off. Returns why they stay off, or "". */
export async function allowNotifications(on) {
  notify.value = false;
  if (!on) return "";
  if (!globalThis.Notification) return t("no_notifications");
  if ((await Notification.requestPermission()) !== "granted") return t("notifications_off");
  notify.value = true;
  return "";
}
