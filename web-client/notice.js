/** A notice at the table for a few seconds, such as why a move is not possible; the rule behind it on demand. */

import { html, signal, useState } from "./html.js";
import { icons } from "./icons.js";
import { ruleText } from "./rules.js";
import { texts } from "./messages/en/page.js";
import { translator } from "./messages.js";

const t = translator(texts);

const SHOWN_MS = 7000;
const RULE_SHOWN_MS = 30_000; // once somebody has asked for the rule

const notice = signal(null); // {text, at, game, rule}
let timer = null;

function hideAfter(ms) {
  clearTimeout(timer);
  timer = setTimeout(clearNotice, ms);
}

/** Show a notice; with a rule of a game, it has a button that shows the rule. */
export function showNotice(text, game = null, rule = null) {
  notice.value = { text, at: Date.now(), game, rule };
  hideAfter(SHOWN_MS);
}

export function clearNotice() {
  clearTimeout(timer);
  notice.value = null;
}

export function Notice() {
  const shown = notice.value;
  return shown ? html`<${OneNotice} key=${shown.at} ...${shown} />` : null;
}

function OneNotice({ text, game, rule }) {
  const [why, setWhy] = useState("");
  const ask = async () => {
    hideAfter(RULE_SHOWN_MS);
    const sentence = await ruleText(game, rule);
    setWhy(sentence ? `${rule}: ${sentence}` : rule);
  };
  return html`<p class="why" role="status"><span>${text}${why ? html`<br /><small>${why}</small>` : null}</span>
    ${rule && !why ? html`<button class="icon word" onClick=${ask}>${t("why")}</button>` : null}
    <button class="icon" aria-label=${t("close")} onClick=${clearNotice}>${icons.close()}</button></p>`;
}
