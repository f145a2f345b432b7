/** The libraries of the page: `html` templates, hooks and signals. */

import htm from "htm";
import { h } from "preact";

export { Fragment, h, render } from "preact";
export { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
export { batch, computed, effect, signal } from "@preact/signals";

export const html = htm.bind(h);
