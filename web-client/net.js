/**
 * The one connection to the server: requests with one answer each, feeds of tables, and automatic reconnection.
 *
 * `request(type, fields)` resolves with the answer or rejects with Refused. Requests made while the connection is lost
 * wait until it is back. A move keeps its idempotency key when it is sent again, so it is made once.
 */

import "@msgpack/msgpack";
import { batch, signal } from "./html.js";
import { keepCommitment, keepSalt, newSalt } from "./commitments.js";
import { Feed } from "./feed.js";
import { hearsWatchers, load, namedWatcher, save, suggestName } from "./settings.js";
import { told } from "./told.js";
import { texts } from "./messages/en/page.js";
import { translator } from "./messages.js";

const t = translator(texts);

const { encode, decode } = globalThis.MessagePack;

const RETRY_CODES = new Set(["unavailable", "busy", "rate_limited", "too_soon", "internal"]);
const MAX_INTERNAL = 3; // an `internal` error that comes so often is shown: trying again does not help
const SALTED = ["create", "play_on", "sit", "rematch"]; // the seat adds its own chance to the game (P56)
const NOT_IDEMPOTENT = ["create", "play_on", "say", "token", "report", "advise", "rotate", "forget"];
const MIN_RETRY_MS = 250;
const MAX_RETRY_MS = 4000;
const PATIENCE_MS = 10_000; // a request that may be sent again only after longer than this is refused
const HEARTBEAT_MS = 10_000; // after this long without a message, send a ping
const PING_TIMEOUT_MS = 6000;
const WELCOME_TIMEOUT_MS = 15_000; // from connecting to welcome

export const connection = signal({ state: "connecting", since: Date.now() }); // connecting, unanswered, open, lost, refused
export const user = signal(null);
export const games = signal(toldGames(JSON.parse(document.getElementById("catalogue").textContent))); // welcome replaces it
export const speeds = signal({}); // milliseconds for a decision at each speed, null for no limit
export const levels = signal({}); // the levels of house bots, in words
export const titleOf = (name) => games.value.find((one) => one.name === name)?.title ?? name;
export const tables = signal(null); // the tables of the lobby, by id; null until the first list has come
export const myTables = signal([]); // ids of tables at which I have a seat in a game that is not over

const feeds = new Map();
const pending = new Map(); // id -> {message, resolve, reject, sent}
let socket = null;
let lastId = 0;
let retryMs = MIN_RETRY_MS;
let retryTimer = null;
let heartbeatTimer = null;
let lobbyUsers = 0;
let token = load("token", null); // kept here too: another tab may have replaced the stored one, and storage may be blocked

/** The games of the catalogue, with what the server says about them in the language of the page. */
function toldGames(games) {
  const inDepth = (value) => (Array.isArray(value) ? value.map(inDepth) : typeof value === "string" ? told(value) : value);
  return games.map((game) => {
    const { about } = game;
    if (!about) return { ...game, blurb: told(game.blurb) };
    const choices = Object.fromEntries(Object.entries(about.choices ?? {}).map(([name, values]) => [name, inDepth(values)]));
    return { ...game, blurb: told(game.blurb), about: { ...about, weight: told(about.weight), how: inDepth(about.how), choices } };
  });
}

/** The server refused a request; `answer` is its whole error message. */
export class Refused extends Error {
  constructor(answer) {
    super(told(answer.message));
    this.answer = answer;
  }
}

/** Send a request, and send it again after a lost connection or an error that allows a retry. */
export function request(type, fields = {}) {
  const salt = SALTED.includes(type) ? { salt: newSalt() } : {};
  return new Promise((resolve, reject) => {
    const id = ++lastId;
    pending.set(id, { message: { type, id, ...salt, ...fields }, resolve, reject });
    if (connection.value.state === "open") send(pending.get(id).message);
  });
}

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(encode(message));
  if (pending.has(message.id)) pending.get(message.id).sent = true;
}

/** Reject requests that were sent but not answered, and that would be done twice if they were sent again. */
function rejectUnsafeRetries() {
  for (const [id, { message, sent, reject }] of pending) {
    if (!sent || !NOT_IDEMPOTENT.includes(message.type)) continue;
    pending.delete(id);
    reject(new Refused({ code: "lost", message: t("lost_request") }));
  }
}

function onAnswer(message) {
  const unanswered = pending.get(message.id);
  if (!unanswered) return;
  if (message.type === "error" && message.code === "internal") unanswered.internal = (unanswered.internal ?? 0) + 1;
  const hopeless = unanswered.internal >= MAX_INTERNAL || (message.retry_after_ms ?? 0) > PATIENCE_MS;
  if (message.type === "error" && RETRY_CODES.has(message.code) && !hopeless && unanswered.message.type !== "advise") {
    const retry = () => connection.value.state === "open" && pending.has(message.id) && send(unanswered.message);
    setTimeout(retry, message.retry_after_ms ?? 500); // if the connection is lost by then, onWelcome sends it
    return;
  }
  pending.delete(message.id);
  if (message.type === "ok" && unanswered.message.salt) keepSalt(unanswered.message, message);
  if (message.type === "error") unanswered.reject(new Refused(message));
  else unanswered.resolve(message);
}

/** Open the connection. From then on it reconnects by itself. */
export function connect() {
  clearTimeout(retryTimer);
  if (socket) return;
  const mySocket = (socket = firstSocket() ?? globalThis.openSocket());
  mySocket.binaryType = "arraybuffer";
  if (mySocket.readyState === WebSocket.OPEN) sendHello();
  else mySocket.onopen = () => sendHello();
  mySocket.onmessage = (frame) => mySocket === socket && onMessage(decode(new Uint8Array(frame.data)));
  mySocket.onclose = () => mySocket === socket && onLost();
  heartbeatTimer = setTimeout(() => onLost(), WELCOME_TIMEOUT_MS);
}

/** The connection that index.html has begun to open, unless it was used or has failed; nothing is received before hello. */
function firstSocket() {
  const first = globalThis.firstSocket;
  globalThis.firstSocket = null;
  return first && first.readyState <= WebSocket.OPEN ? first : null;
}

function sendHello() {
  const who = token ? { token } : { name: load("name", null) ?? suggestName() };
  send({ type: "hello", id: 0, v: 1, patches: true, ...who });
}

function onLost(retryNow = false) {
  const old = socket;
  socket = null;
  rejectUnsafeRetries();
  clearTimeout(heartbeatTimer);
  if (old && old.readyState <= WebSocket.OPEN) old.close();
  const after = { open: "lost", connecting: "unanswered" }[connection.value.state];
  if (after) connection.value = { state: after, since: Date.now() };
  clearTimeout(retryTimer);
  retryTimer = setTimeout(connect, retryNow ? 0 : retryMs * (0.5 + Math.random()));
  retryMs = Math.min(MAX_RETRY_MS, retryMs * 1.7);
}

function onWelcome(welcome) {
  if (welcome.token) save("token", (token = welcome.token));
  save("name", welcome.user.name);
  retryMs = MIN_RETRY_MS;
  batch(() => {
    user.value = welcome.user;
    games.value = toldGames(welcome.games);
    speeds.value = welcome.speeds;
    levels.value = welcome.levels ?? {};
    myTables.value = welcome.tables;
    connection.value = { state: "open", since: Date.now() };
  });
  if (lobbyUsers) send({ type: "lobby", id: ++lastId, on: true });
  for (const feed of feeds.values()) pending.delete(feed.opening); // sendOpen below sends a new request
  for (const { message } of pending.values()) send(message);
  for (const feed of feeds.values()) sendOpen(feed);
  restartHeartbeat();
}

/** A connection can be dead without an event, for example after sleep or a change of network. */
function restartHeartbeat() {
  clearTimeout(heartbeatTimer);
  heartbeatTimer = setTimeout(() => {
    send({ type: "ping", id: ++lastId });
    heartbeatTimer = setTimeout(() => onLost(true), PING_TIMEOUT_MS);
  }, HEARTBEAT_MS);
}

function checkConnection() {
  if (connection.value.state === "open") {
    clearTimeout(heartbeatTimer);
    send({ type: "ping", id: ++lastId });
    heartbeatTimer = setTimeout(() => onLost(true), 2500);
  } else {
    retryMs = MIN_RETRY_MS;
    connect();
  }
}

addEventListener("online", checkConnection);
addEventListener("offline", () => socket && onLost());
addEventListener("visibilitychange", () => document.visibilityState === "visible" && checkConnection());

function onMessage(message) {
  if (connection.value.state === "open") restartHeartbeat();
  switch (message.type) {
    case "welcome":
      return onWelcome(message);
    case "ok":
    case "advice":
      return onAnswer(message);
    case "error":
      return message.id === 0 ? onHelloRefused(message) : onAnswer(message);
    case "tables":
      return onTables(message);
    case "bye":
      retryMs = Math.max(50, message.retry_ms);
      return onLost();
    case "table":
      updateMyTables(message);
      keepCommitment(message);
      return feeds.get(message.table)?.onInfo(message, user.value?.id);
    case "update":
      return feeds.get(message.table)?.onUpdate(message);
    case "chat":
      return feeds.get(message.table)?.onChat(message);
    case "dismissed":
      myTables.value = myTables.value.filter((id) => id !== message.table);
      return feeds.get(message.table)?.onRefused({ code: message.reason });
  }
}

function onHelloRefused(error) {
  if (error.code === "bad_token") {
    const stored = load("token", null); // another tab may have replaced it
    if (stored && stored !== token) token = stored;
    else save("token", (token = null));
    sendHello();
  } else if (error.code === "bad_name") {
    save("name", null);
    sendHello();
  } else if (RETRY_CODES.has(error.code)) {
    retryMs = Math.max(retryMs, 2 * (error.retry_after_ms ?? 0)); // onLost waits for at least half of it
    onLost();
  } else {
    clearTimeout(heartbeatTimer);
    socket = null; // do not connect again by itself
    connection.value = { state: "refused", since: Date.now(), text: error.code === "banned" ? told(error.message) : "" };
  }
}

function onTables(message) {
  const now = message.whole ? {} : { ...tables.value };
  for (const table of message.tables ?? []) now[table.table] = table;
  const gone = message.gone ?? [];
  for (const id of gone) delete now[id];
  tables.value = now;
  if (myTables.value.some((id) => gone.includes(id))) myTables.value = myTables.value.filter((id) => !gone.includes(id));
}

/** Add a table to my tables when I take a seat there, and remove it when its game is over. */
function updateMyTables(info) {
  const others = myTables.value.filter((id) => id !== info.table);
  const live = info.you !== undefined && (info.status === "open" || info.status === "running");
  if (live || others.length !== myTables.value.length) myTables.value = live ? [...others, info.table] : others;
}

/** Start the feed of the lobby; the function that is returned ends it. */
export function followLobby() {
  if (++lobbyUsers === 1 && connection.value.state === "open") send({ type: "lobby", id: ++lastId, on: true });
  return () => {
    if (--lobbyUsers === 0) send({ type: "lobby", id: ++lastId, on: false });
  };
}

/** Return the feed of a table, and open it if it is not open yet. Call `closeFeed` when you no longer need it. */
export function openFeed(table) {
  let feed = feeds.get(table);
  if (!feed) {
    const fetchPast = (before) => request("history", { table, ...(before ? { before } : {}) });
    feed = new Feed(table, () => sendOpen(feed), fetchPast);
    feeds.set(table, feed);
    if (connection.value.state === "open") sendOpen(feed);
  }
  feed.users++;
  return feed;
}

/** Close a feed when its last user calls this. */
export function closeFeed(feed) {
  if (--feed.users > 0) return;
  feeds.delete(feed.id);
  if (connection.value.state === "open") send({ type: "close", id: ++lastId, table: feed.id });
}

function sendOpen(feed) {
  const id = ++lastId;
  const last = feed.last === null ? {} : { last: feed.last };
  const wishes = { ...(namedWatcher.value ? { named: true } : {}), ...(hearsWatchers.value ? { crowd: true } : {}) };
  const message = { type: "open", id, table: feed.id, ...last, ...wishes };
  const done = () => pending.delete(id);
  pending.set(id, { message, resolve: done, reject: (error) => (done(), feed.onRefused(error.answer)) });
  if (feed.opening) pending.delete(feed.opening);
  feed.opening = id;
  send(message);
}

/** Find a table by its code and return its id. */
export async function findByCode(code) {
  const found = await request("open", { code });
  send({ type: "close", id: ++lastId, table: found.table });
  return found.table;
}

/** Get a new token, which logs out all other browsers and devices that use the old one. */
export async function replaceToken() {
  save("token", (token = (await request("rotate")).token));
}

/** Everything that the server keeps of me. */
export const keptOfMe = async () => (await request("kept")).kept;

/** Delete my account on the server, and come back as a new guest. */
export async function deleteAccount() {
  await request("forget");
  save("token", (token = null));
  save("name", null);
}

/** Make a move. The promise resolves with the answer, even if the connection is lost meanwhile. */
export function move(table, ask, filled) {
  const key = crypto.getRandomValues(new Uint32Array(2)).join("-");
  return request("move", { table, ask, key, move: filled });
}
