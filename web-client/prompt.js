/** The prompt of a seat that is asked something. */

import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { showNotice } from "./notice.js";

/**
 * A prompt in a place of fixed size: in smaller letters if it is long, then as the brief text if there is one, and whole on a tap if
 * it does not fit even so.
 */
export function FittingPrompt({ text, brief }) {
  const box = useRef(null);
  const ways = brief ? [text, text, brief] : [text, text]; // the first one in usual letters, the others in smaller ones
  const [tries, setTries] = useState(0); // how many ways did not fit
  const [measured, setMeasured] = useState(0); // how often the window has changed
  useLayoutEffect(() => {
    if (tries < ways.length && box.current.scrollHeight > box.current.clientHeight + 1) setTries(tries + 1);
  }, [tries, measured]);
  useEffect(() => {
    const measureAgain = () => requestAnimationFrame(() => (setTries(0), setMeasured((count) => count + 1))); // a frame later, for then the page has its new shape
    addEventListener("resize", measureAgain);
    return () => removeEventListener("resize", measureAgain);
  }, []);
  return html`<p ref=${box} class=${`prompt yours ${tries ? "long" : ""}`}>${ways[tries] ?? html`<button onClick=${() => showNotice(text)}>${text}</button>`}</p>`;
}
