/**
 * The renderer that can play any game from its view and its offers, and the contract of all renderers.
 *
 * The renderer of a game is `games/<name of the game>.js`, with its style in `games/<name>.css` if it
 * needs one. It draws the game's views and events and builds its moves; docs/views.md describes them. It decides
 * what is legal by the offers alone. This renderer shows games that have none. A renderer exports:
 *
 * `render(table)` -> {board, hand, bar, bids, seats, next}: vnodes (`html` of ../html.js), all optional except `board`. They fill the
 *    frame (../frame.js, ../table.css), whose areas have fixed places and sizes, so that nothing moves from turn to turn:
 *    board  what lies in the middle of the table: about 340 x 240 px on a small phone, 400 x 180 px on one that lies on its side,
 *           600 x 400 px on a laptop. Size it by its container (`.board` is a query container), never by the window. Each piece
 *           keeps its place and size in all phases; a chooser lies over the board (`.popover`) and moves nothing.
 *    hand   what only I have, on the near edge of the table. Its height is `--hand`.
 *    bar    controls for offers that no thing on the table stands for ("Pass", an amount), in one row (`--controls`).
 *           Without a `bar`, the generic controls of all offers are shown. `bar: null` means that everything can be
 *           clicked on the table itself.
 *    seats  {seat: vnode} or a list: what a seat shows of its own below its name, such as its cards. Its height is `--seat-extra`.
 *    bids   {seat: {text, label, state}} or a list: what a seat bids; `state` is "high", "out" or "".
 *    next   the seat that plays next, or null.
 *    A game sets the three sizes in its style sheet: `.page.of-<game>`, and where they differ `.page.of-<game>.tall` (phones),
 *    `.short` (phones that lie on their side, and zoomed windows), `.narrow` (narrow seats), `.crowd` (many seats on a low
 *    board), `.variant-<option variant>`.
 *  It is called inside one component at every change, so hooks of ../html.js may be used, always in the same order.
 *  `table` has
 *    view      what this viewer may know now (never null here)
 *    events    the events of the last entry; [] if it is not new
 *    known     what `words.remember` has collected of all events so far; not there in the lobby, a lesson or a replay
 *    n         the number of that entry
 *    ask       the number of my ask, or null. Choices that I am making belong to one ask: keep them with
 *              `useChoice(ask, first)` of ../choice.js, which resets them when another ask comes
 *    offers    what I may do now, or []. asides: what I may say in the game's terms, or []
 *    seat      my seat, or null for a watcher. seats: SeatInfo of all seats. options: the table's options
 *    acting    [{seat, ends, total}]: who may act, and until when (performance.now(), or null without a limit)
 *    names     names(seat): "You" (`YOU` of ../messages.js, in the language of the page) or the name of the seat
 *    play      play(move) sends a filled offer, {type, ...fields}; aside(move) sends an aside. Both survive a lost
 *              connection. From then until the next ask, `busy` is true and `offers` is []
 *    startsIn  the seconds until a race starts, or 0; until then `offers` is []
 *    attempt   attempt(move) sends a move that no offer allows, and the page shows the server's reason for the
 *              refusal, or, if nothing is asked of me, for whom the table waits. Call it on a click, never on hover:
 *              refused moves count towards the rate limit
 *    explain   explain(text, rule) says what something means; the page adds the rule's text from the rules page
 *    moving    whether animation is allowed
 *    mini      true in the small window of the lobby: no hand, no bar, only a board of about 340 x 260 px
 *
 * `words`: {events: {type: (event, names, view) => text or null}, offers: {move: (offer, names, view) => text},
 *    moves: {move: short name for a button}, value: (field, value, names) => text or undefined,
 *    tips: [{id, when: (offered, view) => bool, text: (view, names) => text}]: what to know in a first game, the most telling
 *    first; `offered(...moves)` says whether one of them is offered, and `when` must make the text true (tests/browser/test_tips.py).
 *    A game without tips may have why: {move: one sentence}. prompt: (offers, view, names) => text: what is asked of me;
 *    briefPrompt: (offers, view) => text or undefined: the same where there is no room for it,
 *    chapters: [types of events with which a chapter of a replay begins]}.
 *    `remember(known, event)` -> what is known after an event: the log passes it instead of the view to `events` and `headings`, so
 *    a sentence depends on earlier events alone and stays true. It has the names of the view's fields.
 *    headings: {type: (event, names, known) => text or null}: a heading of the log above this event.
 *    pictures: {type: (event, known) => vnode}: what the event is about, 18 px high.
 *    Texts come from message files (../messages.js), where `{who, select, you {...} other {...}}` fits the words to "You" and to a
 *    name. In English, events are in the past tense. All parts are optional.
 * `publicOf(view, seat)` -> [{text, brief, label, kind}]: short badges with what is public of a seat ("5 cards", "$40"); `brief`
 *    is shown if there is little room ("5c"). {mark, label} is a letter at the avatar, such as that of a dealer.
 * `automations(table)` -> what the page can answer by itself if the player asks for it; ../auto.js describes them.
 * `motion({events, view, seat, fly, was, now, pulse})`: called after the page shows a new entry; see ../anim.js.
 *    The page itself has the places "seat-0", "seat-1", ..., "board" and "hand".
 * `account(view, who, order)` -> vnode: how the points came about, a table with a row for each seat of `order` that begins with
 *    `who(seat)`: its place and its name.
 * `points(view)` -> {label, values}: what is counted of each seat, for the plot of a replay. Only what everybody may know.
 * `beat(events, view, names)` -> {ms, stage} or null: a vnode that plays out something decisive over the board before the page shows
 *    these events; `view` is the one before them. Its length must not tell the outcome (../beats.js).
 * `opening(view, names)` -> the same for a page that has just created the table, and sees how the game began.
 * `cheer(events, names)` -> vnode, text or null: shown for a moment after these events.
 * `reference(view, known)` -> vnode: the pieces of the game with their counts, and what has been seen, above the rules. Things with an
 *    attribute `data-about` show that text on a long press or with the right mouse button (../about.js).
 * `headline(places, names)` -> text above the result, if "Ann won" does not fit.
 *
 * The keyboard is the page's task (../focus.js): Tab reaches the hand, the board and the controls once each, arrow keys move
 * between their buttons, and when a button vanishes the focus moves to the one in its place. A renderer uses buttons, in
 * the order in which they are seen, gives no tabindex, and marks further groups with `data-arrows`.
 *
 * Everything that can be done now has the class `can`, is a <button> with an aria-label that says what it does, and
 * alone has the accent colour. A key for it is its `aria-keyshortcuts`; the page presses it. A click on an enabled `.can` makes a move or is a step towards one, and in every state
 * of choosing some `.can` sends a move: the tests click on any of them until the game is over. What looks possible but
 * is not is a <button aria-disabled="true"> that calls `attempt`: a renderer does not know the reason. A colour always
 * comes with a shape or a letter. Text has a contrast of 4.5:1 in light and dark; touch targets are 44 px.
 */

import { html } from "../html.js";
import { plain, valueText } from "../words.js";

export const words = {};

/** Show the view as a list of names and values; the page adds generic controls for the offers. */
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
