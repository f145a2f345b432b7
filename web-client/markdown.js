/** Markdown as vnodes, never as HTML text: headings, paragraphs, lists, tables, code, and links between our own pages. */

import { html } from "./html.js";

const HEAD = /^(#{1,4})\s+(.*)$/;
const FENCE = /^```/;
const CELLS = /^\|.*\|\s*$/;
const ITEM = /^([-*]|\d+\.)\s+(.*)$/;
const INDENTED = /^ {4}/;
const COMMENT = /^<!--.*-->$/;
const endsParagraph = (row) => !row.trim() || [HEAD, FENCE, CELLS, ITEM, COMMENT].some((kind) => kind.test(row));

/** Split a text into blocks and render each. */
export function blocks(text) {
  const rows = text.split("\n");
  const found = [];
  while (rows.length) {
    if (!rows[0].trim() || COMMENT.test(rows[0])) rows.shift();
    else found.push(block(rows));
  }
  return found;
}

function block(rows) {
  const first = rows[0];
  if (HEAD.test(first)) return heading(rows.shift());
  if (FENCE.test(first)) return fenced(rows);
  if (CELLS.test(first)) return table(takeWhile(rows, (row) => CELLS.test(row)));
  if (ITEM.test(first)) return list(takeWhile(rows, (row) => ITEM.test(row) || /^\s+\S/.test(row)));
  if (INDENTED.test(first)) return code(takeWhile(rows, (row) => INDENTED.test(row)).map((row) => row.slice(4)));
  return html`<p>${inline([rows.shift(), ...takeWhile(rows, (row) => !endsParagraph(row))].join(" "))}</p>`;
}

/** Remove rows from the top while `holds` is true, and return them. */
function takeWhile(rows, holds) {
  const end = rows.findIndex((row) => !holds(row));
  return rows.splice(0, end < 0 ? rows.length : end);
}

function fenced(rows) {
  rows.shift();
  const inside = takeWhile(rows, (row) => !FENCE.test(row));
  rows.shift();
  return code(inside);
}

const code = (rows) => html`<pre tabindex="0"><code>${rows.join("\n")}</code></pre>`;

function heading(row) {
  const [, marks, text] = HEAD.exec(row);
  const id = text.toLowerCase().replaceAll(/[^\w\s-]/g, "").replaceAll(/\s/g, "-");
  const inside = inline(text);
  if (marks.length === 1) return html`<h2 id=${id}>${inside}</h2>`;
  return marks.length === 2 ? html`<h3 id=${id}>${inside}</h3>` : html`<h4 id=${id}>${inside}</h4>`;
}

function list(rows) {
  const items = [];
  for (const row of rows) {
    const item = ITEM.exec(row);
    if (item) items.push(item[2]);
    else items.push(`${items.pop() ?? ""} ${row.trim()}`);
  }
  const inside = items.map((item) => html`<li>${inline(item)}</li>`);
  const number = Number.parseInt(rows[0], 10);
  return Number.isNaN(number) ? html`<ul>${inside}</ul>` : html`<ol start=${number}>${inside}</ol>`;
}

function table(rows) {
  const cells = (row) => row.trim().slice(1, -1).split("|").map((cell) => inline(cell.trim()));
  const [head, , ...body] = rows.map(cells);
  return html`<div class="scroll" tabindex="0" role="group" aria-label="table"><table>
    <thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
    <tbody>${body.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

const LINK = /^\[(.+)\]\((.+)\)$/;

/** Code, links, bold and italic inside a line. */
function inline(text) {
  return text.split(/(`[^`]+`|\[[^\]]+\]\([^)\s]+\)|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/).map((part) => {
    if (part.startsWith("`") && part.length > 2) return html`<code>${part.slice(1, -1)}</code>`;
    if (LINK.test(part)) return linked(...LINK.exec(part).slice(1));
    if (part.startsWith("**")) return html`<strong>${inline(part.slice(2, -2))}</strong>`;
    if (part.startsWith("*") && part.length > 2) return html`<em>${part.slice(1, -1)}</em>`;
    return part;
  });
}

/** A link to a heading of this page or to another document. Any other link becomes plain text. */
function linked(text, to) {
  const [, page, place] = /^(?:([a-z_/]+)\.md)?(#[\w-]+)?$/.exec(to) ?? [];
  if (!page && !place) return inline(text);
  return html`<a href=${page ? `/docs/${page}${place ?? ""}` : place}>${inline(text)}</a>`;
}
