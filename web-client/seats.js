/** Seats: the user, public badges, whether the seat is to act, and its time left. */

import { Avatar } from "./avatar.js";
import { html, useEffect, useState } from "./html.js";
import { icons } from "./icons.js";
import { keepInside } from "./inside.js";
import { connection } from "./net.js";
import { ChatText, isReaction } from "./reactions.js";
import { told } from "./told.js";
import { texts } from "./messages/en/table.js";
import { inRow, translator } from "./messages.js";

const t = translator(texts);

/** A ring that empties as the time of a seat runs out. */
export function Ring({ clock, children }) {
  const [, tick] = useState(0);
  const timed = clock && clock.ends !== null;
  useEffect(() => {
    if (!timed) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), 250);
    return () => clearInterval(timer);
  }, [timed]);
  const disconnected = connection.value.state !== "open";
  const left = timed ? Math.max(0, clock.ends - performance.now()) : 0;
  const share = timed ? left / Math.max(1, clock.total) : 1;
  const late = timed && left < 10_000 && share < 0.34;
  return html`<span class=${`ring ${clock ? "thinking" : ""} ${late && !disconnected ? "late" : ""}`}>
    ${clock &&
    html`<svg viewBox="0 0 40 40" aria-hidden="true">
      <circle cx="20" cy="20" r="18" class="ring-ground" />
      <circle cx="20" cy="20" r="18" class="ring-left" pathLength="100" stroke-dasharray=${`${share * 100} 100`} />
    </svg>`}
    ${children}
    ${timed && html`<span class="seconds" aria-hidden="true">${Math.ceil(left / 1000)}</span>`}
  </span>`;
}

/** What a seat is, in a few words: free, a person, a bot, away. */
export function kindOf(seat) {
  if (seat.kind === "free") return t("free");
  if (seat.kind === "held") return !seat.bot ? t("reserved") : seat.owner ? t("bot_invited_of", { owner: seat.owner }) : t("bot_invited");
  if (seat.kind === "bot") return seat.level ? t("bot_level", { level: told(seat.level) }) : seat.owner ? t("bot_of", { owner: seat.owner }) : t("bot");
  if (seat.stand_in) return t("away_stand_in", { name: seat.stand_in });
  return seat.here ? t("person") : t("away");
}

const isBot = (seat) => seat.kind === "bot" || (seat.kind === "held" && seat.bot);
const isAway = (seat) => seat.kind === "person" && (seat.stand_in || !seat.here);

/**
 * A seat. A badge is {text, brief, label, kind}, where `brief` is shown if there is little room, or {mark, label} for a letter or icon at
 * the avatar. `bid` is {text, label, state}: what the seat bids in an auction; `state` is "high", "out" or "". `next` says that the
 * seat plays next. `about` opens the sheet about its owner, `react` is the menu of my own seat.
 */
export function Seat({ number, info, clock, next = false, badges = [], me = false, bid, extra, bubble, place, about, react }) {
  const seat = info.seats[number];
  const kind = kindOf(seat);
  const sign = isBot(seat) ? icons.bot : isAway(seat) ? icons.away : null;
  const state = clock ? t("thinking") : next ? t("next") : null;
  const rank = place ? t("place", { place }) : null;
  const host = seat.user && seat.user === info.host && info.status === "running";
  const marks = badges.filter((badge) => badge.mark);
  const shown = badges.filter((badge) => !badge.mark);
  const notes = [...badges.map((badge) => badge.label ?? badge.text), ...(bid ? [bid.label] : [])];
  return html`<div
    class=${`seat ${me ? "mine" : ""} ${clock ? "acting" : ""} ${bid ? `bidder ${bid.state ?? ""}` : ""} ${isAway(seat) ? "away" : ""}`}
    data-place=${`seat-${number}`}
    role="group"
    aria-label=${inRow([me && t("you"), seat.name ?? t("free_seat"), kind, host && t("host"), state, rank, ...notes])}
  >
    <${Ring} clock=${clock}><${Avatar} name=${seat.name} bot=${seat.kind === "bot"} seat=${number} picture=${seat.avatar} /></${Ring}>
    ${sign && html`<span class="sign">${sign()}</span>`}
    ${host && html`<span class="host-mark" title=${t("host")} aria-hidden="true">${icons.host()}</span>`}
    <span class="name" title=${inRow([seat.name ?? t("free_name"), kind, host && t("host")])}><bdi>${seat.name ?? t("free_name")}</bdi></span>
    ${marks.map((mark) => html`<span class="mark" title=${mark.label} aria-hidden="true">${mark.mark}</span>`)}
    <span class="badges">${shown.map((badge) => html`<span class=${`badge ${badge.kind ?? ""}`} title=${badge.label}>${badge.brief ? html`<span class="long">${badge.text}</span><span class="brief">${badge.brief}</span>` : badge.text}</span>`)}${seat.stand_in ? html`<span class="badge relief">${t("stand_in", { name: seat.stand_in })}</span>` : null}</span>
    ${bid ? html`<span class="paddle" data-place=${`bid-${number}`} aria-hidden="true">${bid.text}</span>` : null}
    ${extra ? html`<span class="extra">${extra}</span>` : null}
    ${next && !clock ? html`<span class="next" aria-hidden="true">${t("next")}</span>` : null}
    ${react ?? null}
    ${bubble ? html`<span class=${`bubble ${isReaction(bubble.text) ? "of-reaction" : ""}`} key=${bubble.at} ref=${keepInside}><${ChatText} text=${bubble.text} /></span>` : null}
    ${about ? html`<button class="seat-menu" aria-label=${t("about", { name: seat.name })} onClick=${about}></button>` : null}
  </div>`;
}
