/** What this browser remembers: who one is, and how one likes it. */

import { effect, signal } from "./html.js";

const KEY = "cheeseboard.";

/** A value of local storage; `fallback` where nothing is kept or storage is closed to us. */
export function kept(name, fallback) {
  try {
    const text = localStorage.getItem(KEY + name);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** Keep a value; null forgets it. */
export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(KEY + name);
    else localStorage.setItem(KEY + name, JSON.stringify(value));
  } catch {
    // Storage is closed to us: the value lives as long as the page.
  }
}

function setting(name, fallback) {
  const value = signal(kept(name, fallback));
  effect(() => keep(name, value.value));
  return value;
}

export const theme = setting("theme", "auto"); // auto, light, dark
export const motion = setting("motion", "auto"); // auto, on, off
export const sound = setting("sound", false);
export const hints = setting("hints", true);
export const named = setting("named", false); // whether the name was chosen, not suggested

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const calmNow = signal(calm.matches);
calm.addEventListener("change", () => (calmNow.value = calm.matches));

/** Whether things may move: the setting, or what the system asks for. */
export const moving = () => (motion.value === "auto" ? !calmNow.value : motion.value === "on");

effect(() => {
  const root = document.documentElement;
  if (theme.value === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme.value;
  root.dataset.motion = moving() ? "on" : "off";
});

const MOODS = ["Mellow", "Ripe", "Smoky", "Crumbly", "Nutty", "Sharp", "Young", "Golden", "Salty", "Bold"];
const CHEESES = ["Brie", "Gouda", "Feta", "Comté", "Edam", "Manchego", "Stilton", "Ricotta", "Gruyère", "Havarti"];

/** A fair name for somebody who has not said theirs. */
export function suggestion() {
  const one = (list) => list[Math.floor(Math.random() * list.length)];
  return `${one(MOODS)} ${one(CHEESES)}`;
}
