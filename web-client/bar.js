/** The bar over a table: its title, the state of the connection, and the buttons that open the rules, the talk and the menu. */

import { speedText, variantOf } from "./choices.js";
import { ShortScore, Tonight } from "./evening.js";
import { html } from "./html.js";
import { icons } from "./icons.js";
import { knownOf, Log, useLogLines } from "./log.js";
import { connection, request, user } from "./net.js";
import { showNotice } from "./notice.js";
import { openPeople, openPerson, watchersText } from "./people.js";
import { Rules } from "./rules.js";
import { sound as soundOn } from "./settings.js";
import { openSettings, openSheet, sheet } from "./sheet.js";
import { CopyLink } from "./share.js";
import { Chat, unreadOf } from "./talk.js";
import { capital } from "./words.js";
import { texts } from "./messages/en/table.js";
import { facts, translator } from "./messages.js";

const t = translator(texts);

export const openRules = (game, reference = null) => openSheet(t("rules"), () => html`${reference?.()}<${Rules} game=${game} />`, "wide");

/** The pieces of the game and what has been seen of them, above its rules. */
function Reference({ feed, renderer }) {
  const view = feed.now.value?.view;
  return view && renderer.reference ? html`<details class="reference" open><summary>${t("pieces")}</summary><div class="scroll">${renderer.reference(view, knownOf(feed.log.value, renderer.words, feed.now.value.n))}</div></details>` : null;
}

export function openLogAndChat(feed, info, renderer) {
  const narrow = matchMedia("(max-width: 899px)").matches;
  if (!narrow) {
    document.querySelector(".side .chat input")?.focus();
    return;
  }
  openSheet(t("log_and_chat"), () => html`<${LogAndChat} ...${{ feed, info, renderer }} />`, "talk");
}

function LogAndChat({ feed, info, renderer }) {
  const now = feed.info.value ?? info;
  const lines = useLogLines(feed, renderer.words, now);
  return html`<div class="side in-sheet">
    <${Log} ...${{ feed, lines, mine: now.you ?? null }} />
    <${Chat} feed=${feed} watcher=${info.you === undefined} about=${(chat) => openPerson(feed, chat)} />
  </div>`;
}

const CONNECTION_TEXTS = {
  connecting: t("connecting"),
  unanswered: t("unanswered"),
  lost: t("lost"),
  refused: t("refused"),
};

/** The state of the connection in words; nothing while it is open. */
export function ConnectionStatus() {
  const { state, text } = connection.value;
  return html`<span class=${`link ${state}`} role="status">${text ? t("refusal", { reason: capital(text) }) : (CONNECTION_TEXTS[state] ?? "")}</span>`;
}

export function TopBar({ feed, info, renderer, game, go, openMoves }) {
  const unread = unreadOf(feed);
  return html`<header class="bar">
    <button class="icon" aria-label=${t("to_lobby")} onClick=${() => go("/")}>${icons.back()}</button>
    <div class="titles"><h1><${Title} title=${game?.title ?? info.game} short=${renderer.words?.short} />${variantOf(game, info.options) ? html`<small class="variant">${variantOf(game, info.options)}</small>` : null}</h1>${info.status === "running" ? html`<${ShortScore} info=${info} />` : null}</div>
    ${info.status === "running" ? html`<${Tonight} info=${info} />` : null}
    <${ConnectionStatus} />
    ${info.locked ? html`<span class="watchers" role="img" aria-label=${t("locked")} title=${t("locked_title")}>${icons.lock()}</span>` : null}
    ${info.watchers && info.status !== "open" ? html`<span class="watchers" title=${watchersText(info)} aria-label=${t("watching", { count: info.watchers })}>${icons.eye()} ${info.watchers}</span>` : null}
    ${info.status === "running" && info.you !== undefined ? html`<button class="icon word" onClick=${openMoves}>${t("what_can_i_do")}</button>` : null}
    <button class="icon" aria-label=${t("rules")} aria-keyshortcuts="?" onClick=${() => openRules(info.game, () => html`<${Reference} ...${{ feed, renderer }} />`)}>${icons.rules()}</button>
    <button class="icon talk-button" aria-label=${unread > 0 ? t("log_and_chat_new", { unread }) : t("log_and_chat")} onClick=${() => openLogAndChat(feed, info, renderer)}>${icons.talk()}${unread > 0 ? html`<b>${unread}</b>` : null}</button>
    <button class="icon sound-switch" aria-label=${t("sound")} aria-pressed=${soundOn.value} title=${soundOn.value ? t("sound_on") : t("sound_off")} onClick=${() => (soundOn.value = !soundOn.value)}>${soundOn.value ? icons.sound() : icons.silence()}</button>
    <button class="icon" aria-label=${t("table_menu")} onClick=${() => openMenu(feed, info, go)}>${icons.menu()}</button>
  </header>`;
}

/** The title of the game; a phone shows only its first words, if `short` says which. */
const Title = ({ title, short }) => (short && title.startsWith(short) ? html`${short}<span class="rest">${title.slice(short.length)}</span>` : title);

function openMenu(feed, info, go) {
  const leave = async () => {
    sheet.value = null;
    try {
      await request("leave", { table: feed.id });
      if (info.status === "open") go("/");
    } catch (error) {
      showNotice(error.message);
    }
  };
  const seated = info.you !== undefined && (info.status === "open" || info.status === "running");
  openSheet(t("this_table"), () => html`<div class="menu">
    <${Tonight} info=${info} />
    <p>${t.rich("code_and_facts", { code: html`<b class="code">${info.code}</b>`, facts: facts([speedText(info.speed), info.public ? t("public") : t("private")]) })}</p>
    <${CopyLink} />
    <button onClick=${() => openPeople(feed)}>${info.host === user.value?.id ? t("people_and_rules") : t("people")}</button>
    <button onClick=${openSettings}>${t("settings")}</button>
    <button onClick=${() => closeSheetAndLeave(go)}>${seated ? t("to_lobby_seated") : t("to_lobby")}</button>
    ${seated ? html`<button onClick=${leave}>${info.status === "open" ? t("leave") : t("leave_bot")}</button>` : null}
    <p class="quiet commitment">${t("shuffle", { fingerprint: info.commitment.slice(0, 16) })}</p>
  </div>`);
}

function closeSheetAndLeave(go) {
  sheet.value = null;
  go("/");
}
