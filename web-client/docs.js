/** The documents for bot authors, as pages to read. */

import { html } from "./html.js";
import { icons } from "./icons.js";
import { Page } from "./rules.js";

const TITLES = { bots: "Write a bot", protocol: "The protocol", views: "What a bot sees", arena: "The arena", replay: "The replay file" };

export function DocsPage({ name, go }) {
  return html`<main class="page docs-page">
    <header class="masthead">
      <button class="icon" aria-label="To the bots" onClick=${() => go("/bots")}>${icons.back()}</button>
      <div><h1>For bot authors</h1></div>
    </header>
    <nav class="row" aria-label="Documents">
      ${Object.entries(TITLES).map(([page, title]) => html`<a key=${page} class="button" href=${`/docs/${page}`} aria-current=${page === name ? "page" : null}>${title}</a>`)}
    </nav>
    <${Page} key=${name} name=${name} shown=${scroll} />
  </main>`;
}

/** To the place that the address names, or to the top. */
function scroll() {
  const place = document.getElementById(location.hash.slice(1));
  if (place) place.scrollIntoView();
  else scrollTo(0, 0);
}
