/** The people at a table: what I can do about others, and what the host decides. */

import { Avatar } from "./avatar.js";
import { block, blocked, loadBlocked, unblock } from "./blocked.js";
import { Confirm } from "./confirm.js";
import { html, useEffect, useState } from "./html.js";
import { request, user } from "./net.js";
import { kindOf } from "./seats.js";
import { openSheet } from "./sheet.js";
import { muted, toggleMute } from "./talk.js";
import { isolated } from "./words.js";
import { ProposeRule, ruleOf, ruleText } from "./watch_rule.js";
import { texts } from "./messages/en/people.js";
import { listed, translator } from "./messages.js";

const t = translator(texts);

/** Whether a seat belongs to somebody else about whom I can do something: a person, or a person's bot. */
export const isOther = (seat) => Boolean(seat.user) && !seat.level && seat.user !== user.value?.id;

export const openPerson = (feed, person) => openSheet(person.name ?? t("watcher"), () => html`<${Person} ...${{ feed, person }} />`);

export const openPeople = (feed) => openSheet(t("people"), () => html`<${People} feed=${feed} />`);

const isLive = (info) => info.status === "open" || info.status === "running";

/** Run requests, and keep the text to show about the last one. */
function useRequests() {
  const [result, setResult] = useState({});
  const run = async (work, done = "") => {
    setResult({});
    try {
      await work();
      setResult({ done });
    } catch (error) {
      setResult({ fault: error.message });
    }
  };
  const shown = html`${result.fault ? html`<p class="fault" role="alert">${result.fault}</p>` : null}<p role="status" class="quiet">${result.done}</p>`;
  return [run, shown];
}

/** What I can do about one person; `person` is {user?, name, seat?}. Old chat lines have no user. */
function Person({ feed, person }) {
  const [run, result] = useRequests();
  const [reporting, setReporting] = useState(false);
  useEffect(() => void loadBlocked().catch(() => {}), []);
  const info = feed.info.value;
  const { user: id, name } = person;
  const key = id ?? name;
  const table = feed.id;
  const seat = info.seats.find((one) => one.user === id);
  const hosting = info.host === user.value?.id && isLive(info);
  const gone = (info.dismissed ?? []).some((one) => one.user === id);
  const report = (text) => run(() => request("report", { table, user: id, text }).then(() => setReporting(false)), t("reported"));
  return html`<div class="menu person">
    <button aria-pressed=${muted.value.has(key)} onClick=${() => toggleMute(key, name)}>${muted.value.has(key) ? t("unmute") : t("mute")}</button>
    ${id ? html`
      ${blocked.value.has(id)
        ? html`<button onClick=${() => run(() => unblock(id), t("unblocked"))}>${t("unblock")}</button>`
        : html`<button onClick=${() => run(() => block(id, name), t("blocked_now"))}>${t("block")}</button>`}
      ${reporting ? html`<${ReportForm} ...${{ report, cancel: () => setReporting(false) }} />` : html`<button onClick=${() => setReporting(true)}>${t("report")}</button>`}
      ${hosting && !gone ? html`<${Confirm} label=${t("send_away")} sure=${sureAway(info, name)} act=${() => run(() => request("dismiss", { table, user: id }), t("away_now", { name }))} />` : null}
      ${hosting && gone ? html`<button onClick=${() => run(() => request("readmit", { table, user: id }), t("may_return", { name }))}>${t("let_in")}</button>` : null}
      ${hosting && seat && seat.kind !== "held" ? html`<${Confirm} label=${t("make_host")} sure=${t("host_sure", { name })} act=${() => run(() => request("appoint", { table, user: id }), t("host_now", { name }))} />` : null}` : null}
    ${result}
  </div>`;
}

const sureAway = (info, name) => (info.status === "running" ? t("away_sure_bot", { name }) : t("away_sure", { name }));

function ReportForm({ report, cancel }) {
  const [text, setText] = useState("");
  const send = (event) => {
    event.preventDefault();
    report(text.trim());
  };
  return html`<form class="report" onSubmit=${send}>
    <label>${t("report_what")} <textarea maxlength="300" rows="3" value=${text} onInput=${(event) => setText(event.target.value)}></textarea></label>
    <p class="row"><button type="submit" class="can do">${t("send_report")}</button><button type="button" onClick=${cancel}>${t("cancel")}</button></p>
  </form>`;
}

/** Everybody at the table: the seats, who talks without a seat, and whom the host has sent away. */
function People({ feed }) {
  const [run, result] = useRequests();
  const info = feed.info.value;
  const hosting = info.host === user.value?.id && isLive(info);
  const dismissed = info.dismissed ?? [];
  const absent = new Set([user.value?.id, ...info.seats.map((seat) => seat.user), ...dismissed.map((one) => one.user)]);
  const watchers = new Map(feed.chats.value.filter((chat) => chat.user && !absent.has(chat.user)).map((chat) => [chat.user, chat.name]));
  const row = (key, name, about, person, { bot, seat, badge, picture } = {}) => html`<li key=${key}>
    <${Avatar} ...${{ name, bot, seat, picture }} /><bdi class="name">${name}</bdi><span class="quiet">${about}</span>${badge}
    ${person ? html`<button aria-label=${t("about", { name })} onClick=${() => openPerson(feed, person)}>…</button>` : null}
  </li>`;
  return html`<div class="people">
    ${hosting ? html`<${HostRules} ...${{ feed, info, run }} />` : null}
    <ul class="rows" aria-label=${t("people")}>
      ${info.seats.map((seat, number) => (seat.user ? row(number, seat.name, aboutSeat(info, number), isOther(seat) ? seat : null, { bot: seat.kind === "bot", seat: number, picture: seat.avatar, badge: html`<${HostBadge} ...${{ info, seat }} />` }) : null))}
      ${[...watchers].map(([id, name]) => row(id, name, t("watching"), { user: id, name }))}
    </ul>
    <p class="quiet">${watchersText(info)} ${ruleText(ruleOf(info), info.seats)}</p>
    ${dismissed.length ? html`<h3>${t("sent_away")}</h3>
      <ul class="rows" aria-label=${t("sent_away")}>${dismissed.map((one) => row(one.user, one.name ?? t("a_watcher"), "", { user: one.user, name: one.name ?? t("a_watcher") }))}</ul>` : null}
    ${result}
  </div>`;
}

/** How many watch, and who of them wants to be named. */
export function watchersText(info) {
  const count = info.watchers ?? 0;
  const named = info.named ?? [];
  if (!count) return t("nobody_watches");
  const unnamed = count - named.length;
  const who = named.length ? listed([...named.map(isolated), ...(unnamed > 0 ? [t("more", { count: unnamed })] : [])]) : "";
  return who ? t("watchers_named", { count, who }) : t("watchers", { count });
}

/** A seat in a few words: whether it is mine, or what it is; nothing for a person who is here. */
export function aboutSeat(info, number) {
  const seat = info.seats[number];
  if (number === info.you) return t("you");
  return seat.kind === "person" && seat.here && !seat.stand_in ? "" : kindOf(seat);
}

/** The badge of the host's seat. */
export const HostBadge = ({ info, seat }) => (seat.user && seat.user === info.host ? html`<span class="host-badge">${t("host")}</span>` : null);

const COME = [[false, t("everybody")], [true, t("only_these")]];
const CHAT = [["everybody", t("everybody")], ["seats", t("players")], ["nobody", t("nobody")]];
const LATE = [[true, t("yes")], [false, t("no")]];

/** Whether friends who come late can join the game, in a sentence. */
export const lateText = (info) => (info.late ? t("late_on") : t("late_off"));

function HostRules({ feed, info, run }) {
  const configure = (rule) => run(() => request("configure", { table: feed.id, ...rule }));
  const choice = (label, choices, now, name) => html`<div class="setting" role="group" aria-label=${label}>
    <span>${label}</span>
    <span class="segments">${choices.map(([value, text]) => html`<button key=${text} aria-pressed=${value === now} onClick=${() => configure({ [name]: value })}>${text}</button>`)}</span>
  </div>`;
  return html`<section class="menu" aria-label=${t("you_are_host")}>
    <h3>${t("you_are_host")}</h3>
    ${choice(t("may_come"), COME, info.locked ?? false, "locked")}
    ${choice(t("may_chat"), CHAT, info.chat ?? "everybody", "chat")}
    ${choice(t("late_friends"), LATE, info.late ?? false, "late")}
    <${ProposeRule} ...${{ feed, info, run }} />
    <${Confirm} label=${t("close_table")} sure=${t("close_sure")} act=${() => run(() => request("close_table", { table: feed.id }), t("table_closed"))} />
  </section>`;
}
