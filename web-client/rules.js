/** Pages of the documents: fetched once and shown, and the rules of a game by their ids. */

import { html, useEffect, useState } from "./html.js";
import { blocks } from "./markdown.js";

const pages = new Map();

/** The text of a page. */
function pageText(name) {
  if (!pages.has(name)) {
    const page = fetch(`/docs/${name}.md`).then((answer) => (answer.ok ? answer.text() : Promise.reject(answer)));
    pages.set(name, page.catch(() => (pages.delete(name), "")));
  }
  return pages.get(name);
}

/** The sentence of one rule: what follows its bold id. */
export async function ruleText(game, id) {
  const line = (await pageText(`rules/${game}`)).split("\n").find((row) => row.startsWith(`- **${id}**`));
  return line ? line.replace(`- **${id}**`, "").replaceAll(/\s*\[R\]/g, "").replaceAll("**", "").trim() : "";
}

export const Rules = ({ game }) => html`<${Page} name=${`rules/${game}`} />`;

/** A page; `shown` is called when it is there. */
export function Page({ name, shown }) {
  const [text, setText] = useState(null);
  useEffect(() => {
    let here = true;
    pageText(name).then((page) => here && setText(page));
    return () => (here = false);
  }, [name]);
  useEffect(() => {
    if (text) shown?.();
  }, [text]);
  if (text === null) return html`<p>Fetching the page…</p>`;
  if (!text) return html`<p>This page cannot be fetched now. Please try again in a moment.</p>`;
  return html`<article class="rules">${blocks(text)}</article>`;
}
