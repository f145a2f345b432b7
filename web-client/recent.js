/** The games that I played in this browser, with their results. Kept in local storage, for guests have no other record. */

import { html, signal, useEffect } from "./html.js";
import { gameOf, variantOf } from "./choices.js";
import { useFeed } from "./live_table.js";
import { myTables, user } from "./net.js";
import { load, save } from "./settings.js";
import { isolated } from "./words.js";
import { texts } from "./messages/en/page.js";
import { inRow, locale, translator } from "./messages.js";

const t = translator(texts);

const MAX_KEPT = 30; // games; the oldest are dropped
const SHOWN = 6;
const recent = signal(load("recent", [])); // [{table, game, options, at, status, place, seats, with}], the newest first

/** Remember a table at which I have a seat, and its result. Called with every `table` message. */
export function remember(info) {
  if (info.you === undefined || info.status === "open") return;
  const known = recent.value.find((one) => one.table === info.table);
  const place = info.result?.places[info.you];
  if (known && known.status === info.status && known.place === place) return;
  const others = info.seats.filter((seat, number) => number !== info.you).map((seat) => seat.name ?? t("nobody"));
  const entry = { table: info.table, game: info.game, options: info.options, at: Date.now(), status: info.status, place, seats: info.seats.length, with: others };
  recent.value = [entry, ...recent.value.filter((one) => one.table !== info.table)].slice(0, MAX_KEPT);
  save("recent", recent.value);
}

/** The game at a table at which I have a seat, if it has started; private tables are not in the lobby's list. */
export const gameAt = (table) => recent.value.find((one) => one.table === table)?.game;

const asked = signal(new Set()); // tables whose outcome the server has told, or refused to tell, since the page was loaded

/** Whether a game went on without me, so that I do not know how it ended. */
const isUnknown = ({ status, table }) => status === "running" && user.value !== null && !myTables.value.includes(table) && !asked.value.has(table);

/** Ask the server once how a game has ended that went on without me, and keep it. Nothing is shown. */
function Outcome({ game }) {
  const feed = useFeed(game.table);
  const info = feed?.info.value;
  const error = feed?.error.value;
  useEffect(() => {
    if (!info && !error) return;
    if (!error && (info.status === "open" || (info.status === "running" && info.you !== undefined))) return; // the node has yet to read what came later
    asked.value = new Set([...asked.value, game.table]);
    if (!error && info.status === "running") return;
    const place = info?.result?.places[info.you];
    const outcome = { status: place || info?.status === "closed" ? info.status : "over", place };
    recent.value = recent.value.map((one) => (one.table === game.table ? { ...one, ...outcome } : one));
    save("recent", recent.value);
  }, [info, error]);
  return null;
}

function resultText({ status, place, seats, table }) {
  if (status === "running") return myTables.value.includes(table) ? t("goes_on") : t("not_finished");
  if (status === "over") return t("over");
  if (status === "closed" || !place) return t("closed_early");
  return place === 1 ? t("you_won") : t("place_of", { place, seats });
}

const dateText = (at) => new Date(at).toLocaleDateString(locale, { day: "numeric", month: "short" });

/** My last games: the way back to those that go on, and the replays of those that have ended. */
export function RecentGames({ go }) {
  const shown = recent.value.slice(0, SHOWN);
  if (!shown.length) return null;
  return html`<section class="recent" aria-label=${t("last_games")}>
    <h2>${t("last_games")}</h2>
    <ul class="rows">
      ${shown.map((one) => html`<li key=${one.table}>
        <span class="game-title">${gameOf(one.game)?.title ?? one.game} <small class="variant">${variantOf(gameOf(one.game), one.options)}</small></span>
        <span class="quiet">${t.rich("result_line", { result: html`<b>${resultText(one)}</b>`, date: dateText(one.at), names: inRow(one.with.map(isolated)) })}</span>
        ${isUnknown(one) ? html`<${Outcome} game=${one} />` : null}
        ${one.status === "ended" || one.status === "over" ? html`<button onClick=${() => go(`/r/${one.table}`)}>${t("replay")}</button>` : null}
        ${one.status === "running" && myTables.value.includes(one.table) ? html`<button class="can do" onClick=${() => go(`/t/${one.table}`)}>${t("go_on")}</button>` : null}
      </li>`)}
    </ul>
  </section>`;
}
