/** What somebody who watches a running game can do: look on, or take the seat of a house bot. */

import { html, useState } from "./html.js";
import { AskName, nameAccepted, newName } from "./name.js";
import { request } from "./net.js";
import { Rewind } from "./rewind.js";
import { isolated } from "./words.js";
import { texts } from "./messages/en/table.js";
import { translator } from "./messages.js";

const t = translator(texts);

/** The numbers of the house bots' seats that I may take. */
const seatsOfBots = (info) => (info.late && info.status === "running" ? info.seats.flatMap((seat, number) => (seat.level ? [number] : [])) : []);

/** The number of the first house bot's seat that I may take, or -1. */
export const seatOfBot = (info) => seatsOfBots(info)[0] ?? -1;

/** Why there is nothing to see of a running game. */
export function NothingYet({ info }) {
  const late = info.watching?.late;
  return html`<div class="nothing-yet"><p>${late ? t("late_soon", { late }) : info.watching ? t("see_at_end") : t("loading")}</p></div>`;
}

/** The hand of a seat whose view watchers see. */
function OpenHand({ renderer, table, seat, view }) {
  let hand = null;
  try {
    hand = renderer.render({ ...table, view, seat, events: [], offers: [], asides: [], ask: null }).hand;
  } catch (error) {
    console.error(error);
  }
  return hand ? html`<div class="open-hand" role="group" aria-label=${t("hand_of", { name: table.names(seat) })}><bdi class="name">${table.names(seat)}</bdi><div class="hand">${hand}</div></div>` : null;
}

export function Watching({ feed, info, renderer, table, parts, views, rewind }) {
  const [fault, setFault] = useState("");
  const bots = seatsOfBots(info).map((number) => ({ number, name: isolated(info.seats[number].name) }));
  const [chosen, setChosen] = useState(null);
  const seat = bots.find((bot) => bot.number === chosen) ?? bots[0];
  const take = async () => {
    setFault("");
    const name = newName();
    try {
      await request("sit", { table: feed.id, seat: seat.number, ...name });
      nameAccepted(name);
    } catch (error) {
      setFault(REFUSED[error.answer?.code] ?? error.message);
    }
  };
  return html`<section class=${`me watcher ${views ? "sees-all" : ""}`} aria-label=${t("you")}>
    ${views ? html`<div class="hands">${views.map((view, number) => html`<${OpenHand} key=${number} ...${{ renderer, table, seat: number, view }} />`)}</div>` : null}
    ${!views && table.seat !== null && parts.hand ? html`<div class="hand" data-place="hand">${parts.hand}</div>` : null}
    <div class="row watch-line"><p class="prompt">${watchText(info)}</p>${table.view ? html`<${Rewind} rewind=${rewind} />` : null}</div>
    ${seat ? html`<div class="row take-over">
      <${AskName} />
      <button class="can do" aria-label=${t("play_for", { name: seat.name })} onClick=${take}>${bots.length > 1 ? t("play_for_whom") : t("play_for", { name: seat.name })}</button>
      ${bots.length > 1 ? html`<label><span class="sr">${t("seat")}</span><select value=${seat.number} onChange=${(event) => setChosen(Number(event.target.value))}>
        ${bots.map((bot) => html`<option key=${bot.number} value=${bot.number}>${bot.name}</option>`)}
      </select></label>` : null}
    </div>` : null}
    ${fault && html`<p class="fault" role="alert">${fault}</p>`}
  </section>`;
}

/** What this watcher sees, in a few words. */
function watchText(info) {
  const rule = info.watching;
  if (info.status === "running" && rule?.see === "all") return rule.late ? t("watching_late", { late: rule.late }) : t("you_watch");
  if (info.shown !== undefined) return t("you_see", { name: isolated(info.seats[info.shown].name) });
  return t("you_watch");
}

const REFUSED = {
  seat_taken: t("faster"),
  table_full: t("no_bot"),
  not_open: t("cannot_join"),
};
