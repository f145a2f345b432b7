/** A game's rules page: its Markdown as elements, never as markup, and its rules by their ids. */

import { html, useEffect, useState } from "./html.js";

const pages = new Map();

/** The text of a game's rules page. */
export function rulesText(game) {
  if (!pages.has(game)) {
    const page = fetch(`/rules/${game}.md`).then((answer) => (answer.ok ? answer.text() : ""));
    pages.set(game, page.catch(() => (pages.delete(game), "")));
  }
  return pages.get(game);
}

/** The sentence of one rule: what follows its bold id. */
export async function ruleText(game, id) {
  const line = (await rulesText(game)).split("\n").find((row) => row.startsWith(`- **${id}**`));
  return line ? line.replace(`- **${id}**`, "").replaceAll(/\s*\[R\]/g, "").replaceAll("**", "").trim() : "";
}

export function Rules({ game }) {
  const [text, setText] = useState(null);
  useEffect(() => {
    let here = true;
    rulesText(game).then((page) => here && setText(page));
    return () => (here = false);
  }, [game]);
  if (text === null) return html`<p>Fetching the rules…</p>`;
  if (!text) return html`<p>The rules cannot be fetched now. Please try again in a moment.</p>`;
  return html`<article class="rules">${blocks(text)}</article>`;
}

/** Headings, paragraphs, lists and tables; everything else is a paragraph. */
export function blocks(text) {
  return text
    .split(/\n\s*\n/)
    .filter((block) => block.trim())
    .map((block) => {
      const rows = block.trim().split("\n");
      const head = /^(#{1,4})\s+(.*)$/.exec(rows[0]);
      if (head && rows.length === 1) return heading(head[1].length, head[2]);
      if (head) return [heading(head[1].length, head[2]), ...blocks(rows.slice(1).join("\n"))];
      if (rows.every((row) => /^\|.*\|$/.test(row.trim()))) return table(rows);
      if (rows.every((row) => /^([-*]|\d+\.)\s|^\s+\S/.test(row))) return list(rows);
      return html`<p>${inline(rows.join(" "))}</p>`;
    });
}

function heading(level, text) {
  if (level === 1) return html`<h2>${inline(text)}</h2>`;
  return level === 2 ? html`<h3>${inline(text)}</h3>` : html`<h4>${inline(text)}</h4>`;
}

function list(rows) {
  const items = [];
  for (const row of rows) {
    const item = /^([-*]|\d+\.)\s+(.*)$/.exec(row);
    if (item) items.push(item[2]);
    else items.push(`${items.pop() ?? ""} ${row.trim()}`);
  }
  const numbered = /^\d/.test(rows[0]);
  const inside = items.map((item) => html`<li>${inline(item)}</li>`);
  return numbered ? html`<ol>${inside}</ol>` : html`<ul>${inside}</ul>`;
}

function table(rows) {
  const cells = (row) => row.trim().slice(1, -1).split("|").map((cell) => cell.trim());
  const [head, , ...body] = rows.map(cells);
  return html`<div class="scroll" tabindex="0" role="group" aria-label="table"><table>
    <thead><tr>${head.map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>
    <tbody>${body.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

/** Bold, italic and code inside a line. */
function inline(text) {
  return text.split(/(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`)/).map((part) => {
    if (part.startsWith("**")) return html`<strong>${part.slice(2, -2)}</strong>`;
    if (part.startsWith("*") && part.length > 2) return html`<em>${part.slice(1, -1)}</em>`;
    if (part.startsWith("`") && part.length > 2) return html`<code>${part.slice(1, -1)}</code>`;
    return part;
  });
}
