/** Choices that belong to one ask and are reset when the next one comes. */

import { useState } from "./html.js";

/** Like useState, but the value is reset to `first` whenever `ask` changes. */
export function useChoice(ask, first) {
  const [kept, setKept] = useState({ ask, value: first });
  const value = kept.ask === ask ? kept.value : first;
  const set = (next) => setKept({ ask, value: typeof next === "function" ? next(value) : next });
  return [value, set];
}
