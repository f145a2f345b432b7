/** A table that waits for players: what it plays, the invitation, the seats, and the start button. */

import { Avatar } from "./avatar.js";
import { DEFAULT_LEVEL, lengthText, openGameChoice, speedText, variantOf } from "./choices.js";
import { Tonight } from "./evening.js";
import { html, useEffect, useState } from "./html.js";
import { Invitation } from "./invitation.js";
import { hasLesson } from "./lessons.js";
import { levels, request, user } from "./net.js";
import { aboutSeat, HostBadge, isOther, lateText, openPerson } from "./people.js";
import { MyPicture } from "./picture.js";
import { Share } from "./share.js";
import { ruleOf, ruleText } from "./watch_rule.js";
import { told } from "./told.js";
import { texts } from "./messages/en/people.js";
import { facts, translator } from "./messages.js";

const t = translator(texts);

/** A list of bots for a free seat: house bots, and bots that are online and accept invitations. */
function AddBot({ number, game, send, online }) {
  const choose = (event) => {
    const [kind, who] = event.target.value.split(":");
    event.target.value = "";
    if (kind === "house") send("bot", { seat: number, level: who });
    if (kind === "bot") send("invite", { seat: number, bot: who });
  };
  return html`<select class="add-bot" aria-label=${t("add_bot_to", { number: number + 1 })} onChange=${choose}>
    <option value="">${t("add_bot")}</option>
    <optgroup label=${t("house_bots")}>
      ${Object.entries(levels.value).map(([level, what]) => html`<option key=${level} value=${`house:${level}`}>${t("level_is", { level: told(level), what: told(what) })}</option>`)}
    </optgroup>
    ${online.length ? html`<optgroup label=${t("online")}>
      ${online.map((bot) => html`<option key=${bot.user} value=${`bot:${bot.user}`}>${botText(bot, game)}</option>`)}
    </optgroup>` : null}
  </select>`;
}

function botText({ name, owner, records }, game) {
  const record = records?.[game];
  return record ? t("bot_record", { name, owner, first: record.first, played: record.played }) : t("bot_of", { name, owner });
}

/** The bots that are online and not at this table, for the host. */
function useOnlineBots(host, info) {
  const [online, setOnline] = useState([]);
  useEffect(() => {
    if (!host) return undefined;
    const refresh = () => request("bots", { game: info.game }).then((answer) => setOnline(answer.bots ?? []), () => {});
    refresh();
    const timer = setInterval(refresh, 10_000);
    return () => clearInterval(timer);
  }, [host, info.game, info.seats.map((seat) => seat.user).join()]);
  return online.filter((bot) => bot.free > 0 && !info.seats.some((seat) => seat.user === bot.user));
}

const isMine = (seat) => seat.user === user.value?.id;

export function Waiting({ feed, info, game }) {
  const [fault, setFault] = useState("");
  const host = info.host === user.value?.id;
  const online = useOnlineBots(host, info);
  const send = (type, fields) => {
    setFault("");
    request(type, { table: feed.id, ...fields }).catch((error) => setFault(error.message));
  };
  const seated = info.seats.some((seat) => seat.kind !== "held" && isMine(seat));
  if (!seated && !host) return html`<${Invitation} ...${{ feed, info, game }} />`;
  const change = () => openGameChoice(t("what_play"), info, t("change"), (choice) => request("change", { table: feed.id, ...choice }));
  return html`<div class="waiting">
    <h2>${t("waiting")}</h2>
    <${Tonight} info=${info} />
    <p class="row plays"><span>${facts([variantOf(game, info.options), t("seat_count", { count: info.seats.length }), speedText(info.speed), lengthText(game)])}</span>
      ${host && !info.source ? html`<button onClick=${change}>${t("change_game")}</button>` : null}</p>
    ${info.source ? html`<p>${t.rich(info.source.seat === undefined ? "plays_on" : "plays_on_anew", { link: html`<a href=${`/r/${info.source.table}/${info.source.n}`}>${t("a_moment")}</a>`, number: info.source.seat + 1 })}</p>` : null}
    <ul class="chairs" aria-label=${t("seats")} style=${{ "--rows": Math.ceil(info.seats.length / 2) }}>
      ${info.seats.map((seat, number) => html`<${Chair} key=${number} ...${{ feed, info, seat, number, host, seated, online, send }} />`)}
    </ul>
    <${Share} info=${info} />
    <p class="quiet">${info.public ? t("public_table") : t("private_table")} ${lateText(info)} ${ruleText(ruleOf(info), info.seats)}</p>
    ${hasLesson(info.game) ? html`<p class="quiet">${t.rich("new_to", { title: game?.title ?? info.game, link: html`<a href=${`/learn/${info.game}?table=${info.table}`}>${t("learn_it")}</a>` })}</p>` : null}
    <p class=${`row begin ${host ? "" : "idle"}`}>
      ${host ? html`<button class="can do" onClick=${() => send("start", { bots: DEFAULT_LEVEL })}>${t("start")}</button>` : html`<span class="quiet">${t("starts_when")}</span>`}
      <span class="fault" role="alert">${fault}</span>
    </p>
  </div>`;
}

/** A seat and what the host can do about it. */
function Chair({ feed, info, seat, number, host, seated, online, send }) {
  return html`<li>
    ${isMine(seat) ? html`<${MyPicture} seat=${number} name=${seat.name} />` : html`<${Avatar} name=${seat.name ?? "+"} bot=${seat.kind === "bot"} seat=${number} picture=${seat.avatar} />`}
    <span class="chair-who"><bdi class="name">${seat.name ?? t("seat_number", { number: number + 1 })}</bdi> <span class="quiet">${aboutSeat(info, number)}</span> <${HostBadge} ...${{ info, seat }} /></span>
    <span class="chair-acts">
      ${seat.kind === "free" && !seated ? html`<button class="can do" onClick=${() => send("sit", { seat: number })}>${t("sit_here")}</button>` : null}
      ${host && seat.kind === "free" ? html`<${AddBot} ...${{ number, game: info.game, send, online }} />` : null}
      ${host && (seat.kind === "bot" || seat.kind === "held") ? html`<button onClick=${() => send("bot", { seat: number, level: null })}>${t("remove")}</button>` : null}
      ${isOther(seat) ? html`<button aria-label=${t("about", { name: seat.name })} onClick=${() => openPerson(feed, seat)}>…</button>` : null}
      ${host && number ? html`<button class="icon" aria-label=${t("swap", { one: number, other: number + 1 })} title=${t("swap_above")} onClick=${() => send("swap", { seat: number, other: number - 1 })}>↑</button>` : null}
    </span>
  </li>`;
}
