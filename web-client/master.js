/** "What would a master do?": in games against house bots alone, told in words, and counted in the result. */

import { html, signal, useState } from "./html.js";
import { request } from "./net.js";
import { moveText } from "./words.js";
import { texts } from "./messages/en/table.js";
import { translator } from "./messages.js";

const t = translator(texts);

const advice = signal(null); // {table, ask, move}: the last answer, so that looking again does not ask again

/** Whether I may ask: every other seat is that of a house bot (P65). */
const mayAsk = (info) => info.status === "running" && info.you !== undefined && !info.seats[info.you].stand_in && info.seats.every((seat, at) => at === info.you || seat.level);

/** The button that asks, and the answer. */
export function AskMaster({ info, table, words }) {
  const [state, setState] = useState(null); // "asking", or why there is no answer
  if (!mayAsk(info) || table.ask === null || !table.offers.length) return null;
  const known = advice.value;
  if (known?.table === info.table && known.ask === table.ask) {
    return html`<p class="advice" role="status">${t.rich("master_would", { move: html`<b>${moveText(known.move, words, table.names)}</b>` })}</p>`;
  }
  const ask = async () => {
    setState("asking");
    try {
      const { move } = await request("advise", { table: info.table, ask: table.ask });
      advice.value = { table: info.table, ask: table.ask, move };
      setState(null);
    } catch (error) {
      setState(error.message);
    }
  };
  return html`<div class="advice">
    <button class="do" disabled=${state === "asking"} onClick=${ask}>${t(state === "asking" ? "master_thinks" : "what_master")}</button>
    <small class="quiet">${t("master_counted")}</small>
    ${state && state !== "asking" ? html`<p class="fault" role="alert">${t("refusal", { reason: state })}</p>` : null}
  </div>`;
}

/** Who asked the master how often, for the result; nothing if nobody did. */
export const Advised = ({ info, names }) => info.seats.map((seat, at) => (seat.advised ? html`<p key=${at} class="advised">${t("asked_master", { who: names(at), count: seat.advised })}</p>` : null));
