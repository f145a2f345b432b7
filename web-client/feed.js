/** One table as the server tells it: who sits there, what is so now, what happened, what was said. */

import { batch, signal } from "./html.js";

const MOST_PAST = 150; // entries that the log keeps
const MOST_CHATS = 100;

/** The view after a patch. */
export function patched(view, patch) {
  const next = { ...view, ...patch.set };
  for (const [name, items] of Object.entries(patch.add ?? {})) next[name] = [...view[name], ...items];
  return next;
}

export class Feed {
  constructor(id, reopen) {
    this.id = id;
    this.users = 0;
    this.last = null; // the last entry that is known
    this.opening = null; // the request that opens it
    this.reopen = reopen;
    this.before = null; // called before something of the table changes, so that motion knows where things were
    this.info = signal(null);
    this.now = signal(null); // {n, view, ask, asides, acting, events, by, seat, fresh}
    this.past = signal([]); // [{n, events, seat, by}], the newest last
    this.chats = signal([]);
    this.refused = signal(null);
  }

  onInfo(info) {
    batch(() => {
      this.refused.value = null;
      this.info.value = info;
    });
  }

  onUpdate(update) {
    const known = this.now.value;
    const events = update.events ?? [];
    let view = known?.view ?? null;
    if (update.view) view = update.view;
    else if (update.patch) {
      if (!view || update.n !== this.last + 1) {
        this.last = null;
        this.reopen();
        return;
      }
      view = patched(view, update.patch);
    } else if (view && !update.ask && !update.acting) {
      // One of several missed entries: the last of them brings the view.
      this.last = update.n;
      this.remember(update, events);
      return;
    }
    const fresh = this.last !== null && update.n > this.last;
    this.last = update.n;
    this.before?.();
    batch(() => {
      this.remember(update, events);
      const acting = (update.acting ?? []).map(([seat, left]) => this.clock(known, seat, left));
      this.now.value = {
        n: update.n,
        view,
        ask: update.ask ?? null,
        asides: update.asides ?? null,
        acting,
        events,
        by: update.by ?? "seat",
        seat: update.seat ?? null,
        fresh,
      };
    });
  }

  /** Somebody's time: when it ends on our clock, and how long it was when we first heard of it. */
  clock(known, seat, left) {
    if (left === null || left === undefined) return { seat, ends: null, total: null };
    const ends = performance.now() + left;
    const before = known?.acting.find((other) => other.seat === seat && other.ends !== null);
    const same = before && Math.abs(before.ends - ends) < 1500;
    return { seat, ends, total: same ? before.total : left };
  }

  remember(update, events) {
    if (!events.length) return;
    const entry = { n: update.n, events, seat: update.seat ?? null, by: update.by ?? "seat" };
    this.past.value = [...this.past.value.filter((old) => old.n < update.n), entry].slice(-MOST_PAST);
  }

  onChat(chat) {
    const same = (other) => other.at === chat.at && other.name === chat.name && other.text === chat.text;
    if (this.chats.value.some(same)) return;
    this.chats.value = [...this.chats.value, { ...chat, heard: performance.now() }].slice(-MOST_CHATS);
  }

  onRefused(error) {
    this.refused.value = error;
  }
}
