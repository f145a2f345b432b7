/** What somebody sees who comes to a table that waits for players and has no seat there: what it is, a name, one button. */

import { Avatar } from "./avatar.js";
import { lengthText, timeText, variantOf } from "./choices.js";
import { html, useState } from "./html.js";
import { Emblem } from "./icons.js";
import { AskName, nameAccepted, newName } from "./name.js";
import { request, user } from "./net.js";
import { lateText } from "./people.js";
import { ruleOf, ruleText } from "./watch_rule.js";
import { isolated } from "./words.js";
import { texts } from "./messages/en/people.js";
import { facts, translator } from "./messages.js";

const t = translator(texts);

const REFUSED = {
  table_full: t("taken"),
  seat_taken: t("taken"),
  blocked: t("blocked_host"),
};

export function Invitation({ feed, info, game }) {
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);
  const host = info.seats.find((seat) => seat.user === info.host);
  const held = info.seats.some((seat) => seat.kind === "held" && seat.user === user.value?.id);
  const sit = async () => {
    setFault("");
    setBusy(true);
    const name = newName();
    try {
      await request("sit", { table: feed.id, ...name });
      nameAccepted(name);
    } catch (error) {
      setFault(REFUSED[error.answer?.code] ?? error.message);
    }
    setBusy(false);
  };
  const title = game?.title ?? info.game;
  const variant = variantOf(game, info.options);
  const about = facts([variant, lengthText(game), timeText(info.speed)]);
  return html`<div class="waiting invitation">
    <div class="invited">
      <${Emblem} game=${info.game} />
      <h2>${host ? t.rich("invites", { name: html`<bdi>${isolated(host.name)}</bdi>`, title }) : t("room", { title })}</h2>
      <p class="quiet">${about}</p>
    </div>
    ${game?.about ? html`<ol class="how" aria-label=${t("how")}>${game.about.how.map((step) => html`<li key=${step}>${step}</li>`)}</ol>` : null}
    <ul class="faces-named" aria-label=${t("seats")}>
      ${info.seats.map((seat, number) => html`<li key=${number} class=${seat.kind}><${Avatar} name=${seat.name ?? "+"} bot=${seat.kind === "bot"} seat=${number} picture=${seat.avatar} /><bdi>${seat.name ?? t("free")}</bdi></li>`)}
    </ul>
    <p class="quiet">${lateText(info)} ${ruleText(ruleOf(info), info.seats)}</p>
    <div class="row sit-down">
      <${AskName} always picture />
      <button class="can do big" disabled=${busy} onClick=${sit}>${held ? t("take_seat") : t("sit_here")}</button>
    </div>
    <p class="fault" role="alert">${fault}</p>
  </div>`;
}
