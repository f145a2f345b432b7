/** Shows elsewhere that it is my turn: the title, the icon of the tab, a notification, a vibration, a screen reader. */

import { announce } from "./announce.js";
import { useEffect } from "./html.js";
import { fileUrl } from "./renderers.js";
import { notify, vibrate } from "./settings.js";
import * as sound from "./sound.js";
import { texts } from "./messages/en/table.js";
import { translator } from "./messages.js";

const t = translator(texts);

const LONG_WAIT_MS = 5000; // a turn that comes sooner after my last move, or while I use the page, needs no vibration

let busyAt = 0; // when my last turn ended or I last touched the page, by performance.now()
let shown = null; // the notification
for (const type of ["pointerdown", "keydown"]) addEventListener(type, () => (busyAt = performance.now()));

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
  if (vibrate.value && performance.now() - busyAt > LONG_WAIT_MS && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(150);
  if (notify.value && document.visibilityState === "hidden") showNotification(text, game);
}

function end() {
  document.title = "Cheeseboard";
  setIcon("icon.svg");
  busyAt = performance.now();
  announce("");
  shown?.close();
  shown = null;
  closeOfWorker();
}

/** Close the notification that the service worker shows. */
async function closeOfWorker() {
  if (globalThis.Notification?.permission !== "granted") return;
  const worker = await navigator.serviceWorker?.getRegistration();
  for (const one of (await worker?.getNotifications?.({ tag: "turn" })) ?? []) one.close();
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
