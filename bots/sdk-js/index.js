/** The SDK for authors of bots in JavaScript: write `choose(turn)` and call `run`. README.md explains it. */

import { Bot, Refused, address } from "./connection.js";
import { fill, pick } from "./offers.js";

export { Bot, Refused, address, fill, pick };

/** The number of seats nearest to the wanted one that the game allows. */
function seatsOf(bot, game, wanted) {
  const found = bot.welcome.games.find((one) => one.name === game);
  return found ? Math.min(found.seats[1], Math.max(found.seats[0], wanted)) : wanted;
}

async function sitDown(bot, { join, game, practice, seats = 4 }) {
  await bot.welcomed;
  if (join) {
    const { table } = await bot.insist("open", { code: join });
    await bot.insist("sit", { table });
    return table;
  }
  if (game) return (await bot.insist("create", { game, seats: seatsOf(bot, game, seats), bots: "rookie" })).table;
  const wanted = seatsOf(bot, practice, seats);
  const { table } = await bot.insist("practice", { game: practice, seats: wanted });
  bot.log(`waiting at table ${table} until it has ${wanted} bots`);
  return table;
}

function result(info) {
  const places = info.result?.places;
  return places && info.you !== undefined ? `is over: place ${places[info.you]} of ${places.length}` : `is ${info.status}`;
}

/** Play with this `choose`; returns the last `table` message of each finished table. */
export async function run(choose, url, token, options = {}) {
  const { join, game, practice, games, tables = 1, times = Infinity, accept, log = (...words) => console.error(...words) } = options;
  const waits = !(join || game || practice);
  const plays = waits ? { ...(games ? { games } : {}), tables } : null;
  const bot = new Bot(url, token, choose, { plays, accept, log });
  const finished = [];
  let ended = () => {};
  bot.onEnd = (info) => {
    log(`${info.game} at table ${info.table} ${result(info)}`);
    finished.push(info);
    ended(info.table);
  };
  const follow = async () => {
    await bot.welcomed;
    log(`connected as ${bot.welcome.user.name}`);
    if (waits) return new Promise(() => {});
    for (let left = practice ? times : 1; left > 0; left -= 1) {
      const over = new Set();
      let wake;
      const end = new Promise((resolve) => (wake = resolve));
      let mine = null;
      ended = (table) => (over.add(table), table === mine && wake());
      mine = await sitDown(bot, options);
      if (!over.has(mine)) await bot.playAt(mine);
      if (!over.has(mine)) await end;
    }
  };
  try {
    await Promise.race([bot.run(), follow()]);
  } finally {
    bot.stop();
  }
  return finished;
}
