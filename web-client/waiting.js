/** A table that waits for players: seats to take, the link to share, and the start. */

import { html, useEffect, useState } from "./html.js";
import { Avatar, kindOf } from "./seats.js";
import { request, user } from "./net.js";
import { AskName } from "./name.js";

const LEVELS = { random: "plays by chance", rookie: "sensible", master: "thinks ahead" };

/** A bot for a seat: one of the house's, or somebody's that is online and takes invitations. */
function AddBot({ number, ask, online }) {
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
      ${online.map((bot) => html`<option key=${bot.user} value=${`bot:${bot.user}`}>${bot.name} of ${bot.owner}${record(bot)}</option>`)}
    </optgroup>` : null}
  </select>`;
}

function record(bot) {
  const [played, first] = Object.values(bot.records ?? {}).reduce(([all, won], one) => [all + one.played, won + one.first], [0, 0]);
  return played ? `: first in ${first} of ${played}` : "";
}

export function CopyLink() {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(location.href);
    setCopied(true);
  };
  return html`<button onClick=${copy}>${copied ? "Copied" : "Copy the link"}</button>`;
}

export function Waiting({ feed, info, game, go }) {
  const [fault, setFault] = useState("");
  const ask = (type, fields) => request(type, { table: feed.id, ...fields }).catch((no) => setFault(no.message));
  const host = info.host === user.value?.id;
  const [online, setOnline] = useState([]);
  useEffect(() => {
    if (!host) return undefined;
    const look = () => request("bots", { game: info.game }).then((answer) => setOnline(answer.bots ?? []), () => {});
    look();
    const timer = setInterval(look, 10_000);
    return () => clearInterval(timer);
  }, [host, info.game]);
  const seated = info.you !== undefined;
  return html`<div class="waiting">
    <h2>${seated ? "Waiting for the others" : "There is room at this table"}</h2>
    <p>Share the link, or the code <b class="code">${info.code}</b>.
      <${CopyLink} /></p>
    ${seated ? null : html`<${AskName} />`}
    <ul class="chairs">
      ${info.seats.map((seat, number) => html`<li key=${number}>
        <${Avatar} name=${seat.name ?? "+"} bot=${seat.kind === "bot"} />
        <span class="name">${seat.name ?? `Seat ${number + 1}`}</span> <span class="quiet">${number === info.you ? "you" : kindOf(seat)}</span>
        ${seat.kind === "free" && !seated ? html`<button class="can do" onClick=${() => ask("sit", { seat: number })}>Sit here</button>` : null}
        ${seat.kind === "held" && seat.user === user.value?.id ? html`<button class="can do" onClick=${() => ask("sit", {})}>Take your seat</button>` : null}
        ${host && seat.kind === "free" ? html`<${AddBot} number=${number} ask=${ask} online=${online} />` : null}
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
