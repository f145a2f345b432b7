/** What a thing is, in full: a long press, or the right mouse button, on anything with `data-about` shows its text. */

import { useEffect } from "./html.js";
import { showNotice } from "./notice.js";

const LONG_PRESS_MS = 450;
const STILL_PX = 10; // a finger that moves further scrolls or drags

/** Follow presses on the whole page; used by pages with a table. */
export function useAbout() {
  useEffect(() => {
    let timer = null;
    let start = null;
    let shown = false; // the press has shown a text, so the click that ends it does nothing
    const textOf = ({ target }) => target.closest?.("[data-about]")?.dataset.about;
    const stop = () => clearTimeout(timer);
    const show = (text) => {
      shown = true;
      showNotice(text);
    };
    const listeners = {
      pointerdown: (event) => {
        stop();
        shown = false;
        start = event;
        const text = textOf(event);
        if (text && event.isPrimary && event.button === 0) timer = setTimeout(() => show(text), LONG_PRESS_MS);
      },
      pointermove: (event) => start && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > STILL_PX && stop(),
      pointerup: stop,
      pointercancel: stop,
      contextmenu: (event) => {
        const text = textOf(event);
        if (!text) return;
        event.preventDefault();
        stop();
        if (!shown) showNotice(text);
      },
      click: (event) => {
        if (!shown) return;
        shown = false;
        event.preventDefault();
        event.stopPropagation();
      },
    };
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener, true);
    return () => {
      stop();
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener, true);
    };
  }, []);
}
