/** A table at which the bot has a seat: what it has seen there, and the decision that it is making. */

const MAX_EVENTS = 5000; // kept until the next decision; of more, the turn is not complete

export class Decision {
  constructor(ask, view) {
    this.ask = ask.n;
    this.offers = ask.offers;
    this.view = view;
    this.key = globalThis.crypto.randomUUID();
    this.leftMs = ask.left_ms ?? null;
    this.askedAt = performance.now();
  }

  same(ask) {
    return ask.n === this.ask && JSON.stringify(ask.offers) === JSON.stringify(this.offers);
  }
}

export class Seat {
  constructor(table) {
    this.table = table;
    this.last = null;
    this.info = {};
    this.decision = null;
    this.early = null; // an update that came before the table message that says which seat this is
    this.events = [];
    this.complete = true;
    this.shown = true;
    this.forget();
  }

  /** The connection was lost: what is asked now is not known until the next update. */
  forget() {
    if (!this.shown) return; // somebody may wait for the promise that there is
    this.shown = false;
    this.fresh = new Promise((resolve) => (this.resolveFresh = resolve));
  }

  /** An update has come. */
  show() {
    this.shown = true;
    this.resolveFresh();
  }

  /** Remember what has happened, and whether something may have been missed (P24, P25). */
  note(update) {
    const events = update.events ?? [];
    if (update.n !== this.last) {
      const follows = update.n - 1 === this.last || (this.last === null && !update.view);
      if (!follows || this.events.length + events.length > MAX_EVENTS) {
        this.events = [];
        this.complete = false;
      }
      this.events.push(...events);
    }
    this.last = update.n;
  }

  /** What `choose` gets; the events are those since its last call. */
  turn(decision) {
    const { events, complete, info } = this;
    this.events = [];
    this.complete = true;
    const spent = performance.now() - decision.askedAt;
    const leftMs = decision.leftMs === null ? null : Math.max(0, Math.round(decision.leftMs - spent));
    const { view, offers, ask } = decision;
    return { view, offers, ask, events, complete, leftMs, game: info.game, table: this.table, seat: info.you, options: info.options };
  }
}
