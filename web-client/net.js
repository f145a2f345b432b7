/**
 * The one connection to the house: requests with one answer each, feeds of tables, and coming back by itself.
 *
 * `request(type, fields)` resolves with the answer or rejects with Refused. What is asked while the connection is
 * away waits for it. A move keeps its key when it is sent again, so it is made once however often it is sent.
 */

import { batch, signal } from "./html.js";
import { Feed } from "./feed.js";
import { keep, kept, suggestion } from "./settings.js";

const { encode, decode } = globalThis.MessagePack;

const LATER = new Set(["unavailable", "busy", "rate_limited", "too_soon", "internal"]);
const MOST_PAUSE_MS = 4000;
const BEAT_MS = 10_000; // how often a silent connection is asked whether it lives
const PATIENCE_MS = 6000; // how long its answer may take
const WELCOME_MS = 15_000; // how long the house may take to open the door

export const link = signal({ state: "connecting", since: Date.now() }); // connecting, open, lost, refused
export const user = signal(null);
export const games = signal([]);
export const titleOf = (name) => games.value.find((one) => one.name === name)?.title ?? name;
export const speeds = signal({});
export const tables = signal(null); // what the lobby lists, by id; null until it has said so
export const mine = signal([]); // tables where a seat of mine is live

const feeds = new Map();
const waiting = new Map(); // id -> {message, resolve, reject}
let socket = null;
let number = 0;
let pause = 250;
let retry = null;
let beat = null;
let lobbyViewers = 0;
let token = kept("token", null); // of this page: another tab may be somebody else by now, and storage may be closed to us

/** The server said no; `error` is its whole answer. */
export class Refused extends Error {
  constructor(error) {
    super(error.message);
    this.error = error;
  }
}

/** Ask for something; waits out a lost connection and the server's "later". */
export function request(type, fields = {}) {
  return new Promise((resolve, reject) => {
    const id = ++number;
    waiting.set(id, { message: { type, id, ...fields }, resolve, reject });
    if (link.value.state === "open") send(waiting.get(id).message);
  });
}

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(encode(message));
  if (waiting.has(message.id)) waiting.get(message.id).sent = true;
}

/** What would be done twice if it were sent twice is not sent again: nobody knows whether it arrived. */
function giveUpDoubtful() {
  for (const [id, { message, sent, reject }] of waiting) {
    if (!sent || !["create", "say", "token"].includes(message.type)) continue;
    waiting.delete(id);
    reject(new Refused({ code: "lost", message: "The connection was lost on the way. Please try again." }));
  }
}

function answered(message) {
  const asked = waiting.get(message.id);
  if (!asked) return;
  if (message.type === "error" && LATER.has(message.code)) {
    const again = () => link.value.state === "open" && waiting.has(message.id) && send(asked.message);
    setTimeout(again, message.retry_after_ms ?? 500); // a lost connection sends it when it is back
    return;
  }
  waiting.delete(message.id);
  if (message.type === "error") asked.reject(new Refused(message));
  else asked.resolve(message);
}

/** Open the connection; from then on it comes back by itself. */
export function connect() {
  clearTimeout(retry);
  if (socket) return;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const [, table] = /^\/t\/([a-z0-9]+)$/.exec(location.pathname) ?? []; // those at one table meet at one node
  const mySocket = (socket = new WebSocket(`${scheme}://${location.host}/ws${table ? `?table=${table}` : ""}`));
  mySocket.binaryType = "arraybuffer";
  mySocket.onopen = () => hello();
  mySocket.onmessage = (frame) => mySocket === socket && heard(decode(new Uint8Array(frame.data)));
  mySocket.onclose = () => mySocket === socket && lost();
  beat = setTimeout(() => lost(), WELCOME_MS);
}

function hello() {
  const who = token ? { token } : { name: kept("name", null) ?? suggestion() };
  send({ type: "hello", id: 0, v: 1, patches: true, ...who });
}

function lost(soon = false) {
  const old = socket;
  socket = null;
  giveUpDoubtful();
  clearTimeout(beat);
  if (old && old.readyState <= WebSocket.OPEN) old.close();
  if (link.value.state === "open") link.value = { state: "lost", since: Date.now() };
  clearTimeout(retry);
  retry = setTimeout(connect, soon ? 0 : pause * (0.5 + Math.random()));
  pause = Math.min(MOST_PAUSE_MS, pause * 1.7);
}

function welcomed(welcome) {
  if (welcome.token) keep("token", (token = welcome.token));
  keep("name", welcome.user.name);
  pause = 250;
  batch(() => {
    user.value = welcome.user;
    games.value = welcome.games;
    speeds.value = welcome.speeds;
    mine.value = welcome.tables;
    link.value = { state: "open", since: Date.now() };
  });
  if (lobbyViewers) send({ type: "lobby", id: ++number, on: true });
  for (const feed of feeds.values()) waiting.delete(feed.opening); // asked for anew below
  for (const { message } of waiting.values()) send(message);
  for (const feed of feeds.values()) openFeed(feed);
  listenForSilence();
}

/** A connection can be dead without saying so: after a sleep, or when the network has changed. */
function listenForSilence() {
  clearTimeout(beat);
  beat = setTimeout(() => {
    send({ type: "ping", id: ++number });
    beat = setTimeout(() => lost(true), PATIENCE_MS);
  }, BEAT_MS);
}

function checkNow() {
  if (link.value.state === "open") {
    clearTimeout(beat);
    send({ type: "ping", id: ++number });
    beat = setTimeout(() => lost(true), 2500);
  } else {
    pause = 250;
    connect();
  }
}

addEventListener("online", checkNow);
addEventListener("offline", () => socket && lost());
addEventListener("visibilitychange", () => document.visibilityState === "visible" && checkNow());

function heard(message) {
  if (link.value.state === "open") listenForSilence();
  switch (message.type) {
    case "welcome":
      return welcomed(message);
    case "ok":
      return answered(message);
    case "error":
      return message.id === 0 ? refusedHello(message) : answered(message);
    case "tables":
      return listed(message);
    case "bye":
      pause = Math.max(50, message.retry_ms);
      return lost();
    case "table":
      noteMine(message);
      return feeds.get(message.table)?.onInfo(message);
    case "update":
      return feeds.get(message.table)?.onUpdate(message);
    case "chat":
      return feeds.get(message.table)?.onChat(message);
  }
}

function refusedHello(error) {
  if (error.code === "bad_token") {
    keep("token", (token = null));
    hello();
  } else if (error.code === "bad_name") {
    keep("name", null);
    hello();
  } else if (LATER.has(error.code)) {
    lost();
  } else {
    clearTimeout(beat);
    link.value = { state: "refused", since: Date.now(), text: error.message };
  }
}

function listed(message) {
  const now = message.whole ? {} : { ...tables.value };
  for (const table of message.tables ?? []) now[table.table] = table;
  const gone = message.gone ?? [];
  for (const id of gone) delete now[id];
  tables.value = now;
  if (mine.value.some((id) => gone.includes(id))) mine.value = mine.value.filter((id) => !gone.includes(id));
}

/** Keep the list of tables where I sit: a seat taken since the welcome belongs to it, a game that is over does not. */
function noteMine(info) {
  const rest = mine.value.filter((id) => id !== info.table);
  const live = info.you !== undefined && (info.status === "open" || info.status === "running");
  if (live || rest.length !== mine.value.length) mine.value = live ? [...rest, info.table] : rest;
}

/** Follow the lobby until the function that is returned is called. */
export function followLobby() {
  if (++lobbyViewers === 1 && link.value.state === "open") send({ type: "lobby", id: ++number, on: true });
  return () => {
    if (--lobbyViewers === 0) send({ type: "lobby", id: ++number, on: false });
  };
}

/** The feed of a table; give it back with `drop`. */
export function follow(table) {
  let feed = feeds.get(table);
  if (!feed) {
    feed = new Feed(table, () => openFeed(feed));
    feeds.set(table, feed);
    if (link.value.state === "open") openFeed(feed);
  }
  feed.users++;
  return feed;
}

export function drop(feed) {
  if (--feed.users > 0) return;
  feeds.delete(feed.id);
  if (link.value.state === "open") send({ type: "close", id: ++number, table: feed.id });
}

function openFeed(feed) {
  const id = ++number;
  const last = feed.last === null ? {} : { last: feed.last };
  const message = { type: "open", id, table: feed.id, ...last };
  const gone = () => waiting.delete(id);
  waiting.set(id, { message, resolve: gone, reject: (no) => (gone(), feed.onRefused(no.error)) });
  if (feed.opening) waiting.delete(feed.opening);
  feed.opening = id;
  send(message);
}

/** Find a table by its code. */
export async function findByCode(code) {
  const found = await request("open", { code });
  send({ type: "close", id: ++number, table: found.table });
  return found.table;
}

/** Make a move: the answer of the server, whatever happens to the connection meanwhile. */
export function move(table, ask, filled) {
  const key = crypto.getRandomValues(new Uint32Array(2)).join("-");
  return request("move", { table, ask, key, move: filled });
}
