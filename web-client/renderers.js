/** The renderer of a game, fetched when it is first needed; the generic one where there is none. */

import { signal } from "./html.js";
import * as generic from "./games/generic.js";

const found = signal({});
const sheets = {};
const AGAIN_MS = 2000; // from a failure to the next try, and twice as long each time

/** The renderer if it is here already, with its look put on; otherwise null, and it is fetched. */
export function rendererOf(game) {
  if (!(game in found.value)) {
    found.value = { ...found.value, [game]: null };
    load(game);
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

/** Fetch the renderer; as long as that fails the game goes on with the generic one. */
async function load(game) {
  const have = (module) => (found.value = { ...found.value, [game]: module });
  for (let tried = 0; ; tried++) {
    try {
      have(await fetchRenderer(game, tried ? `?${tried}` : "")); // a browser does not fetch an address again that failed
      return;
    } catch (fault) {
      console.info(`${game} is shown by the generic renderer: ${fault.message}`);
      have(generic);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS * 2 ** tried));
    }
  }
}

async function fetchRenderer(game, again) {
  const module = await import(`./games/${game}.js${again}`);
  if (module.css) await style(game);
  return module;
}

/** Have the style sheet of a game; before it is loaded nobody may switch it off, or it never is. */
function style(game) {
  return new Promise((resolve, reject) => {
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = `/games/${game}.css`;
    sheet.onload = () => {
      sheets[game] = sheet;
      resolve();
    };
    sheet.onerror = () => {
      sheet.remove();
      reject(new Error("its style sheet was not fetched"));
    };
    document.head.append(sheet);
  });
}
