/** The page for bot authors: a token for a bot of one's own, those that one has, and who is online. */

import { html, useEffect, useState } from "./html.js";
import { icons } from "./icons.js";
import { link, request } from "./net.js";

const SCOPES = { play: "play", create: "open tables", talk: "talk" };
const when = (ms) => (ms ? new Date(ms).toLocaleString() : "never");

const played = (game, record) => game.replaceAll("_", " ") + (record ? ` (first in ${record.first} of ${record.played})` : "");

export function BotsPage({ go }) {
  const [own, setOwn] = useState([]);
  const [online, setOnline] = useState([]);
  const [made, setMade] = useState(null);
  const [fault, setFault] = useState("");
  const look = () => {
    request("tokens").then((answer) => setOwn(answer.own ?? []));
    request("bots").then((answer) => setOnline(answer.bots ?? []));
  };
  useEffect(look, []);
  const make = async (event) => {
    event.preventDefault();
    setFault("");
    try {
      const field = event.target.elements;
      const name = field.name.value.trim();
      const scopes = Object.keys(SCOPES).filter((scope) => field[scope].checked);
      setMade({ name, token: (await request("token", { name, scopes })).token });
      look();
    } catch (no) {
      setFault(no.message);
    }
  };
  const revoke = (bot) => request("revoke", { bot }).then(look, (no) => setFault(no.message));
  return html`<main class="bots-page">
    <header><button class="icon" aria-label="To the lobby" onClick=${() => go("/")}>${icons.back()}</button><h1>Bring your own bot</h1></header>
    <p>A bot plays over the same connection as this page and sees what a person on its seat would see. Give it a token, and it can take any seat. How to write one is told in docs/bots.md.</p>
    <form class="row" onSubmit=${make}>
      <label class="ask-name"><span>Name of the bot</span><input name="name" required maxlength="24" autocomplete="off" /></label>
      <fieldset class="row"><legend>It may</legend>
        ${Object.entries(SCOPES).map(([scope, says]) => html`<label key=${scope}><input type="checkbox" name=${scope} defaultChecked /> ${says}</label>`)}
      </fieldset>
      <button class="do" type="submit" disabled=${link.value.state !== "open"}>Make a token</button>
    </form>
    ${made ? html`<div role="status"><p>The token of ${made.name}. Keep it now: it is never shown again.</p><p class="token">${made.token}</p></div>` : null}
    ${fault && html`<p class="fault" role="alert">${fault}</p>`}
    <h2>Your bots</h2>
    <ul class="rows">
      ${own.map((bot) => html`<li key=${bot.user}><b>${bot.name}</b> <span class="quiet">may ${bot.scopes.map((scope) => SCOPES[scope] ?? scope).join(", ")}; made ${when(bot.made)}, last used ${when(bot.used)}</span><button onClick=${() => revoke(bot.user)}>Revoke ${bot.name}</button></li>`)}
      ${own.length ? null : html`<li class="quiet">None yet.</li>`}
    </ul>
    <h2>Online now</h2>
    <ul class="rows">
      ${online.map((bot) => html`<li key=${bot.user}><b>${bot.name}</b> <span class="quiet">of ${bot.owner}, plays ${bot.games.map((game) => played(game, bot.records?.[game])).join(", ")}</span></li>`)}
      ${online.length ? null : html`<li class="quiet">No bot takes invitations just now.</li>`}
    </ul>
  </main>`;
}
