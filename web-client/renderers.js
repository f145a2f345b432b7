/** The renderer of a game, fetched when it is first needed; the generic one where there is none. */

import { signal } from "./html.js";
import * as generic from "./games/generic.js";

const found = signal({});

/** The renderer if it is here already; otherwise null, and it is fetched. */
export function rendererOf(game) {
  if (!(game in found.value)) {
    found.value = { ...found.value, [game]: null };
    fetchRenderer(game).then((module) => (found.value = { ...found.value, [game]: module }));
  }
  return found.value[game] ?? null;
}

async function fetchRenderer(game) {
  try {
    const module = await import(`./games/${game}.js`);
    if (module.css) await style(`/games/${game}.css`);
    return module;
  } catch (fault) {
    console.info(`${game} is shown by the generic renderer: ${fault.message}`);
    return generic;
  }
}

function style(href) {
  return new Promise((resolve) => {
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = href;
    sheet.onload = sheet.onerror = resolve;
    document.head.append(sheet);
  });
}
