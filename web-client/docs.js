/** The documentation for bot authors. */

import { html } from "./html.js";
import { icons } from "./icons.js";
import { Page } from "./rules.js";
import { texts } from "./messages/en/bots.js";
import { translator } from "./messages.js";

const t = translator(texts);

const TITLES = { bots: t("doc_bots"), protocol: t("doc_protocol"), views: t("doc_views"), arena: t("doc_arena"), replay: t("doc_replay") };

export function DocsPage({ name, go }) {
  return html`<main class="page docs-page">
    <header class="masthead">
      <button class="icon" aria-label=${t("to_bots")} onClick=${() => go("/bots")}>${icons.back()}</button>
      <div><h1>${t("for_authors")}</h1></div>
    </header>
    <nav class="row" aria-label=${t("documents")}>
      ${Object.entries(TITLES).map(([page, title]) => html`<a key=${page} class="button" href=${`/docs/${page}`} aria-current=${page === name ? "page" : null}>${title}</a>`)}
    </nav>
    <${Page} key=${name} name=${name} shown=${scrollToHash} />
  </main>`;
}

/** Scroll to the heading that the address names, or to the top. */
function scrollToHash() {
  const heading = document.getElementById(location.hash.slice(1));
  if (heading) heading.scrollIntoView();
  else scrollTo(0, 0);
}
