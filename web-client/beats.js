/**
 * Beats: when something decisive arrives, a stage over the board plays it out first, and only then the table, the log and the words
 * show what happened. So nothing tells the outcome before it is seen. What arrives meanwhile waits in its order.
 */

import { isCreatedHere } from "./anim.js";
import { html, signal, useEffect, useState } from "./html.js";
import { texts } from "./messages/en/table.js";
import { translator } from "./messages.js";

const t = translator(texts);

const MOST_WAITING = 2; // with more than these behind it, a beat is left out: the page must not fall behind the game

export class Beats {
  constructor() {
    this.shown = signal(null); // {ms, stage} while a beat is played
    this.beatOf = null; // (events, view) => {ms, stage} or null; set by the page of the table. `view` is that of the message, if it has one
    this.isHeld = false; // whether everything waits for `release`
  }

  #waiting = []; // [{events, view, apply}]; in order
  #apply = null; // what the beat that is played holds back
  #timer = null;

  /** Apply a message: at once, or after its beat and what came before. `apply(played)` is told whether a beat was played. */
  add(events, apply, view = null) {
    if (this.#apply || this.isHeld) this.#waiting.push({ events, view, apply });
    else this.#begin({ events, view, apply });
  }

  /** Let nothing be shown before `release`: the page of the table, which knows the beats, is not there yet. */
  hold() {
    this.isHeld = true;
  }

  release() {
    this.isHeld = false;
    this.#goOn();
  }

  #begin({ events, view, apply }) {
    const beat = this.#waiting.length > MOST_WAITING ? null : (this.beatOf?.(events, view) ?? null);
    if (!beat) return apply(false);
    this.#apply = apply;
    this.shown.value = beat;
    this.#timer = setTimeout(() => this.end(), beat.ms);
    return undefined;
  }

  /** End the beat that is played, and go on with what waits. */
  end() {
    if (!this.#apply) return;
    clearTimeout(this.#timer);
    const apply = this.#apply;
    this.#apply = null;
    this.shown.value = null;
    apply(true);
    this.#goOn();
  }

  #goOn() {
    while (this.#waiting.length && !this.#apply && !this.isHeld) this.#begin(this.#waiting.shift());
  }
}

const SKIP_KEYS = [" ", "Enter", "Escape"];

/** The stage of the beat that is played. A tap ends it, and so do Space, Enter and Escape. */
export function Stage({ feed }) {
  const beat = feed.beats.shown.value;
  useEffect(() => {
    if (!beat) return undefined;
    const onKey = (event) => {
      if (!SKIP_KEYS.includes(event.key) || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
      event.preventDefault();
      event.stopImmediatePropagation(); // the key must not press what has the focus, or what comes next
      feed.beats.end();
    };
    addEventListener("keydown", onKey, true);
    return () => removeEventListener("keydown", onKey, true);
  }, [beat]);
  return beat ? html`<div class="beat" role="img" aria-label=${t("decided")} onClick=${() => feed.beats.end()}>${beat.stage}</div>` : null;
}

/** Several beats one after the other, as one: [{ms, stage}]. */
export const inTurn = (beats) => (beats.length > 1 ? { ms: beats.reduce((sum, { ms }) => sum + ms, 0), stage: html`<${InTurn} beats=${beats} />` } : (beats[0] ?? null));

function InTurn({ beats }) {
  const [at, setAt] = useState(0);
  useEffect(() => {
    if (at + 1 >= beats.length) return undefined;
    const timer = setTimeout(() => setAt(at + 1), beats[at].ms);
    return () => clearTimeout(timer);
  }, [at]);
  return html`<div class="beat-part" key=${at}>${beats[at].stage}</div>`;
}

/** A moment of joy, or of pity, after an entry; it is over before the next move. */
export function Cheer({ table, renderer }) {
  const cheer = table.moving && table.events.length ? renderer.cheer?.(table.events, table.names) : null;
  return cheer ? html`<p class="cheer" aria-hidden="true">${cheer}</p>` : null;
}

/** The beat of what arrives; of a table that this page has just created, how the game began. */
export function beatOf(renderer, events, before, after, names, id) {
  if (events.length) return before || after ? (renderer.beat?.(events, before ?? after, names) ?? null) : null;
  return !before && after && isCreatedHere(id) ? (renderer.opening?.(after, names) ?? null) : null;
}

/** Play the beats of a game: `beatOf` gets the events that arrive. When the page is left, nothing is held back. */
export function useBeats(feed, beatOf) {
  useEffect(() => {
    feed.beats.beatOf = beatOf;
    feed.beats.release();
  });
  useEffect(() => () => {
    feed.beats.beatOf = null;
    feed.beats.end();
  }, [feed]);
}
