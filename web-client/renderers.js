/** The renderer of a game, fetched when it is first needed; the generic one where there is none. */

import { signal } from "./html.js";
import * as generic from "./games/generic.js";

const found = signal({});
const sheets = {};

/** The renderer if it is here already, with its look put on; otherwise null, and it is fetched. */
export function rendererOf(game) {
  if (!(game in found.value)) {
    found.value = { ...found.value, [game]: null };
    fetchRenderer(game).then((module) => (found.value = { ...found.value, [game]: module }));
  }
  wear(game);
  return found.value[game] ?? null;
}

/** One game is shown at a time, so only its own style sheet is in force: they need not know of each other's names. */
function wear(game) {
  for (const [name, sheet] of Object.entries(sheets)) {
    if (sheet.disabled !== (name !== game)) sheet.disabled = name !== game;
  }
}

async function fetchRenderer(game) {
  try {
    const module = await import(`./games/${game}.js`);
    if (module.css) await style(game);
    return module;
  } catch (fault) {
    console.info(`${game} is shown by the generic renderer: ${fault.message}`);
    return generic;
  }
}

function style(game) {
  return new Promise((resolve) => {
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = `/games/${game}.css`;
    sheet.onload = sheet.onerror = resolve;
    sheets[game] = sheet;
    document.head.append(sheet);
  });
}
