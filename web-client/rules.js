/** Pages of the documentation, loaded once, and single rules of a game by their ids. */

import { html, useEffect, useState } from "./html.js";
import { blocks } from "./markdown.js";
import { texts } from "./messages/en/page.js";
import { language, translator } from "./messages.js";

const t = translator(texts);

const pages = new Map();

/** Load the text of a page; "" if that fails. */
function pageText(name) {
  if (!pages.has(name)) {
    const page = fetch(`/docs/${name}.md`).then((answer) => (answer.ok ? answer.text() : Promise.reject(answer)));
    pages.set(name, page.catch(() => (pages.delete(name), "")));
  }
  return pages.get(name);
}

/** The text of one rule: what follows its bold id. */
export async function ruleText(game, id) {
  const line = (await pageText(`rules/${game}`)).split("\n").find((row) => row.startsWith(`- **${id}**`));
  return line ? line.replace(`- **${id}**`, "").replaceAll(/\s*\[R\]/g, "").replaceAll("**", "").trim() : "";
}

export const Rules = ({ game }) => html`<${Page} name=${`rules/${game}`} />`;

/** Show a page; `shown` is called when it has been loaded. */
export function Page({ name, shown }) {
  const [text, setText] = useState(null);
  useEffect(() => {
    let mounted = true;
    pageText(name).then((page) => mounted && setText(page));
    return () => (mounted = false);
  }, [name]);
  useEffect(() => {
    if (text) shown?.();
  }, [text]);
  if (text === null) return html`<p>${t("loading_page")}</p>`;
  if (!text) return html`<p>${t("page_failed")}</p>`;
  return html`${language === "en" ? null : html`<p class="quiet">${t("in_english")}</p>`}<article class="rules" lang="en">${blocks(text)}</article>`;
}
