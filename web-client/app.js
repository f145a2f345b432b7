/** The start: which page, and the connection under it. */

import { BotsPage } from "./bots.js";
import { DocsPage } from "./docs.js";
import { html, render, signal } from "./html.js";
import { LobbyPage } from "./lobby.js";
import { connect } from "./net.js";
import { closeSheet, Sheet } from "./sheet.js";
import { TablePage } from "./table.js";

const path = signal(location.pathname);

function go(to) {
  history.pushState(null, "", to);
  arrive();
}

function arrive() {
  closeSheet();
  document.title = "Cheeseboard";
  path.value = location.pathname;
}

addEventListener("popstate", arrive);

/** Links between our own pages keep the connection. */
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='/']:not([download])");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(link.pathname + link.hash);
});

function App() {
  const table = /^\/t\/([a-z0-9]+)$/.exec(path.value);
  const page = /^\/docs\/([a-z_/]+)$/.exec(path.value);
  if (page) return html`<${DocsPage} name=${page[1]} go=${go} />`;
  if (path.value === "/bots") return html`<${BotsPage} go=${go} /><${Sheet} />`;
  return html`${table ? html`<${TablePage} key=${table[1]} id=${table[1]} go=${go} />` : html`<${LobbyPage} go=${go} />`}<${Sheet} />`;
}

connect();
render(html`<${App} />`, document.getElementById("app"));
