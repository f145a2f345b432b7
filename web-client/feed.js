/** The feed of one table: its seats, its current state, its log and its chat. */

import { announce, changesOf } from "./arrivals.js";
import { Beats } from "./beats.js";
import { batch, signal } from "./html.js";

const MAX_LOG = 20_000; // entries; older ones are dropped
const MAX_CHATS = 100;
const MAX_MOMENTS = 500; // states of the table that a watcher can look at again

/** Apply a patch (P28) to a view. */
export function applyPatch(view, patch) {
  const next = { ...view, ...patch.set };
  for (const [name, items] of Object.entries(patch.add ?? {})) next[name] = [...view[name], ...items];
  return next;
}

/** The owners of seats with the users that those have kept who only changed their names. */
function withUsers(owners) {
  const users = {};
  return owners.map((one) => ({ ...one, user: (users[one.seat] = one.user ?? users[one.seat]) }));
}

export class Feed {
  /** `reopen` opens the table again; `fetchPast(before)` asks for past entries, {first, entries}. */
  constructor(id, reopen, fetchPast = null) {
    this.id = id;
    this.users = 0;
    this.last = null; // the number of the last entry that we have
    this.opening = null; // the id of the pending open request
    this.reopen = reopen;
    this.fetchPast = fetchPast;
    this.complete = false; // whether the log has every entry up to `last`
    this.beforeChange = null; // called before the table changes, so that animations know where things were
    this.beats = new Beats();
    this.awaitsInfo = false; // whether the beats are held until the next `table` message
    this.info = signal(null);
    this.moments = []; // the values of `now` that a watcher can look at again, the newest last
    this.keepsMoments = false;
    this.now = signal(null); // {n, view, views, ask, asides, acting, events, by, seat, fresh, played}; `ask.startsAt` is when a race starts, by performance.now()
    this.log = signal([]); // [{n, events, seat, by}], the newest last
    this.owners = signal([]); // [{n, seat, name, user}]: who has a seat from entry n on; the newest last
    this.chats = signal([]);
    this.error = signal(null); // the server's answer if it refused to open the table
  }

  onInfo(info, me) {
    if (this.beats.isHeld) this.applyInfo(info, me); // the page of the table, which ends that, needs it
    else this.beats.add([], () => this.applyInfo(info, me));
    if (this.awaitsInfo) this.beats.release();
    this.awaitsInfo = false;
  }

  onUpdate(update) {
    if (update.view && this.info.value?.status === "open" && !this.beats.isHeld) {
      this.awaitsInfo = true; // the `table` message with the names of the bots on the free seats follows, and a beat may name them
      this.beats.hold();
    }
    const receivedAt = performance.now();
    this.beats.add(update.events ?? [], (played) => this.applyUpdate(update, receivedAt, played), update.view ?? null);
  }

  applyInfo(info, me) {
    const before = this.info.value;
    for (const text of before && me ? changesOf(before, info, me) : []) {
      announce(text);
      this.addChat({ notice: true, name: "", text, at: Date.now() });
    }
    batch(() => {
      this.error.value = null;
      if (before && this.last !== null) this.noteOwners(before, info);
      this.info.value = info;
    });
  }

  applyUpdate(update, receivedAt, played = false) {
    const known = this.now.value;
    const events = update.events ?? [];
    let view = known?.view ?? null;
    const views = this.viewsOf(update, known);
    if (update.view) view = update.view;
    else if (update.patch) {
      if (!view || !views || update.n !== this.last + 1) {
        this.last = null;
        this.reopen();
        return;
      }
      view = applyPatch(view, update.patch);
    } else if (view && !update.ask && !update.acting) {
      // One of several missed entries: the last of them has the view (P27).
      this.last = update.n;
      this.addToLog(update, events);
      return;
    }
    const fresh = this.last !== null && update.n > this.last;
    if (this.last !== null && update.n > this.last + 1) this.complete = false;
    this.last = update.n;
    this.beforeChange?.();
    batch(() => {
      this.addToLog(update, events);
      const acting = (update.acting ?? []).map(([seat, leftMs]) => this.clockOf(known, seat, leftMs, receivedAt));
      this.now.value = {
        n: update.n,
        view,
        views: views?.length ? views : null,
        ask: update.ask ? { ...update.ask, startsAt: update.ask.wait_ms ? receivedAt + update.ask.wait_ms : null } : null,
        asides: update.asides ?? null,
        acting,
        events,
        by: update.by ?? "seat",
        seat: update.seat ?? null,
        fresh,
        played,
      };
      if (this.keepsMoments) this.keepMoment();
    });
  }

  /** The views of all seats, for watchers who may see them: [] if there are none, null if they cannot be patched. */
  viewsOf(update, known) {
    const views = (update.views ?? []).map(({ view, patch }, seat) => view ?? (known?.views?.[seat] && applyPatch(known.views[seat], patch)));
    return views.includes(undefined) ? null : views;
  }

  keepMoment() {
    const { value } = this.now;
    if (value.view) this.moments = [...this.moments.filter((moment) => moment.n < value.n), value].slice(-MAX_MOMENTS);
  }

  /** The clock of a seat: when its time ends by performance.now(), and the total time as first received. */
  clockOf(known, seat, leftMs, receivedAt) {
    if (leftMs === null || leftMs === undefined) return { seat, ends: null, total: null };
    const ends = receivedAt + leftMs;
    const before = known?.acting.find((other) => other.seat === seat && other.ends !== null);
    const same = before && Math.abs(before.ends - ends) < 1500;
    return { seat, ends, total: same ? before.total : leftMs };
  }

  /** Remember whose seats they were up to now, so that the log keeps the names that they had. */
  noteOwners(before, info) {
    if (before.status === "open") {
      this.owners.value = info.seats.map(({ name, user }, seat) => ({ n: 0, seat, name, user }));
      return;
    }
    const changed = info.seats.flatMap(({ name, user }, seat) => (name === before.seats[seat].name && user === before.seats[seat].user ? [] : [{ n: this.last + 1, seat, name, user }]));
    const known = new Set(this.owners.value.map((one) => one.seat));
    const old = changed.filter(({ seat }) => !known.has(seat)).map(({ seat }) => ({ n: 0, seat, name: before.seats[seat].name, user: before.seats[seat].user }));
    if (changed.length) this.owners.value = [...old, ...this.owners.value, ...changed];
  }

  addToLog(update, events) {
    if (!events.length) return;
    const entry = { n: update.n, events, seat: update.seat ?? null, by: update.by ?? "seat" };
    this.log.value = [...this.log.value.filter((old) => old.n < update.n), entry].slice(-MAX_LOG);
  }

  /** Fetch the entries that the log lacks, the newest first. */
  async completeLog() {
    if (!this.fetchPast || this.complete || this.last === null) return;
    this.complete = true; // entries that come meanwhile are added as usual
    let before;
    let last = null; // the newest entry that the answers cover
    let owners = [];
    try {
      do {
        const { n: newest, first, entries } = await this.fetchPast(before);
        last ??= newest;
        owners = [...entries.flatMap((entry) => (entry.owners ?? []).map((one) => ({ n: entry.n, ...one }))), ...owners];
        const known = new Set(this.log.value.map((entry) => entry.n));
        const past = entries.filter((entry) => entry.events?.length && !known.has(entry.n)).map(({ n, events, seat = null, by = "seat" }) => ({ n, events, seat, by }));
        if (past.length) this.log.value = [...this.log.value, ...past].sort((a, b) => a.n - b.n).slice(-MAX_LOG);
        before = first;
      } while (before > 1);
      this.owners.value = [...withUsers(owners), ...this.owners.value.filter((one) => one.n > last)];
    } catch {
      this.complete = false; // for instance because the table was closed; the next call tries again
    }
  }

  onChat(chat) {
    const same = (other) => other.at === chat.at && other.name === chat.name && other.text === chat.text;
    if (!this.chats.value.some(same)) this.addChat(chat);
  }

  addChat(chat) {
    this.chats.value = [...this.chats.value, { ...chat, receivedAt: performance.now() }].slice(-MAX_CHATS);
  }

  onRefused(error) {
    this.error.value = error;
  }
}
