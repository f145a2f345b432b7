/** The result of a game: the places, how the points came about, and what to do next. */

import { Avatar } from "./avatar.js";
import { openGameChoice } from "./choices.js";
import { Copy } from "./copy.js";
import { Tonight } from "./evening.js";
import { html, useEffect, useRef, useState } from "./html.js";
import { icons } from "./icons.js";
import { Advised } from "./master.js";
import { request, titleOf } from "./net.js";
import { ruleText } from "./rules.js";
import { texts } from "./messages/en/table.js";
import { inside, listed, together, translator } from "./messages.js";

const t = translator(texts);

export function Result({ feed, info, renderer, table, game, go, replay = null }) {
  const [shown, setShown] = useShown(table);
  const [fault, setFault] = useState("");
  const { places, points, rule } = info.result;
  const rematch = async (choice = {}) => {
    try {
      go(`/t/${(await request("rematch", { table: feed.id, ...choice })).table}`);
    } catch (error) {
      const next = feed.info.value.rematch;
      if (next) go(`/t/${next}`); // it has started without me: I can watch it, or take the seat of a bot
      else setFault(error.message);
    }
  };
  const box = useRef(null);
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true }); // do not take the focus from a field
  }, [shown]);
  if (shown === null) return null;
  if (!shown) return html`<p class="notice"><button class="do can" onClick=${() => setShown(true)}>${t("show_result")}</button></p>`;
  const order = places.map((_, seat) => seat).sort((one, other) => places[one] - places[other]);
  const accounted = table.view && renderer.account; // it has a row for each seat, so the seats are not listed once more
  const who = (seat) => html`<span class=${`who ${seat === info.you ? "mine" : ""}`}>
    <span class="place">${places[seat]}</span>
    <${Avatar} name=${info.seats[seat].name} bot=${info.seats[seat].kind === "bot"} seat=${seat} picture=${info.seats[seat].avatar} />
    <bdi class="name">${table.names(seat)}</bdi>
  </span>`;
  const seated = info.you !== undefined;
  const next = { other: info.rematch_game ? "yes" : "no", game: titleOf(info.rematch_game ?? info.game) };
  return html`<section class="result" role="region" aria-label=${t("result")} tabindex="-1" ref=${box}>
    <header><h2>${headline(info, places, renderer, table)}</h2><button class="icon" aria-label=${t("hide_result")} onClick=${() => setShown(false)}>${icons.close()}</button></header>
    ${accounted
      ? html`<div class="account">${renderer.account(table.view, who, order)}</div>`
      : html`<ol>${order.map((seat) => html`<li key=${seat}>${who(seat)}${points ? html`<span class="points">${points[seat]}</span>` : null}</li>`)}</ol>`}
    ${replay ? null : html`<${Tonight} info=${info} />`}
    ${tieText(places, points, renderer, table.names)}
    <${Advised} ...${{ info, names: table.names }} />
    <${Why} game=${info.game} rule=${rule} id=${feed.id} />
    <p class="row begin">
      ${seated ? html`<button class="can do" onClick=${() => rematch()}>${info.rematch ? t("join_rematch", next) : t("play_again")}</button>` : null}
      ${seated && !info.rematch ? html`<button onClick=${() => openGameChoice(t("what_next"), info, t("play_this"), rematch)}>${t("another_game")}</button>` : null}
      ${info.rematch && !seated && !replay ? html`<button class="can do" onClick=${() => go(`/t/${info.rematch}`)}>${t("watch_rematch", next)}</button>` : null}
      <span class="row more">
        ${replay ? null : html`<a class="button" href=${`/r/${feed.id}`}>${t("watch_replay")}</a>`}
        ${replay === "file" ? null : html`<${ShareReplay} ...${{ id: feed.id, title: game?.title ?? titleOf(info.game) }} />`}
        ${replay === "page" ? html`<${Copy} text=${`${location.origin}/r/${feed.id}?result`} label=${t("copy_result")} />` : null}
        ${info.source ? html`<a class="button" href=${`/r/${info.source.table}/${info.source.n}`}>${t("source_game")}</a>` : null}
        <button onClick=${() => go("/")}>${t("to_lobby")}</button>
      </span>
    </p>
    ${fault && html`<p class="fault" role="alert">${fault}</p>`}
  </section>`;
}

const LAST_MOVE_MS = 1800; // how long the last move is to be seen before the result lies over it

/** Whether the result is shown: null while the last move is still being looked at. */
function useShown(table) {
  const [shown, setShown] = useState(table.events.length ? null : true);
  useEffect(() => {
    if (shown !== null) return undefined;
    const show = () => setShown(true);
    const timer = setTimeout(show, LAST_MOVE_MS);
    const board = document.querySelector(".page.table > .board");
    board?.addEventListener("click", show);
    return () => {
      clearTimeout(timer);
      board?.removeEventListener("click", show);
    };
  }, [shown]);
  return [shown, setShown];
}

/** How a tie was broken, or that it was not; nothing if there was none. */
function tieText(places, points, renderer, names) {
  const all = places.map((place, seat) => ({ place, seat }));
  const first = all.filter(({ place }) => place === 1);
  if (first.length > 1) return html`<p class="tie">${t("tie_shared", { names: listed(inside(first.map(({ seat }) => names(seat)))) })}</p>`;
  const rivals = points ? all.filter(({ place, seat }) => place > 1 && points[seat] === points[first[0]?.seat]) : [];
  if (!rivals.length || !renderer.words?.tie) return null;
  return html`<p class="tie">${t("tie_broken", { names: together([first[0], ...rivals].map(({ seat }) => names(seat))), how: renderer.words.tie })}</p>`;
}

/** The link to the replay, by the system's share sheet where there is one. */
function ShareReplay({ id, title }) {
  const url = `${location.origin}/r/${id}`;
  const share = () => navigator.share({ title: t("our_game", { title }), url }).catch(() => {}); // the user may cancel it
  return navigator.share ? html`<button onClick=${share}>${t("share")}</button>` : html`<${Copy} text=${url} label=${t("copy_link")} />`;
}

/** The rule that ended the game, on demand, and the file of the replay. */
function Why({ game, rule, id }) {
  const [text, setText] = useState("");
  const load = ({ target }) => target.open && ruleText(game, rule).then(setText);
  return html`<details class="quiet" onToggle=${load}><summary>${t("why")}</summary>${rule}${text ? `: ${text}` : ""} <a href=${`/replays/${id}.jsonl`} download>${t("download_replay")}</a></details>`;
}

function headline(info, places, renderer, table) {
  const last = Math.max(...places);
  if (renderer.headline) return renderer.headline(places, table.names);
  const first = places.flatMap((place, seat) => (place === 1 ? [table.names(seat)] : []));
  if (last === 1) return t("tie");
  return t("won", { names: together(first), count: first.length });
}
