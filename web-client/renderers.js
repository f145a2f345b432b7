/** Load the renderer of a game when it is first needed. A game without one uses the generic renderer. */

import { signal } from "./html.js";
import * as generic from "./games/generic.js";

const renderers = signal({}); // by game; null while it is loading
const styleSheets = {};
const files = document.querySelector("meta[name=game-files]").content.split(" "); // the scripts and style sheets of games
const RETRY_MS = 2000; // after a failure; doubled after each further one

/** The address of a file of the client, in the version of this page. */
export const fileUrl = (name) => new URL(name, import.meta.url).pathname;

/** Return the renderer and enable its style sheet, unless the caller brings its own; null while it is loading. */
export function rendererOf(game, enable = true) {
  if (!(game in renderers.value)) {
    renderers.value = { ...renderers.value, [game]: null };
    load(game);
  }
  if (enable) enableStyleOf(game);
  return renderers.value[game] ?? null;
}

/** Render a table; with the generic renderer if the game's own throws, so that the game can go on. */
export function renderTable(renderer, table) {
  try {
    return renderer.render(table);
  } catch (error) {
    console.error(error);
    return generic.render(table);
  }
}

/** Enable only the style sheet of this game, so that games may use the same class names. */
function enableStyleOf(game) {
  for (const [name, sheet] of Object.entries(styleSheets)) {
    if (sheet.disabled !== (name !== game)) sheet.disabled = name !== game;
  }
}

/** Load the renderer. Until that succeeds the generic one is used. */
async function load(game) {
  const use = (module) => (renderers.value = { ...renderers.value, [game]: module });
  if (!files.includes(`games/${game}.js`)) return use(generic);
  for (let tries = 0; ; tries++) {
    try {
      return use(await fetchRenderer(game, tries ? `?${tries}` : "")); // browsers do not import a module again whose address failed
    } catch (error) {
      console.info(`using the generic renderer for ${game}: ${error.message}`);
      use(generic);
      await reloadIfOutdated();
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * 2 ** tries));
    }
  }
}

/** Load the page again if the server no longer has the files of its version. */
async function reloadIfOutdated() {
  const answer = await fetch(fileUrl("app.js"), { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer?.status === 404) location.reload();
}

async function fetchRenderer(game, query) {
  const style = files.includes(`games/${game}.css`) && loadStyle(game).catch((error) => error); // loads at the same time as the module
  const module = await import(`./games/${game}.js${query}`);
  const failure = await style;
  if (failure) throw failure;
  return module;
}

/** The addresses of the style sheets with which the board of a game can be drawn in a place of its own. */
export const stylesOf = (game) => ["style.css", ...(files.includes(`games/${game}.css`) ? [`games/${game}.css`] : [])].map(fileUrl);

/** Load the style sheet of a game. It must not be disabled before that, or the browser never loads it. */
async function loadStyle(game) {
  styleSheets[game] = await loadStyleSheet(`games/${game}.css`);
}

/** Load a style sheet of the client, unless the page has it. */
export function loadStyleSheet(name) {
  const address = fileUrl(name);
  const known = document.querySelector(`link[rel=stylesheet][href="${address}"]`);
  if (known) return Promise.resolve(known);
  return new Promise((resolve, reject) => {
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = address;
    sheet.onload = () => resolve(sheet);
    sheet.onerror = () => {
      sheet.remove();
      reject(new Error("its style sheet could not be loaded"));
    };
    document.head.append(sheet);
  });
}
