/** Playing on from a moment of a replay, or the same deal once more: alone, with friends, or as a challenge. */

import { DEFAULT_LEVEL } from "./choices.js";
import { Copy } from "./copy.js";
import { html, useState } from "./html.js";
import { request, user } from "./net.js";
import { closeSheet, openSheet } from "./sheet.js";
import { told } from "./told.js";
import { texts } from "./messages/en/replay.js";
import { translator } from "./messages.js";

const t = translator(texts);

const OTHERS = [
  [DEFAULT_LEVEL, t("rookies")],
  ["master", t("masters")],
  ["", t("friends")],
];

/** Open the table, and go there. */
async function playOn(player, go, n, { seat, others, anew }) {
  const alone = others ? { bots: others, speed: "untimed" } : {}; // as in the lobby, nobody waits for me
  const fields = { table: player.id, n, seat, anew, ...alone };
  const { table } = await request("play_on", fields);
  closeSheet();
  go(`/t/${table}`);
}

/** The seat from which the replay is looked at, or the one that I had in the game; undefined for others who see it as watchers do. */
function seatOf(player) {
  const mine = player.info(player.last).seats.findIndex((seat) => seat.user && seat.user === user.value?.id);
  return player.seats[0] ?? (mine < 0 ? undefined : mine);
}

/** Which seat I take, and who has the others. */
function Places({ player, value, change }) {
  const { seats } = player.info();
  return html`<label>${t("my_seat")} <select value=${value.seat} onChange=${(event) => change({ ...value, seat: Number(event.target.value) })}>
      ${seats.map((seat, number) => html`<option key=${number} value=${number}>${seat.name}</option>`)}
    </select></label>
    <label>${t("the_others")} <select value=${value.others} onChange=${(event) => change({ ...value, others: event.target.value })}>
      ${OTHERS.map(([level, text]) => html`<option key=${level} value=${level}>${text}</option>`)}
    </select></label>`;
}

function useStart(start) {
  const [fault, setFault] = useState("");
  const press = () => start().catch((error) => setFault(error.message));
  return [press, fault ? html`<p class="fault" role="alert">${fault}</p>` : null];
}

function PlayOn({ player, go }) {
  const asked = player.actors()[0] ?? 0;
  const [value, setValue] = useState({ seat: seatOf(player) ?? asked, others: DEFAULT_LEVEL, anew: false });
  const [press, fault] = useStart(() => playOn(player, go, player.entry().n, value));
  if (player.ended) return html`<p>${t("over_here")}</p>`;
  return html`<div class="menu play-on">
    <p>${t("new_game")}</p>
    <${Places} ...${{ player, value, change: setValue }} />
    <div class="variants" role="radiogroup" aria-label=${t("hidden_cards")}>
      <button type="button" role="radio" aria-checked=${!value.anew} onClick=${() => setValue({ ...value, anew: false })}><b>${t("as_it_was")}</b><span>${t("as_it_was_what")}</span></button>
      <button type="button" role="radio" aria-checked=${value.anew} onClick=${() => setValue({ ...value, anew: true })}><b>${t("anew")}</b><span>${t("anew_what")}</span></button>
    </div>
    ${fault}
    <button class="can do" onClick=${press}>${t("play_on")}</button>
  </div>`;
}

function SameDeal({ player, go, challenged = null }) {
  const [value, setValue] = useState({ seat: challenged ?? seatOf(player) ?? 0, others: DEFAULT_LEVEL, anew: false });
  const [press, fault] = useStart(() => playOn(player, go, player.entry(0).n, value));
  const name = player.info(0).seats[value.seat].name;
  const link = `${location.origin}/r/${player.id}?challenge=${value.seat}`;
  return html`<div class="menu play-on">
    <p>${challenged === null ? t("same_cards") : t.rich("do_better", { name: html`<bdi>${name}</bdi>` })} ${t("result_listed")}</p>
    <${Places} ...${{ player, value, change: setValue }} />
    ${fault}
    <button class="can do" onClick=${press}>${t("play_deal")}</button>
    <${Copy} text=${link} label=${t("copy_challenge")} />
    <${Results} player=${player} />
  </div>`;
}

/** The results of all games with this deal or from a moment of this game, shown when somebody asks for them. */
function Results({ player }) {
  const [found, setFound] = useState(null);
  const [fault, setFault] = useState("");
  const show = async () => {
    try {
      const answer = await fetch(`/r/${player.id}/played_on`);
      if (!answer.ok) throw new Error(told((await answer.text()).trim()));
      setFound(await answer.json());
    } catch (error) {
      setFault(error.message);
    }
  };
  if (fault) return html`<p class="fault" role="alert">${fault}</p>`;
  if (!found) return html`<button onClick=${show}>${t("compare")}</button>`;
  const first = player.info(player.last);
  const rows = [{ names: first.seats.map((seat) => seat.name), ...first.result, people: first.seats.flatMap((seat, number) => (seat.kind === "bot" ? [] : [number])), table: player.id, n: null }, ...found];
  const of = (row) => row.names.map((name, seat) => ({ name, seat, place: row.places[seat], points: row.points?.[seat] })).sort((a, b) => a.place - b.place);
  return html`<ol class="compared" aria-label=${t("results")}>
    ${rows.map((row) => html`<li key=${row.table}>
      <a href=${`/r/${row.table}`}>${row.n === null ? t("this_game") : row.n === player.entry(0).n ? t("the_same_deal") : t("from_step", { step: player.stopOf(row.n) })}</a>
      <span>${of(row).map(({ name, seat, place, points }) => html`<span key=${seat} class=${row.people.includes(seat) ? "person" : "quiet"}>${place}. <bdi>${name}</bdi>${points === undefined ? "" : ` ${points}`}</span>`)}</span>
    </li>`)}
  </ol>${found.length ? null : html`<p class="quiet">${t("nobody_played_on")}</p>`}`;
}

export const openPlayOn = (player, go) => openSheet(t("play_on"), () => html`<${PlayOn} ...${{ player, go }} />`);
export const openSameDeal = (player, go, challenged = null) =>
  openSheet(challenged === null ? t("same_deal") : t("challenge"), () => html`<${SameDeal} ...${{ player, go, challenged }} />`);
