/** What a table plays, to choose from: the game, its variant and options, the seats and the speed, in words. */

import { html, useState } from "./html.js";
import { games, speeds } from "./net.js";
import { closeSheet, openSheet } from "./sheet.js";
import { told } from "./told.js";
import { texts } from "./messages/en/page.js";
import { inRow, translator } from "./messages.js";

const t = translator(texts);

const DEFAULT_SEATS = 4;
export const DEFAULT_LEVEL = "rookie"; // of house bots

export const gameOf = (name) => games.value.find((one) => one.name === name);

/** A number of seats that the game allows, as near as possible to the wish. */
export function seatsOf(game, wish) {
  const [least, most] = game.seats;
  return Math.min(most, Math.max(least, wish ?? DEFAULT_SEATS));
}

/** How long a decision may take at this speed, such as "45 s a move". */
export function timeText(speed) {
  const ms = speeds.value[speed];
  if (ms === undefined) return "";
  return ms === null ? t("no_clock") : t("seconds_a_move", { seconds: ms / 1000 });
}

export const speedText = (speed) => (timeText(speed) ? t("speed_and_time", { speed: told(speed), time: timeText(speed) }) : told(speed));

/** "10–20 min, light"; empty if the server does not say it. */
export function lengthText(game) {
  const about = game?.about;
  return about ? t("length", { least: about.minutes[0], most: about.minutes[1], weight: about.weight }) : "";
}

/** The title and the sentence of a value of an option. */
function wordsOf(game, option, value) {
  const [title, text] = game.about?.choices?.[option]?.[game.options[option].indexOf(value)] ?? [];
  return { title: title ?? (value === true ? t("yes") : value === false ? t("no") : String(value)), text: text ?? "" };
}

const isVariant = (values) => typeof values[0] !== "boolean";

/** The names of the variants that are chosen, such as "Speed Cheese"; empty if the game has none. */
export function variantOf(game, options) {
  const names = Object.entries(game?.options ?? {}).filter(([, values]) => isVariant(values));
  return inRow(names.map(([name, values]) => wordsOf(game, name, options?.[name] ?? values[0]).title));
}

/** The variants of a game, each with a sentence. */
export function Variants({ game, options, change }) {
  return Object.entries(game.options).filter(([, values]) => isVariant(values)).map(([name, values]) => {
    const now = options[name] ?? values[0];
    return html`<div key=${`${game.name} ${name}`} class="variants" role="radiogroup" aria-label=${told(name)}>
      ${values.map((value) => {
        const { title, text } = wordsOf(game, name, value);
        return html`<button key=${value} type="button" role="radio" aria-checked=${value === now} onClick=${() => change({ ...options, [name]: value })}><b>${title}</b><span>${text}</span></button>`;
      })}
    </div>`;
  });
}

/**
 * The other choices: seats, speed and options that are on or off. `value` is {seats, speed, options}. `anySpeed` is the
 * text for no choice of a speed, if that is allowed.
 */
export function TableChoices({ game, value, change, children, anySpeed }) {
  const [least, most] = game.seats;
  const counts = [...Array(most - least + 1).keys()].map((step) => least + step);
  const options = Object.entries(game.options).filter(([, values]) => !isVariant(values));
  return html`<div class="choices">
    <label>${t("seats")} <select value=${seatsOf(game, value.seats)} onChange=${(event) => change({ ...value, seats: Number(event.target.value) })}>
      ${counts.map((count) => html`<option key=${count} value=${count}>${count}</option>`)}
    </select></label>
    <label>${t("speed")} <select value=${value.speed} onChange=${(event) => change({ ...value, speed: event.target.value })}>
      ${anySpeed ? html`<option value="">${anySpeed}</option>` : null}
      ${Object.keys(speeds.value).map((speed) => html`<option key=${speed} value=${speed}>${speedText(speed)}</option>`)}
    </select></label>
    ${children}
    ${options.map(([name, values]) => {
      const now = value.options[name] ?? values[0];
      const set = (event) => change({ ...value, options: { ...value.options, [name]: event.target.checked } });
      return html`<label key=${name} class="check"><input type="checkbox" checked=${now} onChange=${set} /> ${wordsOf(game, name, true).text || told(name.replaceAll("_", " "))}</label>`;
    })}
  </div>`;
}

/** A sheet to choose another game for a table, or to change what it plays. `act` gets the choice and returns a promise. */
export const openGameChoice = (title, info, label, act) => openSheet(title, () => html`<${GameChoice} ...${{ info, label, act }} />`);

function GameChoice({ info, label, act }) {
  const [value, setValue] = useState({ game: info.game, seats: info.seats.length, speed: info.speed, options: info.options });
  const [fault, setFault] = useState("");
  const game = gameOf(value.game);
  const choose = (event) => setValue({ ...value, game: event.target.value, options: event.target.value === info.game ? info.options : {} });
  const send = () => act({ ...value, seats: seatsOf(game, value.seats) }).then(closeSheet, (error) => setFault(error.message));
  return html`<div class="menu game-choice">
    <label>${t("game")} <select value=${value.game} onChange=${choose}>
      ${games.value.map((one) => html`<option key=${one.name} value=${one.name}>${one.title}</option>`)}
    </select></label>
    <p class="quiet">${game.blurb} ${lengthText(game)}</p>
    <${Variants} game=${game} options=${value.options} change=${(options) => setValue({ ...value, options })} />
    <${TableChoices} game=${game} value=${value} change=${setValue} />
    ${fault && html`<p class="fault" role="alert">${fault}</p>`}
    <button class="can do" onClick=${send}>${label}</button>
  </div>`;
}
