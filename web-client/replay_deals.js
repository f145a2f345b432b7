/**
 * How each card game deals: all of its chance is in the first event of its set-up, `dealt`.
 *
 * The components are listed here in the order of docs/replay.md, "The draws of each game". So this page takes nothing from the server but the
 * seats, the options and the seed, and makes the whole event from them.
 */

const numbers = (count) => [...Array(count).keys()];
const repeated = (item, count) => Array(count).fill(item);
const sorted = (items) => [...items].sort();

/** Cut cards into packets of these sizes, from the top; the last packet has the rest. */
function cut(cards, sizes) {
  const packets = [];
  let start = 0;
  for (const size of sizes) packets.push(cards.slice(start, (start += size)));
  return [...packets, cards.slice(start)];
}

// Cheesedog.

const PACK = [..."cdhs"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));
const ROW = 4; // cards in each row before a seat

async function cheesedog({ seats }, chance) {
  const dealer = await chance.below(seats);
  const deck = await chance.shuffled([...PACK, ...PACK]);
  const rows = cut(deck, repeated(ROW, 2 * seats));
  const rest = rows.pop();
  const first = (seat) => (seat - dealer - 1 + seats) % seats;
  const hands = numbers(seats).map((seat) => rest.filter((_, index) => index % seats === first(seat)));
  return { dealer, hands, ups: rows.slice(seats), downs: rows.slice(0, seats) };
}

// Chesterfield Charity Cheese Auction.

const KINDS = [["Cheddar", 7], ["Gruyere", 7], ["Pecorino", 6], ["Feta", 6], ["Roquefort", 5], ["Emmental", 5], ["Camembert", 4], ["Bleu", 4]];
const FOUR = 4; // reserved cards, cards of a hand, cards on the block

async function chesterfield({ seats }, chance) {
  const first = await chance.below(seats);
  const deck = await chance.shuffled(KINDS.flatMap(([cheese, count]) => repeated(cheese, count)));
  const [reserved, ...packets] = cut(deck, repeated(FOUR, seats + 2));
  return { first, reserved, hands: packets.slice(0, seats), block: packets[seats], deck: packets[seats + 1] };
}

// Do My Bidding.

const ARTISTS = ["Monet", "Cassatt", "Hokusai", "Kahlo", "O'Keeffe", "Van Gogh", "Vermeer"];
const PAINTS = ["pink", "red", "orange", "yellow", "green", "blue", "violet"];
const ARTS = ARTISTS.flatMap((artist, i) => PAINTS.map((colour, j) => ({ artist, colour, value: 1 + ((i + j + 5) % 7) })));

async function doMyBidding({ seats }, chance) {
  const [starts, box] = cut(await chance.shuffled(ARTS.filter(({ value }) => value === 1)), [seats]);
  const token = await chance.below(seats);
  return { token, starts, box, deck: await chance.shuffled(ARTS.filter(({ value }) => value > 1)) };
}

// Cheesonomics.

const COLOURS = ["red", "orange", "yellow", "green", "blue"];
const ANIMALS = ["cow", "sheep", "goat", "yak", "reindeer"];
const KNIVES = ["cheddar", "Edam", "feta", "Gouda", "parmesan"];
const CHEESE = ANIMALS.flatMap((animal) => COLOURS.flatMap((colour) => ["", "", "*", "*"].map((mark) => `${animal}-${colour}${mark}`)));
const BACKS = [[1, "", ""], [2, "", "+"], [3, "", ""], [4, "", ""], [1, "+", ""]]; // steps to the other colour, and the ribbons of both sides
const MARKET = COLOURS.flatMap((colour, index) => BACKS.map(([step, front, back]) => {
  const other = (index + step) % COLOURS.length;
  const sides = [colour + front, COLOURS[other] + back];
  return (other < index ? sides.reverse() : sides).join("/");
}));
const HAND = 5;
const LAID = 15; // wedges of the market
const REMOVED = { 2: 60, 3: 40, 4: 20, 5: 0 };
const SUPPLY = { 2: 5, 3: 3, 4: 2, 5: 2 };

async function cheesonomics({ seats, options }, chance) {
  const sharp = options.variant === "sharp";
  const knives = (await chance.shuffled(KNIVES)).slice(0, seats);
  const [out, ...hands] = cut(await chance.shuffled(CHEESE), [REMOVED[seats], ...repeated(HAND, seats)]);
  const pile = hands.pop();
  const [laid, left] = cut(await chance.shuffled(MARKET), [LAID]);
  const sides = [];
  for (const wedge of laid) sides.push((await chance.below(2)) ? wedge.split("/") : wedge.split("/").reverse());
  const supplies = cut(left, repeated(sharp ? SUPPLY[seats] : 0, seats));
  const rest = supplies.pop();
  const order = knives.map((knife) => KNIVES.indexOf(knife));
  return {
    sharp, start: order.indexOf(Math.min(...order)), knives, hands: hands.map(sorted), pile, out,
    market: sides.map(([up]) => up), downs: sides.map(([, down]) => down),
    supplies: supplies.map(sorted), discard: sharp ? sorted(rest) : [], spare: sharp ? [] : rest,
  };
}

/** By game: the fields of the event `dealt`, from the head of the replay file and the chance of the entry that starts the game. */
export const DEALS = { cheesedog, chesterfield, do_my_bidding: doMyBidding, cheesonomics };
