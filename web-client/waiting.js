/** A table that waits for players: seats to take, the link to share, and the start. */

import { html, useState } from "./html.js";
import { Avatar, kindOf } from "./seats.js";
import { request, user } from "./net.js";
import { AskName } from "./name.js";

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
        ${host && (seat.kind === "free" || seat.kind === "held") && seated ? html`<button onClick=${() => ask("bot", { seat: number, level: "rookie" })}>Add a bot</button>` : null}
        ${host && seat.kind === "bot" ? html`<button onClick=${() => ask("bot", { seat: number, level: null })}>Take away</button>` : null}
      </li>`)}
    </ul>
    <p class="row begin">
      ${host ? html`<button class="can do" onClick=${() => ask("start", { bots: "rookie" })}>Start, bots on free seats</button>` : null}
      ${seated && !host ? html`<span class="quiet">The game starts when all seats are taken or the host says so.</span>` : null}
    </p>
    ${fault && html`<p class="fault" role="alert">${fault}</p>`}
  </div>`;
}
