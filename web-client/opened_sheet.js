/** Which sheet lies over the page; sheet.js draws it. */

import { signal } from "./html.js";

export const sheet = signal(null); // {title, body: () => vnode, kind}

export const openSheet = (title, body, kind = "") => (sheet.value = { title, body, kind });
export const closeSheet = () => (sheet.value = null);
