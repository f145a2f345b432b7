/** A live table in a window of another page: its feed, and what to show while there is none. */

import { DEFAULT_LEVEL, seatsOf } from "./choices.js";
import { html, useEffect, useState } from "./html.js";
import { closeFeed, games, openFeed, request, tables } from "./net.js";
import { rendererOf } from "./renderers.js";
import { texts } from "./messages/en/page.js";
import { translator } from "./messages.js";

const t = translator(texts);

const NO_TABLE_MS = 1500; // how long there is no running table before this page starts a game of bots

/** Whether watchers see something of a table while its game runs. */
export const watchable = (table) => table.watching?.see !== "nobody" && !(table.watching?.see === "all" && !table.watching.late);

/** The feed of a table, for as long as the component that asks for it is shown. */
export function useFeed(id) {
  const [feed, setFeed] = useState(null);
  useEffect(() => {
    const opened = openFeed(id);
    setFeed(opened);
    return () => closeFeed(opened);
  }, [id]);
  return feed;
}

/** What there is to draw of a table: its seats, its state and its renderer; null as long as something is missing. */
export function previewed(feed, enable = true) {
  const info = feed?.info.value;
  const now = feed?.now.value;
  const renderer = info && rendererOf(info.game, enable);
  return renderer && now?.view ? { info, now, renderer } : null;
}

/** No table to watch: start a game of house bots, after a random delay because other pages do the same. */
export function NoLiveTable() {
  const listed = tables.value !== null;
  useEffect(() => {
    if (!listed) return undefined;
    let requested = false; // one request at a time
    let notBefore = 0; // such games are limited
    const start = () => {
      if (requested || Date.now() < notBefore || document.visibilityState !== "visible") return;
      requested = true;
      startBotGame()
        .catch((error) => (notBefore = Date.now() + (error.answer?.retry_after_ms ?? 0)))
        .finally(() => (requested = false));
    };
    const timer = setInterval(start, NO_TABLE_MS * (1 + Math.random()));
    return () => clearInterval(timer);
  }, [listed]);
  return html`<div class="live-window empty"><p class="quiet">${t("nobody_plays")}</p></div>`;
}

function startBotGame() {
  const game = games.value[Math.floor(Math.random() * games.value.length)];
  return request("create", { game: game.name, seats: seatsOf(game), seat: null, bots: DEFAULT_LEVEL });
}
