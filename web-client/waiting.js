/** A table that waits for players: seats to take, the link to share, and the start. */

import { Copy } from "./copy.js";
import { html, useEffect, useState } from "./html.js";
import { Avatar, kindOf } from "./seats.js";
import { request, user } from "./net.js";
import { AskName } from "./name.js";

const LEVELS = { random: "plays by chance", rookie: "sensible", master: "thinks ahead" };

/** A bot for a seat: one of the house's, or somebody's that is online and takes invitations. */
function AddBot({ number, game, ask, online }) {
  const choose = (event) => {
    const [kind, who] = event.target.value.split(":");
    event.target.value = "";
    if (kind === "house") ask("bot", { seat: number, level: who });
    if (kind === "bot") ask("invite", { seat: number, bot: who });
  };
  return html`<select class="add-bot" aria-label=${`Add a bot to seat ${number + 1}`} onChange=${choose}>
    <option value="">Add a bot …</option>
    <optgroup label="Of the house">
      ${Object.entries(LEVELS).map(([level, what]) => html`<option key=${level} value=${`house:${level}`}>${level}: ${what}</option>`)}
    </optgroup>
    ${online.length ? html`<optgroup label="Online now">
      ${online.map((bot) => html`<option key=${bot.user} value=${`bot:${bot.user}`}>${bot.name} of ${bot.owner}${record(bot, game)}</option>`)}
    </optgroup>` : null}
  </select>`;
}

function record(bot, game) {
  const of = bot.records?.[game];
  return of ? `: first in ${of.first} of ${of.played}` : "";
}

export const CopyLink = () => html`<${Copy} text=${location.href} label="Copy the link" />`;

export function Waiting({ feed, info, game, go }) {
  const [fault, setFault] = useState("");
  const ask = (type, fields) => {
    setFault("");
    request(type, { table: feed.id, ...fields }).catch((no) => setFault(no.message));
  };
  const host = info.host === user.value?.id;
  const [online, setOnline] = useState([]);
  useEffect(() => {
    if (!host) return undefined;
    const look = () => request("bots", { game: info.game }).then((answer) => setOnline(answer.bots ?? []), () => {});
    look();
    const timer = setInterval(look, 10_000);
    return () => clearInterval(timer);
  }, [host, info.game, info.seats.map((seat) => seat.user).join()]);
  const free = online.filter((bot) => bot.free > 0 && !info.seats.some((seat) => seat.user === bot.user));
  const seated = info.you !== undefined;
  return html`<div class="waiting">
    <h2>${seated ? "Waiting for the others" : "There is room at this table"}</h2>
    <p class="row"><span>${info.public ? "Everybody sees this table in the lobby. You can share" : "A private table: only who has the link or the code finds it. Share"} the link, or the code <b class="code">${info.code}</b>.</span> <${CopyLink} /></p>
    ${seated ? null : html`<${AskName} />`}
    <ul class="chairs">
      ${info.seats.map((seat, number) => html`<li key=${number}>
        <${Avatar} name=${seat.name ?? "+"} bot=${seat.kind === "bot"} />
        <span class="name">${seat.name ?? `Seat ${number + 1}`}</span> <span class="quiet">${number === info.you ? "you" : kindOf(seat)}</span>
        ${seat.kind === "free" && !seated ? html`<button class="can do" onClick=${() => ask("sit", { seat: number })}>Sit here</button>` : null}
        ${seat.kind === "held" && seat.user === user.value?.id ? html`<button class="can do" onClick=${() => ask("sit", {})}>Take your seat</button>` : null}
        ${host && seat.kind === "free" ? html`<${AddBot} ...${{ number, game: info.game, ask, online: free }} />` : null}
        ${host && (seat.kind === "bot" || seat.kind === "held") ? html`<button onClick=${() => ask("bot", { seat: number, level: null })}>Take away</button>` : null}
      </li>`)}
    </ul>
    <p class="row begin">
      ${host ? html`<button class="can do" onClick=${() => ask("start", { bots: "rookie" })}>Start, bots on free seats</button>` : null}
      ${seated && !host ? html`<span class="quiet">The game starts when all seats are taken or the host says so.</span>` : null}
    </p>
    ${fault && html`<p class="fault" role="alert">${fault}</p>`}
  </div>`;
}
