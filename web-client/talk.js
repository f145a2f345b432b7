/** The chat. */

import { blocked } from "./blocked.js";
import { effect, html, signal, useEffect, useState } from "./html.js";
import { request, user } from "./net.js";
import { ChatText, ReactionButtons } from "./reactions.js";
import { hearsWatchers, load, save } from "./settings.js";
import { useStickToBottom } from "./stick.js";
import { texts } from "./messages/en/people.js";
import { translator } from "./messages.js";

const t = translator(texts);

const PHRASES = [t("hello"), t("good_game")];
export const muted = signal(new Map(load("muted", []))); // user id -> name, kept by this browser; "*" means everybody, until the page is reloaded
effect(() => save("muted", [...muted.value].filter(([key]) => key !== "*")));

const readUpTo = signal(load("read_up_to", 0)); // when the newest text that this browser has shown was said, by the server's time
effect(() => save("read_up_to", readUpTo.value));

/** How many texts of others this browser has not shown yet. */
export const unreadOf = (feed) => withoutMuted(feed.chats.value).filter((chat) => !chat.notice && chat.user !== user.value?.id && chat.at > readUpTo.value).length;

const isMuted = (key) => muted.value.has("*") || muted.value.has(key) || blocked.value.has(key);

export const withoutMuted = (chats) => chats.filter((chat) => !isMuted(chat.user ?? chat.name));

export function toggleMute(key, name) {
  const next = new Map(muted.value);
  if (!next.delete(key)) next.set(key, name);
  muted.value = next;
}

/** Why I cannot write here; nothing if I can. */
export function silence(info, watcher) {
  if (info?.chat === "nobody") return t("chat_off");
  return info?.chat === "seats" && watcher ? t("players_chat") : "";
}

/** Whether players who want to hear watchers do: not while these see more of the running game than the public does (P61). */
const heard = ({ status, watching }) => status !== "running" || !watching || watching.see === "public";

/** The chat. `about` is called with {user, name} of a message whose author is pressed. */
export function Chat({ feed, watcher, about }) {
  const chats = withoutMuted(feed.chats.value);
  const [text, setText] = useState("");
  const [fault, setFault] = useState("");
  const box = useStickToBottom();
  useEffect(() => {
    const newest = Math.max(0, ...chats.filter((chat) => !chat.notice).map((chat) => chat.at));
    const read = () => box.current?.checkVisibility() && newest > readUpTo.value && (readUpTo.value = newest);
    const frame = requestAnimationFrame(read); // by then the sheet that it is in has opened
    return () => cancelAnimationFrame(frame);
  });
  const say = async (words) => {
    setFault("");
    try {
      await request("say", { table: feed.id, text: words });
    } catch (error) {
      setFault(error.message);
      return false;
    }
    return true;
  };
  const send = async (event) => {
    event.preventDefault();
    if (!text.trim()) return;
    setText("");
    if (!(await say(text.trim()))) setText((now) => now || text);
  };
  const [part, setPart] = useState("all");
  const fromWatcher = (chat) => chat.seat === undefined || chat.seat === null;
  const apart = chats.filter((chat) => chat.notice || part === "all" || fromWatcher(chat) === (part === "watchers"));
  const hear = () => {
    hearsWatchers.value = !hearsWatchers.value;
    feed.reopen();
  };
  const allMuted = muted.value.has("*");
  const silent = silence(feed.info.value, watcher);
  return html`<section class="chat" aria-label=${t("chat")}>
    <div class="chats" ref=${box} tabindex="0" role="log" aria-label=${t("what_was_said")}><ol>
      ${apart.map((chat) => chat.notice ? html`<li key=${`${chat.at}${chat.text}`} class="quiet">${chat.text}</li>` : html`<li key=${`${chat.at}${chat.name}`} class=${chat.seat === undefined || chat.seat === null ? "from-watcher" : ""}>
        ${chat.user && chat.user === user.value?.id ? html`<bdi class="from">${chat.name}</bdi>` : html`<button class="from" aria-label=${t("about", { name: chat.name })} onClick=${() => about(chat)}><bdi>${chat.name}</bdi></button>`} <${ChatText} text=${chat.text} />
      </li>`)}
      ${chats.length ? null : html`<li class="quiet">${allMuted ? t("chat_muted") : silent ? "" : watcher ? t(heard(feed.info.value) ? "watchers_and_wanting" : "only_watchers") : t("say_hello")}</li>`}
    </ol></div>
    ${silent ? html`<p class="quiet">${silent}</p>` : html`<div class="reactions" role="group" aria-label=${t("quick_reactions")}>
      <${ReactionButtons} say=${say} />
      ${PHRASES.map((word) => html`<button key=${word} aria-label=${t("say", { words: word })} onClick=${() => say(word)}>${word}</button>`)}
    </div>
    <form onSubmit=${send}>
      <input aria-label=${t("message")} maxlength="300" placeholder=${watcher ? t("write_watchers") : t("write_table")} value=${text} onInput=${(event) => setText(event.target.value)} />
      <button type="submit">${t("send")}</button>
    </form>`}
    <div class="mutes">
      ${watcher || hearsWatchers.value ? html`<div class="segments talk-parts" role="group" aria-label=${t("whose_talk")}>
      ${[["all", t("talk_all")], ["players", t("players")], ["watchers", t("watchers_word")]].map(([value, label]) => html`<button key=${value} aria-pressed=${part === value} onClick=${() => setPart(value)}>${label}</button>`)}
    </div>` : null}
      ${watcher ? null : html`<button aria-pressed=${hearsWatchers.value} onClick=${hear}>${hearsWatchers.value ? t("hide_watchers") : t("show_watchers")}</button>`}
      <button aria-pressed=${allMuted} onClick=${() => toggleMute("*")}>${allMuted ? t("unmute_chat") : t("mute_all")}</button>
      ${[...muted.value].filter(([key]) => key !== "*").map(([key, name]) => html`<button key=${key} onClick=${() => toggleMute(key)}>${t.rich("unmute_name", { name: html`<bdi>${name}</bdi>` })}</button>`)}
    </div>
    ${fault && html`<p class="fault" role="alert">${fault}</p>`}
  </section>`;
}
