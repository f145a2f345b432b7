/** The entry point: connects, and shows the page for the address. */

import { Arrivals } from "./arrivals.js";
import { followFocus } from "./focus.js";
import { html, render, signal, useEffect, useState } from "./html.js";
import { LobbyPage } from "./lobby.js";
import { CodePage, MissingPage } from "./missing.js";
import { connect } from "./net.js";
import { keepOffline, OfflineNote } from "./offline.js";
import { closeSheet, Sheet } from "./sheet.js";
import { TablePage } from "./table.js";
import { texts } from "./messages/en/page.js";
import { language, translator } from "./messages.js";

const t = translator(texts);

const path = signal(location.pathname);
const CODE = /^\/([a-zA-Z0-9]{10})$/; // an invitation code

function go(to, replace = false) {
  history[replace ? "replaceState" : "pushState"](null, "", to);
  showPage();
}

function showPage() {
  closeSheet();
  document.title = "Cheeseboard";
  path.value = location.pathname;
}

addEventListener("popstate", showPage);

/** Follow links between our own pages without a reload, so that the connection stays open. */
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='/']:not([download]):not([target])");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
});

const loadBots = () => import("./bots.js").then((module) => module.BotsPage);
const loadDocs = () => import("./docs.js").then((module) => module.DocsPage);
const loadLesson = () => import("./lesson.js").then((module) => module.LessonPage);
const loadTv = () => import("./tv.js").then((module) => module.TvPage);
const loadReplay = () => import("./replay.js").then((module) => module.ReplayPage);

/** A page whose code is loaded when it is first needed. */
function Later({ load, ...props }) {
  const [Page, setPage] = useState(null);
  useEffect(() => {
    load().then((loaded) => setPage(() => loaded));
  }, []);
  return Page ? html`<${Page} ...${props} />` : html`<main class="page alone"><p role="status">${t("opening")}</p></main>`;
}

function App() {
  const table = /^\/t\/([a-z0-9]+)$/.exec(path.value);
  const replay = /^\/r\/([a-z0-9]+)(?:\/\d+)?$/.exec(path.value);
  const lesson = /^\/learn\/([a-z_]+)$/.exec(path.value);
  const page = /^\/docs\/([a-z_/]+)$/.exec(path.value);
  if (page) return html`<${Later} key=${path.value} load=${loadDocs} name=${page[1]} go=${go} />`;
  if (path.value === "/bots") return html`<${Later} key="bots" load=${loadBots} go=${go} /><${Sheet} />`;
  if (path.value === "/tv") return html`<${Later} key="tv" load=${loadTv} go=${go} />`;
  if (replay) return html`<${Later} key=${replay[1]} load=${loadReplay} id=${replay[1]} go=${go} /><${Sheet} />`;
  if (lesson) return html`<${Later} key=${lesson[1]} load=${loadLesson} game=${lesson[1]} go=${go} /><${Sheet} />`;
  if (table) return html`<${TablePage} key=${table[1]} id=${table[1]} go=${go} /><${Arrivals} /><${Sheet} />`;
  if (path.value === "/") return html`<${LobbyPage} go=${go} /><${Sheet} />`;
  const code = CODE.exec(path.value);
  return code ? html`<${CodePage} key=${code[1]} code=${code[1]} go=${go} />` : html`<${MissingPage} go=${go} />`;
}

if (language !== "en") document.title = "Cheeseboard"; // the preview of an invitation or a replay is in English
if (!globalThis.embedded) connect();
followFocus();
keepOffline();
render(html`<${App} /><${OfflineNote} />`, document.getElementById("app"));
