/** The score of an evening: who has won how many of the games that follow each other by rematches. */

import { html } from "./html.js";
import { user } from "./net.js";
import { isolated } from "./words.js";
import { texts } from "./messages/en/table.js";
import { translator, YOU } from "./messages.js";

const t = translator(texts);

/** "you 3, Eve 2, Brie 1". */
export function scoreText(evening) {
  return evening.scores.map((one) => t("score", { name: one.user === user.value?.id ? YOU : isolated(one.name), wins: one.wins })).join(", ");
}

export function Tonight({ info }) {
  if (!info.evening) return null;
  const { rounds } = info.evening;
  return html`<p class="tonight" title=${t("rounds", { rounds })}><span>${t("tonight")}</span> <b>${scoreText(info.evening)}</b></p>`;
}
