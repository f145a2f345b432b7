/** Choices that belong to one ask: they are forgotten when another one comes. */

import { useState } from "./html.js";

/** Like useState, but `first` again whenever `ask` is another. */
export function useChoice(ask, first) {
  const [kept, setKept] = useState({ ask, value: first });
  const value = kept.ask === ask ? kept.value : first;
  const set = (next) => setKept({ ask, value: typeof next === "function" ? next(value) : next });
  return [value, set];
}
