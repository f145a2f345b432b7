/** Lists that show their newest line. */

import { useEffect, useLayoutEffect, useRef } from "./html.js";

/** Keep a list scrolled to its end as it grows, unless the user has scrolled up. */
export function useStickToBottom() {
  const box = useRef(null);
  const atEnd = useRef(true);
  useEffect(() => {
    const element = box.current;
    const update = () => requestAnimationFrame(() => (atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 40));
    element.onwheel = element.ontouchmove = element.onkeyup = element.onpointerup = update; // the user's scrolling, not our own
    const resized = new ResizeObserver(() => atEnd.current && (element.scrollTop = element.scrollHeight)); // for instance in a sheet that opens
    resized.observe(element);
    return () => resized.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (atEnd.current) box.current.scrollTop = box.current.scrollHeight;
  });
  return box;
}
