/** Values that this browser keeps: the user's token and name, and the settings. */

import { effect, signal } from "./html.js";
import { texts } from "./messages/en/page.js";
import { translator } from "./messages.js";

const t = translator(texts);

const KEY = "cheeseboard.";

/** Read a value from local storage; `fallback` if there is none or the browser blocks storage. */
export function load(name, fallback) {
  try {
    const text = localStorage.getItem(KEY + name);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** Write a value to local storage; null removes it. */
export function save(name, value) {
  try {
    if (value === null) localStorage.removeItem(KEY + name);
    else localStorage.setItem(KEY + name, JSON.stringify(value));
  } catch {
    // The browser blocks storage: the value lasts as long as the page.
  }
}

function setting(name, fallback) {
  const value = signal(load(name, fallback));
  effect(() => save(name, value.value));
  return value;
}

export const theme = setting("theme", "auto"); // auto, light, dark
export const motion = setting("motion", "auto"); // auto, on, off
export const sound = setting("sound", true);
export const notify = setting("notify", false); // of my turn, when the page is hidden
export const vibrate = setting("vibrate", true); // at my turn, if the device can
export const namedWatcher = setting("named_watcher", false); // whether others see my name when I watch
export const hearsWatchers = setting("hears_watchers", false); // whether I see what watchers say when I play
export const hints = setting("hints", true);
export const nameChosen = setting("named", false); // false while the name is only a suggestion

const query = matchMedia("(prefers-reduced-motion: reduce)");
const reducedMotion = signal(query.matches);
query.addEventListener("change", () => (reducedMotion.value = query.matches));

/** Whether the page may animate: the setting, or by default the preference of the system. */
export const mayAnimate = () => (motion.value === "auto" ? !reducedMotion.value : motion.value === "on");

effect(() => {
  const root = document.documentElement;
  if (theme.value === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme.value;
  root.dataset.motion = mayAnimate() ? "on" : "off";
});

const MOODS = t("moods").split(" ");
const CHEESES = t("cheeses").split(" ");

/** A random name for a new user. */
export function suggestName() {
  const pick = (list) => list[Math.floor(Math.random() * list.length)];
  return t("suggested_name", { mood: pick(MOODS), cheese: pick(CHEESES) });
}
