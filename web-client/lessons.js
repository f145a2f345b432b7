/** Which games have a lesson, and the offer of it at a first table. */

import { html, useState } from "./html.js";
import { load, save } from "./settings.js";
import { texts } from "./messages/en/table.js";
import { translator } from "./messages.js";

const t = translator(texts);

const LESSONS = document.querySelector("meta[name=lessons]").content.split(" ");

export const hasLesson = (game) => LESSONS.includes(game);

/** Whether this browser has had the lesson of a game, or has declined it. */
export const isLearned = (game) => load(`learned.${game}`, false);

/** Whether the lesson is offered at this table: at the first one of its game, if nobody waits for me. */
export const offersLesson = (info) => hasLesson(info.game) && info.you !== undefined && info.speed === "untimed" && !isLearned(info.game);

/** The offer; `done` is called when it is declined. */
export function LessonOffer({ info, title, done }) {
  const [gone, setGone] = useState(false);
  if (gone) return null;
  const decline = () => {
    save(`learned.${info.game}`, true);
    setGone(true);
    done();
  };
  return html`<p class="coach offer-lesson" role="note">
    <span>${t.rich("first_time", { link: html`<a href=${`/learn/${info.game}?table=${info.table}`}>${t("learn_title", { title })}</a>` })}</span>
    <button class="icon word" onClick=${decline}>${t("no_thanks")}</button>
  </p>`;
}
