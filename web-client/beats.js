/**
 * Beats: when something decisive arrives, a stage over the board plays it out first, and only then the table, the log and the words
 * show what happened. So nothing tells the outcome before it is seen. What arrives meanwhile waits in its order.
 */

import { html, signal, useEffect } from "./html.js";
import { texts } from "./messages/en/table.js";
import { translator } from "./messages.js";

const t = translator(texts);

const MOST_WAITING = 2; // with more than these behind it, a beat is left out: the page must not fall behind the game

export class Beats {
  constructor() {
    this.shown = signal(null); // {ms, stage} while a beat is played
    this.beatOf = null; // (events) => {ms, stage} or null; set by the page of the table
  }

  #waiting = []; // [{events, apply}]; in order
  #apply = null; // what the beat that is played holds back
  #timer = null;

  /** Apply a message: at once, or after its beat and what came before. */
  add(events, apply) {
    if (this.#apply) this.#waiting.push({ events, apply });
    else this.#begin({ events, apply });
  }

  #begin({ events, apply }) {
    const beat = this.#waiting.length > MOST_WAITING || !events.length ? null : (this.beatOf?.(events) ?? null);
    if (!beat) return apply();
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
    apply();
    while (this.#waiting.length && !this.#apply) this.#begin(this.#waiting.shift());
  }
}

/** The stage of the beat that is played. A tap ends it. */
export function Stage({ feed }) {
  const beat = feed.beats.shown.value;
  return beat ? html`<div class="beat" role="img" aria-label=${t("decided")} onClick=${() => feed.beats.end()}>${beat.stage}</div>` : null;
}

/** Play the beats of a game: `beatOf` gets the events that arrive. When the page is left, nothing is held back. */
export function useBeats(feed, beatOf) {
  useEffect(() => {
    feed.beats.beatOf = beatOf;
  });
  useEffect(() => () => {
    feed.beats.beatOf = null;
    feed.beats.end();
  }, [feed]);
}
