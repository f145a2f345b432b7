// The load client: one process that loads any target through its adapter.
//   node load.mjs <adapter> <scenario> <port> <serverPid,serverPid...> <storePid or 0> [key=value ...]
// Scenarios: check | latency | throughput | turns | fanout | idle. Prints one JSON object; `turns` prints one per turn.
import { readFileSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [adapterName, scenario, port, serverPids, storePid, ...kv] = process.argv.slice(2);
const servers = serverPids.split(',').map(Number);
const opt = Object.fromEntries(kv.map((s) => s.split('=')).map(([k, v]) => [k, Number(v)]));
process.env.SPEED = opt.tables >= 1000 ? 'relaxed' : 'normal'; // for our tables: the first of thousands of tables waits until the last is open
const A = await import(`./adapters/${adapterName}.mjs`);
const http = `http://127.0.0.1:${port}`;
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const now = () => performance.now();

// ---- /proc sampling -------------------------------------------------------
const cpu = (pid) => { // CPU seconds of a process, all threads
  if (!Number(pid)) return 0;
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((total, t) => total + Number(readFileSync(`/proc/${pid}/task/${t}/schedstat`, 'utf8').split(' ')[0]), 0) / 1e9;
};
const rss = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]); // kB
const steal = () => { const f = readFileSync('/proc/stat', 'utf8').split('\n')[0].trim().split(/\s+/).slice(1).map(Number); return f[7] / 100; };
const sum = (f) => servers.reduce((total, pid) => total + f(pid), 0);
const sample = () => ({ t: now(), steal: steal(), each: servers.map(cpu), store: cpu(storePid), client: cpu(process.pid) });
const since = (a) => {
  const b = sample(), secs = (b.t - a.t) / 1000, each = b.each.map((s, i) => s - a.each[i]);
  return { secs, each, server: each.reduce((x, y) => x + y), store: b.store - a.store, client: b.client - a.client, steal: r3((b.steal - a.steal) / secs) };
};
const pct = (xs, p) => { const s = Float64Array.from(xs).sort(); return s[Math.min(s.length - 1, Math.floor((s.length * p) / 100))]; };
const r3 = (x) => Math.round(x * 1000) / 1000;

// ---- a table: 4 seats, any number of spectators, one move in flight --------
class Table {
  static async open(spectators = 0) {
    const t = new Table();
    t.ref = await A.createTable(http);
    t.want = 0; t.missing = 0; t.seen = []; t.sentAt = 0; t.done = null;
    t.conns = [];
    const add = async (seat) => { const i = t.conns.length; t.conns.push(null); t.seen.push(0);
      t.conns[i] = await A.connect(http, t.ref, seat, (n) => t.onUpdate(i, n)); };
    for (let s = 0; s < 4; s++) await add(s);
    for (let k = 0; k < spectators; k += 25) await Promise.all(Array.from({ length: Math.min(25, spectators - k) }, () => add(null)));
    if (A.tableReady) await A.tableReady(t.ref);
    return t;
  }
  onUpdate(i, n) { // viewer i has the update of move n
    if (n < this.want || this.seen[i] >= this.want) return;
    this.seen[i] = n;
    if (--this.missing === 0) { const d = now() - this.sentAt; this.done(d); }
  }
  play(done) { // moves for the seat whose turn it is; calls done(ms) when every viewer has the update
    const seat = this.want % 4;
    this.want += 1; this.missing = this.conns.length; this.done = done; this.sentAt = now();
    this.conns[seat].move(this.want & 0x3fff);
  }
  playOne(timeoutMs = 10000) {
    return new Promise((res, rej) => {
      const timer = setTimeout(() => rej(new Error(`move ${this.want} not delivered; ${this.missing} viewers missing`)), timeoutMs);
      this.play((d) => { clearTimeout(timer); res(d); });
    });
  }
}
const openMany = async (count) => {
  const ts = [];
  for (let i = 0; i < count; i += 10) ts.push(...await Promise.all(Array.from({ length: Math.min(10, count - i) }, () => Table.open())));
  return ts;
};

// ---- scenarios --------------------------------------------------------------
const scenarios = {
  // Whether the target does the work: it enforces turns, hides hands, and all viewers agree.
  async check() {
    const t = await Table.open(2);
    for (let i = 0; i < 30; i++) await t.playOne();
    const before = t.conns[0].view().n;
    t.conns[(t.want + 1) % 4].move(9999); // not this seat's turn
    await sleep(300);
    const views = t.conns.map((c) => c.view());
    const bad = [];
    views.forEach((v, i) => {
      if (v.n !== before) bad.push(`viewer ${i}: out-of-turn move applied`);
      if (v.turn !== t.want % 4) bad.push(`viewer ${i}: turn ${v.turn}`);
      if (v.pile.length !== 20 || v.pile[19] !== 30) bad.push(`viewer ${i}: pile ${v.pile}`);
      v.hands.forEach((h, s) => { if ((h !== null) !== (s === i && i < 4)) bad.push(`viewer ${i}: hand ${s} ${h === null ? 'missing' : 'leaked'}`); });
    });
    return { ok: bad.length === 0, bad };
  },
  // Latency of one move at a time, and bytes per update.
  async latency({ moves = 2000, warm = 1000 }) {
    const t = await Table.open();
    for (let i = 0; i < warm; i++) await t.playOne();
    let bytes = 0, frames = 0;
    for (const c of t.conns) c.rawSocket().on('message', (d) => { bytes += d.length ?? d.byteLength; frames += 1; });
    const xs = [], a = sample();
    for (let i = 0; i < moves; i++) xs.push(await t.playOne());
    const c = since(a);
    return { p50_ms: r3(pct(xs, 50)), p99_ms: r3(pct(xs, 99)), moves, bytes_per_update: r3(bytes / moves / 4), frames_per_update: r3(frames / moves / 4),
      server_cpu_ms_per_move: r3((1000 * c.server) / moves), steal: c.steal };
  },
  // CPU per move at many tables without think time.
  async throughput({ tables = 100, secs = 8, warm = 3 }) {
    const ts = await openMany(tables);
    let on = false, stop = false, moves = 0;
    const xs = [];
    const loop = (t) => t.play((d) => { if (on) { moves += 1; xs.push(d); } if (!stop) loop(t); });
    ts.forEach(loop);
    await sleep(warm * 1000);
    for (let i = 0; i < 60 && ts.some((t) => t.want < 3); i++) await sleep(1000); // many tables take long to start
    const a = sample(); on = true;
    await sleep(secs * 1000);
    on = false; const c = since(a); stop = true;
    const stuck = ts.filter((t) => now() - t.sentAt > 40000).length;
    if (stuck) throw new Error(`moves not delivered after 40 s at ${stuck} of ${tables} tables`);
    return { tables, moves_per_s: Math.round(moves / c.secs), p50_ms: r3(pct(xs, 50)), p99_ms: r3(pct(xs, 99)),
      server_cpu_s_per_1000: r3((1000 * c.server) / moves), store_cpu_s_per_1000: r3((1000 * c.store) / moves), cpu_s_per_1000: r3((1000 * (c.server + c.store)) / moves), client_cpu_s_per_1000: r3((1000 * c.client) / moves),
      server_util: r3(c.server / c.secs), client_util: r3(c.client / c.secs), steal: c.steal };
  },
  // The same in bursts, one for each line of input, so that several servers can take turns of less than a second.
  async turns({ tables = 100, ms = 300 }) {
    const ts = await openMany(tables);
    console.log(JSON.stringify({ ready: true }));
    for await (const _ of createInterface({ input: process.stdin })) {
      const a = sample(), end = now() + ms;
      let moves = 0;
      await Promise.all(ts.map((t) => new Promise((done) => {
        const go = () => t.play(() => { moves += 1; if (now() < end) go(); else done(); });
        go();
      })));
      const c = since(a);
      console.log(JSON.stringify({ moves, nodes: c.each, store: c.store }));
    }
    return { done: true };
  },
  // Fan-out to many spectators.
  async fanout({ spectators = 1000, moves = 50, warm = 10, every = 200 }) {
    const t = await Table.open(spectators);
    for (let i = 0; i < warm; i++) { await t.playOne(); await sleep(50); }
    await sleep(1000);
    const xs = [], a = sample();
    for (let i = 0; i < moves; i++) {
      const d = await t.playOne(); xs.push(d);
      await sleep(Math.max(0, every - d));
    }
    const c = since(a), deliveries = moves * t.conns.length;
    return { spectators, p50_ms: r3(pct(xs, 50)), p99_ms: r3(pct(xs, 99)), deliveries_per_server_cpu_s: Math.round(deliveries / c.server),
      server_cpu_ms_per_move: r3((1000 * c.server) / moves), client_cpu_ms_per_move: r3((1000 * c.client) / moves), steal: c.steal };
  },
  // Memory of idle connections.
  async idle({ tables = 500 }) {
    const warm = await Table.open(); for (let i = 0; i < 20; i++) await warm.playOne();
    await sleep(1000);
    const base = sum(rss);
    await openMany(tables);
    await sleep(5000);
    const full = sum(rss);
    return { connections: tables * 4, base_mb: r3(base / 1024), full_mb: r3(full / 1024), kb_per_connection: r3((full - base) / (tables * 4)) };
  },
};

try {
  console.log(JSON.stringify(await scenarios[scenario](opt)));
  process.exit(0);
} catch (e) {
  console.log(JSON.stringify({ error: String(e?.stack ?? e) }));
  process.exit(1);
}
