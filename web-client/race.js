/** The start of a race: three, two, one. The server accepts no move before it, so it is the same for all. */

import { html, useEffect, useState } from "./html.js";

/** How many seconds are left until this ask may be answered; 0 once it may. */
export function useSecondsToStart(ask) {
  const [, tick] = useState(0);
  const left = ask?.startsAt ? Math.max(0, ask.startsAt - performance.now()) : 0;
  useEffect(() => {
    if (!left) return undefined;
    const timer = setTimeout(() => tick((count) => count + 1), left % 1000 || 1000);
    return () => clearTimeout(timer);
  });
  return Math.ceil(left / 1000);
}

/** The number over the board: three, two, one. What comes before, such as the win of the last round, is seen until then. */
export const Countdown = ({ seconds }) => (seconds && seconds <= 3 ? html`<p class="countdown" role="timer" aria-live="assertive" key=${seconds}>${seconds}</p>` : null);
