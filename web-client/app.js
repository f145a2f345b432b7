/** The start: which page, and the connection under it. */

import { BotsPage } from "./bots.js";
import { html, render, signal } from "./html.js";
import { LobbyPage } from "./lobby.js";
import { connect } from "./net.js";
import { Sheet } from "./sheet.js";
import { TablePage } from "./table.js";

const path = signal(location.pathname);

function go(to) {
  history.pushState(null, "", to);
  path.value = to;
  document.title = "Cheeseboard";
}

addEventListener("popstate", () => (path.value = location.pathname));

function App() {
  const table = /^\/t\/([a-z0-9]+)$/.exec(path.value);
  if (path.value === "/bots") return html`<${BotsPage} go=${go} /><${Sheet} />`;
  return html`${table ? html`<${TablePage} key=${table[1]} id=${table[1]} go=${go} />` : html`<${LobbyPage} go=${go} />`}<${Sheet} />`;
}

connect();
render(html`<${App} />`, document.getElementById("app"));
