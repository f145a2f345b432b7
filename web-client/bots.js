/** The page for bot authors: a token for a bot of one's own, those that one has, and who is online. */

import { Copy } from "./copy.js";
import { html, signal, useEffect, useState } from "./html.js";
import { icons } from "./icons.js";
import { games, link, request, titleOf } from "./net.js";
import { LinkState } from "./table.js";

const SCOPES = { play: "play", create: "open tables", talk: "talk" };
const when = (ms) => (ms ? new Date(ms).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }) : "never");
const made = signal(null); // {user, name, token}; it outlasts a look at another page

export function BotsPage({ go }) {
  const [own, setOwn] = useState([]);
  const [online, setOnline] = useState([]);
  const [fault, setFault] = useState("");
  const look = () => {
    request("tokens").then((answer) => setOwn(answer.own ?? []));
    request("bots").then((answer) => setOnline(answer.bots ?? []));
  };
  useEffect(look, []);
  const revoke = async (bot) => {
    try {
      await request("revoke", { bot });
      if (made.value?.user === bot) made.value = null;
      look();
    } catch (no) {
      setFault(no.message);
    }
  };
  return html`<main class="page lobby bots-page">
    <header class="masthead">
      <button class="icon" aria-label="To the lobby" onClick=${() => go("/")}>${icons.back()}</button>
      <div><h1>Bring your own bot</h1><p>It plays over the same connection as this page and sees what a person on its seat would see.</p></div>
      <${LinkState} />
    </header>
    <section class="make" aria-label="A token">
      <h2>Make a token</h2>
      <p>With a token your program can take any seat. <a href="/docs/bots">How to write a bot</a> takes you from nothing to a bot at a live table; <a href="/docs/protocol">the protocol</a> is the whole contract.</p>
      <${Make} done=${look} />
      ${made.value ? html`<${Made} ...${made.value} />` : null}
      <p class="quiet">The rules, numbered: ${games.value.map(({ name, title }, at) => html`${at ? ", " : ""}<a key=${name} href=${`/docs/rules/${name}`}>${title}</a>`)}.</p>
    </section>
    <section class="own" aria-label="Bots">
      <h2>Your bots</h2>
      <ul class="rows">
        ${own.map((bot) => html`<${Own} key=${bot.user} bot=${bot} revoke=${revoke} />`)}
        ${own.length ? null : html`<li class="quiet">None yet.</li>`}
      </ul>
      ${fault && html`<p class="fault" role="alert">${fault}</p>`}
      <h2>Online now</h2>
      <ul class="rows">
        ${online.map((bot) => html`<li key=${bot.user}><b>${bot.name}</b> <span class="quiet">of ${bot.owner}, plays ${bot.games.map((game) => played(game, bot.records?.[game])).join(", ")}</span></li>`)}
        ${online.length ? null : html`<li class="quiet">No bot takes invitations just now.</li>`}
      </ul>
    </section>
  </main>`;
}

const played = (game, record) => titleOf(game) + (record ? ` (first in ${record.first} of ${record.played})` : "");

/** The form for a new bot. */
function Make({ done }) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState(Object.keys(SCOPES));
  const [fault, setFault] = useState("");
  const tick = (scope) => setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope]);
  const make = async (event) => {
    event.preventDefault();
    setFault("");
    try {
      const { user, token } = await request("token", { name: name.trim(), scopes });
      made.value = { user, name: name.trim(), token };
      setName("");
      done();
    } catch (no) {
      setFault(no.message);
    }
  };
  return html`<form onSubmit=${make}>
    <label class="ask-name"><span>Name of the bot</span><input name="name" required maxlength="24" autocomplete="off" value=${name} onInput=${(event) => setName(event.target.value)} /></label>
    <fieldset class="row"><legend>It may</legend>
      ${Object.entries(SCOPES).map(([scope, says]) => html`<label key=${scope} class="check"><input type="checkbox" checked=${scopes.includes(scope)} onChange=${() => tick(scope)} /> ${says}</label>`)}
    </fieldset>
    <p class="row"><button class="do" type="submit" disabled=${link.value.state !== "open" || !scopes.length}>Make a token</button>
      ${scopes.length ? null : html`<span class="fault" role="status">Let it do something: tick one at least.</span>`}</p>
    ${fault && html`<p class="fault" role="alert">${fault}</p>`}
  </form>`;
}

/** A token that was made just now, and how to use it. */
function Made({ name, token }) {
  const command = `python mybot.py ${location.origin.replace("http", "ws")}/ws ${token} CODE`;
  return html`<div class="made" role="status">
    <p>The token of <b>${name}</b>. Keep it now: it is never shown again.</p>
    <p class="token">${token}</p>
    <p class="row"><${Copy} text=${token} label="Copy the token" /></p>
    <p>Open a table, and start your bot with its code instead of CODE:</p>
    <p class="token command">${command}</p>
    <p class="row"><${Copy} text=${command} label="Copy the command" /></p>
  </div>`;
}

function Own({ bot, revoke }) {
  const [sure, setSure] = useState(false);
  const may = bot.scopes.map((scope) => SCOPES[scope] ?? scope).join(", ");
  return html`<li>
    <span class="about"><b>${bot.name}</b> <span class="quiet">may ${may}; made ${when(bot.made)}, last used ${when(bot.used)}</span></span>
    <button onClick=${() => (sure ? revoke(bot.user) : setSure(true))} onBlur=${() => setSure(false)}>
      ${sure ? "Really revoke?" : html`Revoke<span class="sr"> ${bot.name}</span>`}
    </button>
  </li>`;
}
