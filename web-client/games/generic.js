/**
 * The renderer that can play any game from its view and its offers, and the contract of all renderers.
 *
 * A game's renderer is `games/<name of the game>.js`, with its style in `games/<name>.css` if it exports
 * `css = true`. It knows the game's views, events and moves (the game's module in `games/`) and draws them; legality
 * it takes from the offers alone. A game without a renderer is shown by this one. A renderer exports:
 *
 * `render(table)` -> {board, hand, bar, seats}, all of them vnodes (`html` of ../html.js), all but `board` optional:
 *    board  what lies on the table. It fills the middle: about 390 x 380 px on a phone, 1000 x 430 on a laptop.
 *           Size it by its container (container queries on `.board`, which is one; percentages), never by the window.
 *    hand   what only I have, in reach of the thumb: at most about 200 px high on a phone.
 *    bar    the controls for offers that no thing on the table stands for ("Pass", an amount), one or two rows.
 *           Without a `bar` the generic controls of all offers are shown; `bar: null` says that everything can be
 *           clicked on the things themselves.
 *    seats  {seat: vnode}: what to add to a seat's place in the strip of seats (small: 72 x 40 px on a phone).
 *  It is called inside one component, at every change: hooks of ../html.js may be used, always in the same order.
 *  `table` has
 *    view      what this viewer may know now (never null here)
 *    events    what the last entry brought, [] if nothing is new
 *    n         the number of that entry
 *    ask       the number of what I am asked, null if nothing: choices that I am making belong to one ask, so keep
 *              them with `useChoice(ask, first)` of ../choice.js, which forgets them when another ask comes
 *    offers    what I may do now, [] if nothing; asides: what I may say in the game's terms, []
 *    seat      my seat, null for a watcher; seats: SeatInfo of all seats; options: the table's options
 *    acting    [{seat, ends, total}] who may act, until when (performance.now(), null: no limit)
 *    names     names(seat): "You" or the name
 *    play      play(move) sends a filled offer {type, ...fields}; aside(move) does so with an aside. Both wait
 *              out lost connections; between sending and the next ask `busy` is true and offers are []
 *    explain   explain(text, rule): says why something cannot be done, or what it means; the rule id is looked up
 *    moving    whether things may move
 *    mini      true in the lobby's small window: no hand, no bar, just a board about 340 x 260 px
 *
 * `words`: {events: {type: (event, names, view) => text or null}, offers: {move: (offer, names, view) => text},
 *    moves: {move: short name for a button}, value: (field, value, names) => text or undefined,
 *    why: {move: one sentence for somebody's first game}, prompt: (offers, view, names) => text: what is asked of me}.
 *    Events are told in the past tense, so that "You" and a name both fit. All of it optional.
 * `publicOf(view, seat)` -> [{text, label, kind}]: what is public of a seat in a few short badges ("5 cards", "$40").
 * `motion({events, view, seat, fly, was, now, pulse})`: called after the page shows the new entry; see ../anim.js.
 *    The frame's own places are "seat-0", "seat-1", ..., "board" and "hand".
 * `account(view, names)` -> vnode: how the points came about, shown with the result.
 * `headline(places, names)` -> text over the result, where "Ann won" does not fit.
 *
 * What can be done now has the class `can`, is a real <button> with an aria-label that says what it does, and is the
 * only thing in the accent colour. A click on an enabled `.can` either makes the move or is a step to it, and from
 * every state of choosing some `.can` sends a move: the tests click any of them until the game is over. What cannot be
 * done but looks like it is a <button aria-disabled="true"> that calls `explain`. Colours never stand alone: a shape
 * or a letter goes with them. Text is 4.5:1 on its ground in light and dark; touch targets are 44 px.
 */

import { html } from "../html.js";
import { plain, valueText } from "../words.js";

export const words = {};

/** The view as lists of names and values; offers by the generic controls. */
export function render({ view, seat, names, mini }) {
  const fields = Object.entries(view).filter(([name]) => !["type", "me", "hand", "result"].includes(name));
  const seats = (value) => Array.isArray(value) && value.length > 1 && typeof value !== "string";
  return {
    board: html`<dl class="generic">
      ${fields.slice(0, mini ? 8 : 99).map(
        ([name, value]) =>
          html`<div key=${name}>
            <dt>${plain(name)}</dt>
            <dd>${seats(value) ? value.map((item) => html`<span class="tag">${valueText(item, name)}</span>`) : valueText(value, name, null, names)}</dd>
          </div>`,
      )}
    </dl>`,
    hand:
      seat !== null && Array.isArray(view.hand)
        ? html`<div class="generic-hand">${view.hand.map((item) => html`<span class="tag">${valueText(item, "hand")}</span>`)}</div>`
        : null,
  };
}
