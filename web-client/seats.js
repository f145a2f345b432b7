/** Seats: who has them, what is public of them, whether they are thinking and how long they have. */

import { html, useEffect, useState } from "./html.js";
import { icons } from "./icons.js";
import { link } from "./net.js";

/** A mark of two letters on a colour of its own, from the name. */
export function Avatar({ name, bot }) {
  const letters = (name ?? "?").split(/\s+/).map((word) => [...word][0]).slice(0, 2).join("").toUpperCase();
  let hash = 7;
  for (const letter of name ?? "") hash = (hash * 31 + letter.codePointAt(0)) % 360;
  return html`<span class=${`avatar ${bot ? "of-bot" : ""}`} style=${{ "--hue": hash }} aria-hidden="true">${letters}</span>`;
}

/** The ring that empties while somebody's time runs. */
export function Ring({ clock, children }) {
  const [, tick] = useState(0);
  const timed = clock && clock.ends !== null;
  useEffect(() => {
    if (!timed) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), 250);
    return () => clearInterval(timer);
  }, [timed]);
  const still = link.value.state !== "open";
  const left = timed ? Math.max(0, clock.ends - performance.now()) : 0;
  const part = timed ? left / Math.max(1, clock.total) : 1;
  const late = timed && left < 10_000 && part < 0.34;
  return html`<span class=${`ring ${clock ? "thinking" : ""} ${late && !still ? "late" : ""}`}>
    ${clock &&
    html`<svg viewBox="0 0 40 40" aria-hidden="true">
      <circle cx="20" cy="20" r="18" class="ring-ground" />
      <circle cx="20" cy="20" r="18" class="ring-left" pathLength="100" stroke-dasharray=${`${part * 100} 100`} />
    </svg>`}
    ${children}
    ${timed && html`<span class="seconds" aria-hidden="true">${Math.ceil(left / 1000)}</span>`}
  </span>`;
}

/** In a word: a person, a bot, somebody who is away. */
export function kindOf(seat) {
  if (seat.kind === "free") return "free";
  if (seat.kind === "held") return "kept";
  if (seat.kind === "bot") return seat.level ? `bot, ${seat.level}` : seat.owner ? `bot, of ${seat.owner}` : "bot";
  if (seat.stand_in) return `away, ${seat.stand_in} stands in`;
  return seat.here ? "person" : "away";
}

/** Move what sticks out over the right edge of the page inside. */
function keepInside(element) {
  if (!element) return;
  element.style.translate = "none";
  element.style.translate = `${Math.min(0, document.documentElement.clientWidth - 8 - element.getBoundingClientRect().right)}px`;
}

const SIGNS = { bot: icons.bot, away: icons.away };

export function Seat({ number, info, clock, badges = [], me = false, extra, bubble, place, dealer }) {
  const seat = info.seats[number];
  const kind = kindOf(seat);
  const sign = SIGNS[kind.split(",")[0]];
  const state = clock ? ", thinking" : "";
  const rank = place ? `, place ${place}` : "";
  return html`<div
    class=${`seat ${me ? "mine" : ""} ${clock ? "acting" : ""} ${kind.startsWith("away") ? "away" : ""}`}
    data-place=${`seat-${number}`}
    role="group"
    aria-label=${`${me ? "You, " : ""}${seat.name ?? "free seat"}, ${kind}${state}${rank}${badges.map((badge) => `, ${badge.label ?? badge.text}`).join("")}`}
  >
    <${Ring} clock=${clock}><${Avatar} name=${seat.name} bot=${seat.kind === "bot"} /></${Ring}>
    <span class="who">
      <span class="name">${seat.name ?? "Free"}${dealer ? html`<i class="dealer">D</i>` : null}</span>
      <span class="kind">
        ${sign && html`<span class="sign">${sign()}</span>`}${me ? "you" : seat.stand_in ? `${seat.stand_in} stands in` : kind.replace("bot, ", "")}
      </span>
    </span>
    ${badges.length ? html`<span class="badges">${badges.map((badge) => html`<span class=${`badge ${badge.kind ?? ""}`} title=${badge.label}>${badge.text}</span>`)}</span>` : null}
    ${extra ? html`<span class="extra">${extra}</span>` : null}
    ${bubble ? html`<span class="bubble" key=${bubble.at} ref=${keepInside}>${bubble.text}</span>` : null}
  </div>`;
}
