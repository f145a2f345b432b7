/** The prompt of a seat that is asked something. */

import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { showNotice } from "./notice.js";

/** A prompt in a place of fixed size: in smaller letters if it is long, and whole on a tap if it does not fit even so. */
export function FittingPrompt({ text }) {
  const box = useRef(null);
  const [tries, setTries] = useState(0); // 0: as usual, 1: smaller, 2: cut off
  const [measured, setMeasured] = useState(0); // how often the window has changed
  useLayoutEffect(() => {
    if (tries < 2 && box.current.scrollHeight > box.current.clientHeight + 1) setTries(tries + 1);
  }, [tries, measured]);
  useEffect(() => {
    const measureAgain = () => requestAnimationFrame(() => (setTries(0), setMeasured((count) => count + 1))); // a frame later, for then the page has its new shape
    addEventListener("resize", measureAgain);
    return () => removeEventListener("resize", measureAgain);
  }, []);
  return html`<p ref=${box} class=${`prompt yours ${tries ? "long" : ""}`}>${tries < 2 ? text : html`<button onClick=${() => showNotice(text)}>${text}</button>`}</p>`;
}
