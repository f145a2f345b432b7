/** The page for bot authors: make a token, list your own bots, and see which bots are online. */

import { Copy } from "./copy.js";
import { html, signal, useEffect, useState } from "./html.js";
import { icons } from "./icons.js";
import { connection, games, request, titleOf } from "./net.js";
import { ConnectionStatus } from "./bar.js";
import { texts } from "./messages/en/bots.js";
import { listed, locale, translator } from "./messages.js";

const t = translator(texts);

const SCOPES = { play: t("scope_play"), create: t("scope_create"), talk: t("scope_talk") };
const when = (ms) => (ms ? new Date(ms).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" }) : t("never"));
const made = signal(null); // {user, name, token} of the new bot; kept when the user visits another page and comes back

export function BotsPage({ go }) {
  const [own, setOwn] = useState([]);
  const [online, setOnline] = useState([]);
  const [fault, setFault] = useState("");
  const refresh = () => {
    request("tokens").then((answer) => setOwn(answer.own ?? []));
    request("bots").then((answer) => setOnline(answer.bots ?? []));
  };
  useEffect(refresh, []);
  const revoke = async (bot) => {
    try {
      await request("revoke", { bot });
      if (made.value?.user === bot) made.value = null;
      refresh();
    } catch (error) {
      setFault(error.message);
    }
  };
  return html`<main class="page lobby bots-page">
    <header class="masthead">
      <button class="icon" aria-label=${t("to_lobby")} onClick=${() => go("/")}>${icons.back()}</button>
      <div><h1>${t("bring_bot")}</h1><p>${t("bring_bot_what")}</p></div>
      <${ConnectionStatus} />
    </header>
    <section class="make" aria-label=${t("a_token")}>
      <h2>${t("make_token")}</h2>
      <p>${t.rich("token_what", { tutorial: html`<a href="/docs/bots">${t("how_to")}</a>`, protocol: html`<a href="/docs/protocol">${t("the_protocol")}</a>` })}</p>
      <${NewBotForm} done=${refresh} />
      ${made.value ? html`<${NewToken} ...${made.value} />` : null}
      <p class="quiet">${t.rich("numbered_rules", { games: games.value.map(({ name, title }, at) => html`${at ? ", " : ""}<a key=${name} href=${`/docs/rules/${name}`}>${title}</a>`) })}</p>
    </section>
    <section class="own" aria-label=${t("bots")}>
      <h2>${t("your_bots")}</h2>
      <ul class="rows">
        ${own.map((bot) => html`<${OwnBot} key=${bot.user} bot=${bot} revoke=${revoke} />`)}
        ${own.length ? null : html`<li class="quiet">${t("none_yet")}</li>`}
      </ul>
      ${fault && html`<p class="fault" role="alert">${fault}</p>`}
      <h2>${t("online")}</h2>
      <ul class="rows">
        ${online.map((bot) => html`<li key=${bot.user}><b><bdi>${bot.name}</bdi></b> <span class="quiet">${t.rich("of_plays", { owner: html`<bdi>${bot.owner}</bdi>`, games: listed(bot.games.map((game) => played(game, bot.records?.[game]))) })}</span></li>`)}
        ${online.length ? null : html`<li class="quiet">${t("no_bot")}</li>`}
      </ul>
    </section>
  </main>`;
}

const played = (game, record) => record ? t("played", { title: titleOf(game), first: record.first, played: record.played }) : titleOf(game);

/** The form for a new bot. */
function NewBotForm({ done }) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState(Object.keys(SCOPES));
  const [fault, setFault] = useState("");
  const toggle = (scope) => setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope]);
  const make = async (event) => {
    event.preventDefault();
    setFault("");
    try {
      const { user, token } = await request("token", { name: name.trim(), scopes });
      made.value = { user, name: name.trim(), token };
      setName("");
      done();
    } catch (error) {
      setFault(error.message);
    }
  };
  return html`<form onSubmit=${make}>
    <label class="ask-name"><span>${t("bot_name")}</span><input name="name" required maxlength="24" autocomplete="off" value=${name} onInput=${(event) => setName(event.target.value)} /></label>
    <fieldset class="row"><legend>${t("it_may")}</legend>
      ${Object.entries(SCOPES).map(([scope, label]) => html`<label key=${scope} class="check"><input type="checkbox" checked=${scopes.includes(scope)} onChange=${() => toggle(scope)} /> ${label}</label>`)}
    </fieldset>
    <p class="row"><button class="do" type="submit" disabled=${connection.value.state !== "open" || !scopes.length}>${t("make_token")}</button>
      ${scopes.length ? null : html`<span class="fault" role="status">${t("tick_one")}</span>`}</p>
    ${fault && html`<p class="fault" role="alert">${fault}</p>`}
  </form>`;
}

/** The new token, and the command that uses it. */
function NewToken({ name, token }) {
  const command = `python mybot.py ${location.origin.replace("http", "ws")}/ws ${token} CODE`;
  return html`<div class="made" role="status">
    <p>${t.rich("token_of", { name: html`<b>${name}</b>` })}</p>
    <p class="token">${token}</p>
    <p class="row"><${Copy} text=${token} label=${t("copy_token")} /></p>
    <p>${t("then_start")}</p>
    <p class="token command">${command}</p>
    <p class="row"><${Copy} text=${command} label=${t("copy_command")} /></p>
  </div>`;
}

function OwnBot({ bot, revoke }) {
  const [sure, setSure] = useState(false);
  const may = listed(bot.scopes.map((scope) => SCOPES[scope] ?? scope));
  return html`<li>
    <span class="about"><b>${bot.name}</b> <span class="quiet">${t("bot_facts", { may, made: when(bot.made), used: when(bot.used) })}</span></span>
    <button onClick=${() => (sure ? revoke(bot.user) : setSure(true))} onBlur=${() => setSure(false)}>
      ${sure ? t("revoke_sure") : html`${t("revoke")}<span class="sr"> ${bot.name}</span>`}
    </button>
  </li>`;
}
