/** What watchers of a table see (P58): in words, to choose, and the question to players whether they agree (P59). */

import { html, useState } from "./html.js";
import { request, user } from "./net.js";
import { isolated } from "./words.js";
import { texts } from "./messages/en/people.js";
import { translator } from "./messages.js";

const t = translator(texts);

const PUBLIC = { see: "public" };
const DEFAULT_LATE = 20;

const same = (a, b) => a?.see === b?.see && (a?.seat ?? null) === (b?.seat ?? null) && (a?.late ?? null) === (b?.late ?? null);

export const ruleOf = (info) => info.watching ?? PUBLIC;

/** A rule as a sentence; `seats` are those of the table. */
export function ruleText(rule, seats = []) {
  switch (rule.see) {
    case "seat":
      return seats[rule.seat]?.name ? t("see_name", { name: isolated(seats[rule.seat].name) }) : t("see_seat", { number: rule.seat + 1 });
    case "all":
      return rule.late ? t("see_late", { late: rule.late }) : t("see_end");
    case "nobody":
      return t("see_nobody");
    default:
      return t("see_public");
  }
}

/** A rule in a few words for a list; nothing for the public view. */
export const shortRule = (rule) => ({ seat: t("short_seat"), all: rule?.late ? t("short_late", { late: rule.late }) : t("short_end"), nobody: t("short_nobody") })[rule?.see] ?? "";

/** A list to choose a rule from. `mine` is the seat that t("rule_mine") means, or null. */
export function RuleChoice({ value, mine, change }) {
  const choose = (event) => change({ public: PUBLIC, seat: { see: "seat", seat: mine }, late: { see: "all", late: value.late ?? DEFAULT_LATE }, end: { see: "all" }, nobody: { see: "nobody" } }[event.target.value]);
  const now = value.see === "all" ? (value.late ? "late" : "end") : value.see;
  return html`<label>${t("watchers_see")} <select value=${now} onChange=${choose}>
      <option value="public">${t("rule_public")}</option>
      ${mine === null && now !== "seat" ? null : html`<option value="seat">${mine === null || (now === "seat" && value.seat !== mine) ? t("rule_seat", { number: value.seat + 1 }) : t("rule_mine")}</option>`}
      <option value="late">${t("rule_late")}</option>
      <option value="end">${t("rule_end")}</option>
      <option value="nobody">${t("rule_nobody")}</option>
    </select></label>
    ${now === "late" ? html`<label>${t.rich("late_by", { field: html`<input class="late-by" type="number" min="1" max="100" required value=${value.late} onChange=${(event) => event.target.reportValidity() && change({ see: "all", late: Number(event.target.value) })} />` })}</label>` : null}`;
}

/** The host's choice for a table: it is proposed to the other players. */
export function ProposeRule({ feed, info, run }) {
  const [value, setValue] = useState(info.proposed?.watching ?? ruleOf(info));
  const people = info.seats.filter((seat) => seat.kind === "person" && seat.user !== user.value?.id).length;
  const propose = () => run(() => request("configure", { table: feed.id, watching: value }), people ? t("asked") : t("done"));
  return html`<div class="watch-rule">
    <${RuleChoice} ...${{ value, mine: info.you ?? null, change: setValue }} />
    ${same(value, info.proposed?.watching ?? ruleOf(info)) ? null : html`<button class="do can" onClick=${propose}>${people ? t("ask_players") : t("change_it")}</button>`}
    ${info.proposed ? html`<p class="quiet">${t("not_agreed", { rule: ruleText(info.proposed.watching, info.seats) })}</p>` : null}
  </div>`;
}

/** What I am asked to agree to: what the host proposes, or to show my own seat; null if nothing. */
function question(info) {
  const me = user.value?.id;
  if (info.you === undefined || info.you === null || !["open", "running"].includes(info.status)) return null;
  if (info.proposed) return info.proposed.agreed.includes(me) ? null : { rule: info.proposed.watching, text: t("proposed", { rule: ruleText(info.proposed.watching, info.seats) }) };
  const rule = ruleOf(info);
  return rule.see === "seat" && rule.seat === info.you && info.shown === undefined ? { rule, text: t("may_see_hand") } : null;
}

/** The question to me whether I agree, over the page, until I have answered it. */
export function ConsentBar({ feed, info }) {
  const [answered, setAnswered] = useState(null);
  const [fault, setFault] = useState("");
  const asked = question(info);
  if (!asked || same(answered, asked.rule)) return null;
  const answer = (agree) => {
    setFault("");
    const own = !info.proposed;
    if (own && !agree) setAnswered(asked.rule); // nothing is shown without consent
    else request("consent", { table: feed.id, watching: asked.rule, ...(agree ? {} : { agree }) }).catch((error) => setFault(error.message));
  };
  return html`<section class="consent" role="alertdialog" aria-label=${t("do_you_agree")}>
    <p>${asked.text}</p>
    <p class="row"><button class="do can" onClick=${() => answer(true)}>${t("agree")}</button><button onClick=${() => answer(false)}>${t("disagree")}</button></p>
    ${fault && html`<p class="fault" role="alert">${fault}</p>`}
  </section>`;
}
