/** The score of an evening: who has won how many of the games that follow each other by rematches. */

import { html } from "./html.js";
import { user } from "./net.js";
import { isolated } from "./words.js";
import { texts } from "./messages/en/table.js";
import { inRow, translator, YOU } from "./messages.js";

const t = translator(texts);

/** The scores to show: those of all people at the table, and of others who have won a game. */
const scoresOf = ({ evening, seats }) => (evening?.scores ?? []).filter((one) => one.wins || seats.some((seat) => seat.user === one.user && seat.kind !== "bot"));

/** "you 3, Eve 2, Brie 1". */
function scoreText(info) {
  return inRow(scoresOf(info).map((one) => t("score", { name: one.user === user.value?.id ? YOU : isolated(one.name), wins: one.wins })));
}

/** The score in the bar of a phone, if there are two people and I am one of them: my wins and those of the other. More numbers need names, for which there is no room. */
export function ShortScore({ info }) {
  const scores = scoresOf(info);
  const mine = scores.find((one) => one.user === user.value?.id);
  if (!mine || scores.length !== 2) return null;
  const wins = [mine.wins, scores.find((one) => one !== mine).wins];
  const label = `${t("tonight")} ${scoreText(info)}`;
  return html`<span class="short-score" role="img" aria-label=${label} title=${label}>${wins.join(" : ")}</span>`;
}

export function Tonight({ info }) {
  if (!info.evening) return null;
  const { rounds } = info.evening;
  return html`<p class="tonight" title=${t("rounds", { rounds })}><span>${t("tonight")}</span> <b>${scoreText(info)}</b></p>`;
}
