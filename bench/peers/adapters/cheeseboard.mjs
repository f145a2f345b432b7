// Our own protocol: one websocket per seat, each a guest of its own, patches instead of whole views.
// Seat 0 creates the table, the others sit down; the game starts by itself when the fourth one sits.
import WebSocket from 'ws';
import { encode, decode } from '@msgpack/msgpack';

export const createTable = async () => ({ id: null, begun: null, started: null, seatsReady: [] });

// The first view comes when the last seat is taken, after the connections are open.
export const tableReady = (table) => Promise.all(table.seatsReady);

class Line {
  constructor(http, table, onUpdate) {
    const where = table === null ? '' : `?table=${table}`;
    this.ws = new WebSocket(`${http.replace('http', 'ws')}/ws${where}`, { perMessageDeflate: false });
    this.requests = 0; this.waiting = new Map(); this.update = null; this.view = null; this.onUpdate = onUpdate;
    this.ws.on('message', (data) => this.got(decode(data)));
    this.opened = new Promise((res, rej) => { this.ws.once('open', res); this.ws.once('error', rej); });
    this.viewed = new Promise((res) => { this.onView = res; });
  }
  got(m) {
    if (m.type === 'update') this.gotUpdate(m);
    else if (m.type === 'ok' || m.type === 'welcome') { this.waiting.get(m.id)?.(m); this.waiting.delete(m.id); }
    else if (m.type === 'error') {
      if (this.waiting.has(m.id)) throw new Error(`${m.code}: ${m.message}`);
      console.error(`refused: ${m.code}: ${m.message}`); // a move: the check makes one out of turn
    }
  }
  gotUpdate(m) {
    if (m.ask) this.ask = m.ask.n;
    this.n = m.n; this.acting = m.acting ?? [];
    if (m.patch) {
      Object.assign(this.view, m.patch.set);
      for (const [field, more] of Object.entries(m.patch.add ?? {})) this.view[field].push(...more);
    } else if (m.view) { this.view = m.view; this.onView(m.n); }
    if (this.view) this.onUpdate(this);
  }
  say(message) { this.ws.send(encode({ id: ++this.requests, ...message })); return this.requests; }
  request(message) { return new Promise((res) => this.waiting.set(this.say(message), res)); }
}

export async function connect(http, table, seat, onUpdate) {
  const line = new Line(http, process.env.SPREAD ? null : table.id, () => onUpdate(line.n - table.started));
  await line.opened;
  await line.request({ type: 'hello', v: 1, patches: true });
  if (seat === 0) table.id = (await line.request({ type: 'create', game: 'pile', seats: 4, speed: process.env.SPEED, public: false })).table;
  else if (seat !== null) await line.request({ type: 'sit', table: table.id, seat });
  await line.request({ type: 'open', table: table.id });
  if (seat === 0) line.viewed.then((n) => { table.started = n; }); // the entry that began the game
  if (seat === null) await line.viewed;
  else table.seatsReady.push(line.viewed);
  return {
    rawSocket: () => line.ws,
    move: (card) => line.say({ type: 'move', table: table.id, ask: line.ask ?? 0, key: `k${line.requests}`, move: { type: 'play', card } }),
    view: () => ({ n: line.n - table.started, turn: line.acting[0][0], pile: line.view.pile.slice(-20), hands: [0, 1, 2, 3].map((s) => (s === seat ? line.view.hand : null)) }),
    close: () => line.ws.close(),
  };
}
