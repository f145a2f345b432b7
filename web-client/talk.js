/** The log of what happened and the chat beside it. */

import { html, signal, useEffect, useRef, useState } from "./html.js";
import { request } from "./net.js";
import { eventText } from "./words.js";

export const REACTIONS = ["Hello!", "Nice!", "Ha!", "Ouch", "Good game"];
export const muted = signal(new Set()); // names, for as long as the page lives; "*" is everybody

export const heardFrom = (chats) => chats.filter((chat) => !muted.value.has("*") && !muted.value.has(chat.name));

export function mute(name) {
  const next = new Set(muted.value);
  if (!next.delete(name)) next.add(name);
  muted.value = next;
}

/** The lines of the log: events as sentences, the newest last. */
export function logLines(past, words, names, view) {
  const lines = [];
  for (const entry of past) {
    const texts = entry.events.map((event) => eventText(event, words, names, view)).filter(Boolean);
    const note = entry.by === "clock" ? " (time ran out)" : entry.by === "stand_in" ? " (stand-in)" : "";
    if (texts.length) lines.push({ n: entry.n, text: texts.join(" ") + note, mine: entry.seat });
  }
  return lines;
}

/** A list that stays at its end as it grows, until somebody scrolls up to read. */
function useAtBottom(newest) {
  const box = useRef(null);
  const atEnd = useRef(true);
  useEffect(() => {
    const element = box.current;
    const look = () => requestAnimationFrame(() => (atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 40));
    element.onwheel = element.ontouchmove = element.onkeyup = element.onpointerup = look; // a reader's doing, not our own scrolling
  }, []);
  useEffect(() => {
    if (atEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [newest]);
  return box;
}

export function Log({ lines }) {
  const box = useAtBottom(lines.at(-1)?.n);
  return html`<ol class="log" ref=${box} tabindex="0" aria-label="What happened">
    ${lines.map((line) => html`<li key=${line.n}>${line.text}</li>`)}
    ${lines.length ? null : html`<li class="quiet">Nothing since you came in.</li>`}
  </ol>`;
}

export function Chat({ feed, names, watcher }) {
  const chats = heardFrom(feed.chats.value);
  const [text, setText] = useState("");
  const [fault, setFault] = useState("");
  const box = useAtBottom(chats.at(-1)?.heard);
  const say = async (words) => {
    setFault("");
    try {
      await request("say", { table: feed.id, text: words });
    } catch (no) {
      setFault(no.message);
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
  const quiet = muted.value.has("*");
  return html`<section class="chat" aria-label="Chat">
    <div class="chats" ref=${box} tabindex="0" role="log" aria-label="What was said"><ol>
      ${chats.map((chat) => html`<li key=${`${chat.at}${chat.name}`} class=${chat.seat === undefined || chat.seat === null ? "from-watcher" : ""}>
        <button class="from" title="Mute" aria-label=${`Mute ${chat.name}`} onClick=${() => mute(chat.name)}>${chat.name}</button> ${chat.text}
      </li>`)}
      ${chats.length ? null : html`<li class="quiet">${quiet ? "Chat is muted." : watcher ? "Watchers talk among themselves." : "Say hello."}</li>`}
    </ol></div>
    <div class="reactions" role="group" aria-label="Quick reactions">
      ${REACTIONS.map((word) => html`<button key=${word} aria-label=${`Say ${word}`} onClick=${() => say(word)}>${word}</button>`)}
    </div>
    <form onSubmit=${send}>
      <input aria-label="Message" maxlength="300" placeholder=${watcher ? "To the watchers" : "To the table"} value=${text} onInput=${(event) => setText(event.target.value)} />
      <button type="submit">Send</button>
    </form>
    <div class="mutes">
      <button aria-pressed=${quiet} onClick=${() => mute("*")}>${quiet ? "Unmute chat" : "Mute all"}</button>
      ${[...muted.value].filter((name) => name !== "*").map((name) => html`<button key=${name} onClick=${() => mute(name)}>Unmute ${name}</button>`)}
    </div>
    ${fault && html`<p class="fault" role="alert">${fault}</p>`}
  </section>`;
}
