/** What changed at a table besides the game: who sat down, left or is the host now, in sentences. */

import { html, signal } from "./html.js";
import { isolated } from "./words.js";
import { texts } from "./messages/en/people.js";
import { translator } from "./messages.js";

const t = translator(texts);

const SHOWN_MS = 5000;
const news = signal(null); // {text, at}: what is shown over the page for some seconds
let timer = null;

const nameOf = (seat) => isolated(seat.name ?? t("somebody"));
const isPerson = (seat) => seat?.kind === "person";

/** The sentences for the changes between two `table` messages, as somebody with this user id reads them. */
export function changesOf(before, after, me) {
  const others = after.seats.filter((seat) => seat.user !== me);
  const had = (user) => before.seats.find((seat) => seat.user === user);
  const lines = [];
  for (const seat of others.filter(isPerson)) {
    const old = had(seat.user);
    const replaced = before.seats[after.seats.indexOf(seat)];
    if (!isPerson(old)) lines.push(before.status === "running" && replaced ? t("plays_for_bot", { name: nameOf(seat), bot: nameOf(replaced) }) : t("sat_down", { name: nameOf(seat) }));
    else if (old.stand_in && !seat.stand_in) lines.push(t("is_back", { name: nameOf(seat) }));
    else if (seat.stand_in && !old.stand_in) lines.push(t("is_away", { name: nameOf(seat), other: seat.stand_in }));
  }
  for (const seat of before.seats.filter((one) => isPerson(one) && one.user !== me)) {
    if (after.seats.some((one) => one.user === seat.user)) continue;
    const sentAway = after.dismissed?.some((one) => one.user === seat.user);
    lines.push(t(sentAway ? "was_sent_away" : "has_left", { name: nameOf(seat) }));
  }
  if (after.host !== before.host) {
    const host = after.seats.find((seat) => seat.user === after.host);
    if (host) lines.push(host.user === me ? t("you_host") : t("host_now", { name: nameOf(host) }));
  }
  return lines;
}

/** Show a sentence over the page for some seconds. */
export function announce(text) {
  clearTimeout(timer);
  news.value = { text, at: Date.now() };
  timer = setTimeout(() => (news.value = null), SHOWN_MS);
}

/** Lies over the page, so that nothing moves, and takes no clicks. */
export const Arrivals = () => html`<div class="arrivals" role="status">${news.value ? html`<p key=${news.value.at}>${news.value.text}</p>` : null}</div>`;
