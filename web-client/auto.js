/**
 * Answers that the page gives by itself once the player has asked for it, such as "Done until I can lay something". They use the
 * offers and nothing else, and they wait as long as a person would, so that others do not learn that nothing could be done.
 *
 * A renderer exports `automations(table)` -> [{id, label, amount, answer}]. `id` is one occasion: an automation ends when it is
 * no longer listed. An automation with `usual` is on until the player switches it off, which this browser remembers. `amount` is
 * {least, most, first} if the player chooses an amount of dollars. `answer(offers, amount)` is the move to make, or null if the
 * player has to decide.
 */

import { amountIn, money } from "./bids.js";
import { html, signal, useEffect, useState } from "./html.js";
import { keepInside } from "./inside.js";
import { load, save } from "./settings.js";
import { texts } from "./messages/en/table.js";
import { inRow, translator } from "./messages.js";

const t = translator(texts);

const PAUSE_MS = [1500, 3500]; // at least and at most, before an answer

const active = signal({}); // the automations that are switched on: id -> amount, or null without one
const declined = signal(load("auto.declined", [])); // the usual ones that are switched off

const isOn = ({ id, usual }) => (usual ? !declined.value.includes(id) : id in active.value);

const listOf = (renderer, table) => (table.seat === null || !table.view ? [] : (renderer.automations?.(table) ?? []));

function switchTo({ id, usual }, on, amount = null) {
  if (usual) {
    declined.value = on ? declined.value.filter((one) => one !== id) : [...declined.value, id];
    return save("auto.declined", declined.value);
  }
  const { [id]: _, ...others } = active.value;
  active.value = on ? { ...others, [id]: amount } : others;
}

/** Answer the current ask after a pause, if an automation that is on says how. Return whether one does. */
export function useAutomation(renderer, table) {
  const list = listOf(renderer, table);
  const listed = list.map((one) => one.id);
  const on = list.filter(isOn);
  useEffect(() => {
    for (const id of Object.keys(active.value)) if (table.view && !listed.includes(id)) switchTo({ id }, false);
  }, [listed.join()]);
  const move = table.offers.length ? on.map((one) => one.answer(table.offers, active.value[one.id])).find(Boolean) : null;
  useEffect(() => {
    if (!move) return undefined;
    const timer = setTimeout(() => table.play(move), PAUSE_MS[0] + Math.random() * (PAUSE_MS[1] - PAUSE_MS[0]));
    return () => clearTimeout(timer);
  }, [table.ask, table.busy, JSON.stringify([active.value, declined.value])]);
  return Boolean(move);
}

/** The button that opens the choice of automations, and says which are on. */
export function AutoButton({ renderer, table }) {
  const [open, setOpen] = useState(false);
  const list = listOf(renderer, table);
  if (!list.length) return null;
  const on = list.filter(isOn);
  return html`<span class="auto">
    <button class=${on.some((one) => !one.usual) ? "auto-on" : ""} aria-expanded=${open} aria-keyshortcuts="a" title=${t("auto_title")} onClick=${() => setOpen(!open)}>${t("auto")}${on.length ? html`<span class="sr">: ${inRow(on.map((one) => one.label))}</span>` : null}</button>
    ${open ? html`<span class="popover auto-list" ref=${keepInside} role="group" aria-label=${t("auto_title")}>${list.map((one, at) => html`<${Automation} key=${one.id} one=${one} shortcut=${at + 1} />`)}</span>` : null}
  </span>`;
}

function Automation({ one, shortcut }) {
  const [amount, setAmount] = useState(one.amount?.first ?? null);
  const on = isOn(one);
  const value = one.amount ? amountIn(one.amount, amount) : null;
  const change = (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : null;
    setAmount(number);
    if (on && number !== null) switchTo(one, true, amountIn(one.amount, number));
  };
  return html`<span class="automation">
    <label><input type="checkbox" aria-keyshortcuts=${shortcut} checked=${on} onChange=${(event) => switchTo(one, event.target.checked, value)} />${one.label}</label>
    ${one.amount ? html`<input inputmode="numeric" aria-label=${t("in_dollars", { label: one.label })} value=${amount ?? ""} onInput=${(event) => change(event.target.value)} /><span class="sr">${money(value)}</span>` : null}
  </span>`;
}

/** The automation of the auction games: drop once the next bid would cost more than an amount, at first half of these dollars. */
export const dropAbove = (id, dollars) => ({
  id,
  label: t("drop_above"),
  amount: { least: 0, most: 99, first: Math.ceil(dollars / 2) },
  answer: (offers, amount) => {
    const bid = offers.find((offer) => offer.move === "bid");
    const drop = offers.find((offer) => offer.move === "drop");
    return drop && (!bid || bid.fill.amount.least > amount) ? { type: "drop" } : null;
  },
});
