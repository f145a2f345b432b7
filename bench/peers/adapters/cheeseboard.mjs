// Our own protocol: one websocket and one guest per seat, patches instead of whole views.
// Seat 0 creates the table and the others sit down; the game starts when the fourth seat is taken.
import WebSocket from 'ws';
import { encode, decode } from '@msgpack/msgpack';

export const createTable = async () => ({ id: null, started: null, seatsReady: [] });

// The first view comes when the last seat is taken, after all connections are open.
export const tableReady = (table) => Promise.all(table.seatsReady);

class Connection {
  constructor(http, table, onUpdate) {
    const where = table === null ? '' : `?table=${table}`;
    this.ws = new WebSocket(`${http.replace('http', 'ws')}/ws${where}`, { perMessageDeflate: false });
    this.requests = 0; this.waiting = new Map(); this.update = null; this.view = null; this.onUpdate = onUpdate;
    this.ws.on('message', (data) => this.onMessage(decode(data)));
    this.opened = new Promise((res, rej) => { this.ws.once('open', res); this.ws.once('error', rej); });
    this.viewed = new Promise((res) => { this.onView = res; });
  }
  onMessage(m) {
    if (m.type === 'update') this.onUpdateMessage(m);
    else if (m.type === 'ok' || m.type === 'welcome') { this.waiting.get(m.id)?.(m); this.waiting.delete(m.id); }
    else if (m.type === 'error') {
      if (this.waiting.has(m.id)) throw new Error(`${m.code}: ${m.message}`);
      console.error(`refused: ${m.code}: ${m.message}`); // a move: `check` makes one out of turn
    }
  }
  onUpdateMessage(m) {
    if (m.ask) this.ask = m.ask.n;
    this.n = m.n; this.acting = m.acting ?? [];
    if (m.patch) {
      Object.assign(this.view, m.patch.set);
      for (const [field, more] of Object.entries(m.patch.add ?? {})) this.view[field].push(...more);
    } else if (m.view) { this.view = m.view; this.onView(m.n); }
    if (this.view) this.onUpdate(this);
  }
  send(message) { this.ws.send(encode({ id: ++this.requests, ...message })); return this.requests; }
  request(message) { return new Promise((res) => this.waiting.set(this.send(message), res)); }
}

export async function connect(http, table, seat, onUpdate) {
  const connection = new Connection(http, process.env.SPREAD ? null : table.id, () => onUpdate(connection.n - table.started));
  await connection.opened;
  await connection.request({ type: 'hello', v: 1, patches: true });
  if (seat === 0) table.id = (await connection.request({ type: 'create', game: 'pile', seats: 4, speed: process.env.SPEED, public: false })).table;
  else if (seat !== null) await connection.request({ type: 'sit', table: table.id, seat });
  await connection.request({ type: 'open', table: table.id });
  if (seat === 0) connection.viewed.then((n) => { table.started = n; }); // the entry that started the game
  if (seat === null) await connection.viewed;
  else table.seatsReady.push(connection.viewed);
  return {
    rawSocket: () => connection.ws,
    move: (card) => connection.send({ type: 'move', table: table.id, ask: connection.ask ?? 0, key: `k${connection.requests}`, move: { type: 'play', card } }),
    view: () => ({ n: connection.n - table.started, turn: connection.acting[0][0], pile: connection.view.pile.slice(-20), hands: [0, 1, 2, 3].map((s) => (s === seat ? connection.view.hand : null)) }),
    close: () => connection.ws.close(),
  };
}
