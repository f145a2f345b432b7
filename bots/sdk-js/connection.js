/** A bot's connection: it reconnects, resumes its tables, and answers every ask with one move. */

import { decode, encode } from "@msgpack/msgpack";
import { fill, parts, pick } from "./offers.js";
import { Decision, Seat } from "./seat.js";

// Error codes by what to do about them; docs/bots.md, "Errors".
const RETRY_LATER = new Set(["unavailable", "busy", "rate_limited", "too_soon"]);
const TOO_LATE = new Set(["stale_ask", "not_asked", "no_table", "not_running", "not_seated", "not_open", "not_allowed"]);
const BAD_MOVE = new Set(["illegal_move", "bad_field", "missing_field", "surplus_field", "unknown_type", "malformed", "too_large"]);
const FATAL = new Set(["bad_token", "bad_version", "bad_name", "banned", "no_game", "not_allowed"]);
const CLOSED_FOR_GOOD = { 4004: "the token was revoked", 4005: "the operator has banned this bot" };
const MAX_PAUSE_MS = 2000; // between two attempts to connect
const MAX_TRIES = 5; // for a request that fails with any other code (P41)
const ANSWER_MS = 30_000; // then the connection counts as dead and is replaced
const MAX_BYTES = 16_384; // of a message, if welcome does not say (P8)
const SILENT_MS = 20_000; // without any message: a ping finds out whether the connection is alive

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The server answered a request with an error. */
export class Refused extends Error {
  constructor(error) {
    super(`${error.code}: ${error.message}${error.field ? ` (field ${error.field})` : ""}${error.rule ? ` (rule ${error.rule})` : ""}`);
    this.name = "Refused";
    this.error = error;
    this.code = error.code;
    this.pauseMs = error.retry_after_ms ?? 500;
  }
}

/** The connection ended before the answer came. */
class Lost extends Error {}

async function socketClass() {
  if (globalThis.WebSocket) return globalThis.WebSocket;
  try {
    return (await import("ws")).default;
  } catch {
    throw new Error("this Node has no WebSocket: use Node 22 or later, or npm install ws");
  }
}

/** The address of the websocket, from the service's address as for a browser or with /ws at its end. */
export function address(url) {
  const found = /^(http|ws)(s?):\/\/(.+?)\/*$/.exec(url);
  if (!found) throw new Refused({ code: "bad_address", message: `${url} is not an address such as http://127.0.0.1:8000/` });
  return `ws${found[2]}://${found[3].replace(/\/ws$/, "")}/ws`;
}

/** One connection for one token, any number of tables. */
export class Bot {
  constructor(url, token, choose, { plays = null, accept = () => true, log = (...words) => console.error(...words) } = {}) {
    Object.assign(this, { url: address(url), token, choose, plays, accept, log });
    this.onEnd = () => {};
    this.welcome = {};
    this.seats = new Map();
    this.answers = new Map();
    this.number = 0;
    this.pauseMs = 50;
    this.stopped = false;
    this.forgetWelcome();
  }

  forgetWelcome() {
    this.welcomed = new Promise((resolve) => (this.setWelcomed = resolve));
  }

  // The connection.

  /** Connect and play until `stop`; reconnect whenever the connection is lost. Throws Refused for a bad token. */
  async run() {
    const WebSocket = await socketClass();
    while (!this.stopped) {
      const why = await this.converse(WebSocket);
      this.lost();
      if (this.stopped) return;
      if (why instanceof Refused) throw why;
      if (!this.silent) this.log(`no connection to ${this.url}: ${why}; reconnecting`);
      this.silent = true;
      await sleep(this.pauseMs * (1 + Math.random()));
      this.pauseMs = Math.min(MAX_PAUSE_MS, this.pauseMs * 2);
    }
  }

  /** Play over one connection; returns why it ended. */
  converse(WebSocket) {
    return new Promise((resolve) => {
      const socket = (this.socket = new WebSocket(this.url));
      socket.binaryType = "arraybuffer";
      let heard = performance.now();
      const watch = setInterval(() => {
        if (performance.now() - heard > SILENT_MS && this.ready) this.request("ping").catch(() => {});
        else if (performance.now() - heard > ANSWER_MS) this.drop("nothing was heard");
      }, SILENT_MS / 4);
      const end = (why) => {
        clearInterval(watch);
        resolve(why);
      };
      this.drop = (why) => {
        socket.onclose = socket.onmessage = null;
        (socket.terminate ?? socket.close).call(socket);
        end(why);
      };
      socket.onopen = () => this.sayHello();
      socket.onerror = (event) => (this.fault = event.message ?? "it cannot be reached");
      socket.onclose = ({ code }) => {
        if (CLOSED_FOR_GOOD[code]) end(new Refused({ code: code === 4004 ? "bad_token" : "banned", message: CLOSED_FOR_GOOD[code] }));
        else end(this.fault ?? `closed with ${code}`);
        this.fault = null;
      };
      socket.onmessage = ({ data }) => {
        heard = performance.now();
        if (typeof data !== "string") this.receive(decode(new Uint8Array(data)), end);
      };
    });
  }

  sayHello() {
    this.send({ type: "hello", id: 0, v: 1, token: this.token, ...(this.plays ? { plays: this.plays } : {}) });
  }

  send(message) {
    if (this.socket?.readyState !== 1) throw new Lost("not connected");
    this.socket.send(this.packed(message));
  }

  /** The frame of a message. Throws Refused for one that the server could not read: it would end the connection. */
  packed(message) {
    let frame;
    try {
      frame = encode(message);
    } catch (fault) {
      throw new Refused({ code: "bad_field", message: `this cannot be sent: ${fault.message}` });
    }
    if (frame.length <= (this.welcome.limits?.frame_bytes ?? MAX_BYTES)) return frame;
    throw new Refused({ code: "too_large", message: `this has ${frame.length} bytes, too many for a message` });
  }

  /** Fail what waits for an answer; tables are opened again after the next welcome. */
  lost() {
    if (this.ready) this.forgetWelcome();
    this.ready = false;
    for (const seat of this.seats.values()) seat.forget();
    for (const { reject } of this.answers.values()) reject(new Lost("the connection was lost"));
    this.answers.clear();
  }

  /** End the connection for good. */
  stop() {
    this.stopped = true;
    this.drop?.("stopped");
  }

  // Requests.

  /** Send a request once; returns its answer. Throws Refused, or another error if the connection is lost. */
  request(type, fields = {}) {
    return new Promise((resolve, reject) => {
      const id = ++this.number;
      const timer = setTimeout(() => this.drop(`no answer to ${type}`), ANSWER_MS);
      const done = (settle) => (value) => (clearTimeout(timer), this.answers.delete(id), settle(value));
      this.answers.set(id, { resolve: done(resolve), reject: done(reject) });
      try {
        this.send({ type, id, ...fields });
      } catch (fault) {
        done(reject)(fault);
      }
    });
  }

  /** Send a request until it succeeds, over new connections if need be. Throws Refused if a retry cannot help. */
  async insist(type, fields = {}) {
    for (let tries = 0; ; ) {
      await this.welcomed;
      try {
        return await this.request(type, fields);
      } catch (fault) {
        if (fault instanceof Lost) await sleep(10);
        else if (!(fault instanceof Refused)) throw fault;
        else if (RETRY_LATER.has(fault.code) || (fault.code === "internal" && ++tries <= MAX_TRIES)) await sleep(fault.pauseMs);
        else throw fault;
      }
    }
  }

  /** Open a table and answer every ask of this bot's seat. */
  async playAt(table) {
    if (!this.seats.has(table)) this.seats.set(table, new Seat(table));
    const { last } = this.seats.get(table);
    try {
      await this.insist("open", last === null ? { table } : { table, last });
    } catch (fault) {
      this.log(`table ${table} cannot be opened: ${fault.message}`);
      this.leave(table);
    }
  }

  leave(table) {
    const seat = this.seats.get(table);
    this.seats.delete(table);
    if (seat) {
      seat.decision = null;
      seat.show(); // wakes a move that waits for the connection, which then sees that its decision is gone
    }
  }

  async invited({ table, game, by }) {
    if (this.seats.has(table)) return;
    const { games, tables = 1 } = this.plays ?? { games: [] };
    if (this.seats.size >= tables || (games && !games.includes(game)) || !this.accept({ table, game, by })) {
      await this.insist("decline", { table });
      return;
    }
    this.seats.set(table, new Seat(table));
    try {
      await this.insist("sit", { table });
    } catch (fault) {
      this.leave(table);
      throw fault;
    }
    await this.playAt(table);
  }

  // Messages from the server.

  receive(message, end) {
    const attempt = (work) => work.catch((fault) => fault instanceof Lost || this.log(fault.message));
    switch (message.type) {
      case "welcome":
        this.welcome = message;
        this.pauseMs = 50;
        this.ready = true;
        this.silent = false;
        this.setWelcomed();
        for (const table of new Set([...this.seats.keys(), ...message.tables])) attempt(this.playAt(table));
        break;
      case "ok":
      case "error":
        this.answered(message, end);
        break;
      case "seated":
        attempt(this.playAt(message.table));
        break;
      case "invited":
        attempt(this.invited(message));
        break;
      case "table":
        this.onTable(message, attempt);
        break;
      case "update":
        this.onUpdate(message, attempt);
        break;
      case "dismissed":
        this.leave(message.table);
        break;
      case "bye":
        this.pauseMs = Math.max(50, message.retry_ms);
    }
  }

  answered(message, end) {
    if (!this.ready && message.id === 0 && message.type === "error") {
      if (FATAL.has(message.code)) end(new Refused(message));
      else sleep(message.retry_after_ms ?? 500).then(() => this.sayHello()).catch(() => {});
      return;
    }
    const waiting = this.answers.get(message.id);
    if (!waiting) {
      if (message.type === "error") this.log(`the server could not read a message: ${message.message}`);
    } else if (message.type === "error") waiting.reject(new Refused(message));
    else waiting.resolve(message);
  }

  onTable(info, attempt) {
    const seat = this.seats.get(info.table);
    if (!seat) return;
    seat.info = info;
    if (seat.early) this.onUpdate(seat.early, attempt);
    if (info.status !== "ended" && info.status !== "closed") return;
    this.leave(info.table);
    attempt(this.request("close", { table: info.table }));
    this.onEnd(info);
  }

  onUpdate(update, attempt) {
    const seat = this.seats.get(update.table);
    if (!seat) return;
    seat.note(update);
    if (!update.view) return; // a missed entry (P27), or the game has not started
    seat.early = seat.info.you === undefined ? update : null;
    if (seat.early) return; // the table message that says which seat this is comes next
    seat.show();
    if (seat.decision && !(update.ask && seat.decision.same(update.ask))) seat.decision = null;
    if (update.ask && !seat.decision) {
      seat.decision = new Decision(update.ask, update.view);
      attempt(this.answer(seat, seat.decision));
    }
  }

  // Decisions.

  async answer(seat, decision) {
    let move, note;
    try {
      [move, note] = parts(await this.choose(seat.turn(decision)));
    } catch (fault) {
      this.log("choose failed; making a random move:", fault);
      move = fill(pick(decision.offers));
    }
    if (!(await this.sendMove(seat, decision, move, note))) {
      this.log("making a random move instead");
      await this.sendMove(seat, decision, fill(pick(decision.offers)));
    }
  }

  /** Send a move until it is answered; false if the server refuses the move itself. */
  async sendMove(seat, decision, move, note) {
    const fields = { table: seat.table, ask: decision.ask, key: decision.key, move, ...(note ? { note: note.slice(0, 200) } : {}) };
    for (let tries = 0; seat.decision === decision && tries <= MAX_TRIES; ) {
      try {
        await this.request("move", fields);
        return true;
      } catch (fault) {
        if (fault instanceof Lost) {
          await sleep(10); // the socket may be closing, with its end not yet announced
          await seat.fresh;
          continue;
        }
        if (!(fault instanceof Refused)) throw fault;
        if (BAD_MOVE.has(fault.code)) {
          this.log("the move was refused:", move, fault.message);
          return false;
        }
        if (TOO_LATE.has(fault.code)) return true;
        if (!RETRY_LATER.has(fault.code)) tries += 1;
        await sleep(fault.pauseMs);
      }
    }
    return true;
  }
}
