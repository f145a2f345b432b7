/** How it ended: the places, how the points came about, and what to do next. */

import { html, useEffect, useRef, useState } from "./html.js";
import { icons } from "./icons.js";
import { request } from "./net.js";
import { ruleText } from "./rules.js";
import { Avatar } from "./seats.js";

export function Result({ feed, info, renderer, table, game, go }) {
  const [shown, setShown] = useState(true);
  const [fault, setFault] = useState("");
  const [why, setWhy] = useState("");
  const { places, points, rule } = info.result;
  useEffect(() => {
    ruleText(info.game, rule).then(setWhy);
  }, [rule]);
  const again = async () => {
    try {
      go(`/t/${(await request("rematch", { table: feed.id })).table}`);
    } catch (no) {
      setFault(no.message);
    }
  };
  const box = useRef(null);
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true }); // not from somebody who is typing
  }, [shown]);
  if (!shown) return html`<p class="notice"><button class="do can" onClick=${() => setShown(true)}>Show the result</button></p>`;
  const order = places.map((place, seat) => ({ place, seat })).sort((a, b) => a.place - b.place);
  const seated = info.you !== undefined;
  return html`<section class="result" role="region" aria-label="Result" tabindex="-1" ref=${box}>
    <header><h2>${headline(info, places, renderer, table)}</h2><button class="icon" aria-label="Look at the table" onClick=${() => setShown(false)}>${icons.close()}</button></header>
    <ol>
      ${order.map(({ place, seat }) => html`<li key=${seat} class=${seat === info.you ? "mine" : ""}>
        <span class="place">${place}</span>
        <${Avatar} name=${info.seats[seat].name} bot=${info.seats[seat].kind === "bot"} />
        <span class="name">${table.names(seat)}</span>
        ${points ? html`<span class="points">${points[seat]}</span>` : null}
      </li>`)}
    </ol>
    ${table.view && renderer.account ? html`<div class="account">${renderer.account(table.view, table.names)}</div>` : null}
    <p class="quiet">${rule}${why ? `: ${why}` : ""}</p>
    <p class="row begin">
      ${seated ? html`<button class="can do" onClick=${again}>${info.rematch ? "Join the rematch" : "Play again"}</button>` : null}
      <a class="button" href=${`/replays/${feed.id}.jsonl`} download>Keep the replay</a>
      <button onClick=${() => go("/")}>To the lobby</button>
    </p>
    ${fault && html`<p class="fault" role="alert">${fault}</p>`}
  </section>`;
}

function headline(info, places, renderer, table) {
  const last = Math.max(...places);
  if (renderer.headline) return renderer.headline(places, table.names);
  const first = places.flatMap((place, seat) => (place === 1 ? [table.names(seat)] : []));
  if (last === 1) return "All square";
  return `${first.join(" and ")} won`;
}
