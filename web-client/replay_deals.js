/**
 * Where each game puts what chance gave: compares the draws of an entry with its events, as its rules in games/ say.
 *
 * A function gets the events, the draws ([{kind, of, gave}]) and the head of the replay file. It returns whether they agree.
 */

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const sorted = (items) => [...items].sort();

/** Cut cards into packets of these sizes; the last packet has the rest. */
function cut(cards, sizes) {
  const packets = [];
  let start = 0;
  for (const size of sizes) packets.push(cards.slice(start, (start += size)));
  return [...packets, cards.slice(start)];
}

const ROW = 4; // Cheesedog: cards in each row before a seat
const HAND = 5; // Cheesonomics
const MARKET_WEDGES = 15;
const FACES = [["goat", 300], ["queso", 300], ["no_gouda", 300], ["tower", 100]]; // Diced Cheese, in thousandths
const FALLS = 5;
const PLACES = 1000; // along each side of the table

function cheesedog([dealt], [dealer, shuffle], { seats }) {
  const deck = shuffle.gave;
  const row = (index) => deck.slice(index * ROW, (index + 1) * ROW);
  const all = [...Array(seats).keys()];
  const rest = deck.slice(2 * seats * ROW);
  const first = (seat) => (seat - dealer.gave - 1 + 2 * seats) % seats;
  const hand = (seat) => rest.filter((_, index) => index % seats === first(seat));
  return same([dealt.dealer, dealt.downs, dealt.ups, dealt.hands], [dealer.gave, all.map(row), all.map((seat) => row(seats + seat)), all.map(hand)]);
}

function chesterfield([dealt], [first, shuffle], { seats }) {
  const [reserved, ...others] = cut(shuffle.gave, [dealt.reserved.length, ...dealt.hands.map((hand) => hand.length), dealt.block.length]);
  return dealt.hands.length === seats && same([dealt.first, dealt.reserved, ...dealt.hands, dealt.block, dealt.deck], [first.gave, reserved, ...others]);
}

function doMyBidding([dealt], [ones, token, deck], { seats }) {
  const [starts, box] = cut(ones.gave, [seats]);
  return same([dealt.token, dealt.starts, dealt.box, dealt.deck], [token.gave, starts, box, deck.gave]);
}

function cheesonomics([dealt], [knives, cheese, market, ...turned], { seats }) {
  const [out, ...packets] = cut(cheese.gave, [dealt.out.length, ...Array(seats).fill(HAND)]);
  const pile = packets.pop();
  const [laid, left] = cut(market.gave, [MARKET_WEDGES]);
  const sides = laid.map((wedge, index) => (turned[index].gave ? wedge.split("/") : wedge.split("/").reverse()));
  const kept = [...dealt.supplies.flat(), ...dealt.discard, ...dealt.spare];
  return (
    same([dealt.knives, dealt.out, dealt.hands, dealt.pile], [knives.gave.slice(0, seats), out, packets.map(sorted), pile]) &&
    same([dealt.market, dealt.downs, sorted(kept)], [sides.map(([up]) => up), sides.map(([, down]) => down), sorted(left)])
  );
}

function faceOf(drawn) {
  let left = drawn;
  return FACES.find(([, weight]) => (left -= weight) < 0)[0];
}

/** Two draws for each die that was thrown: its face and whether it falls, then its heading and place. */
function dicedCheese(events, draws) {
  const throws = events.flatMap((event) => event.throws ?? []);
  const faces = draws.filter((draw) => draw.kind === "below" && draw.of === 1_000_000);
  const places = draws.filter((draw) => draw.kind === "below" && draw.of === 360 * PLACES * PLACES);
  const fits = (thrown, index) => {
    const [fall, drawn] = [Math.floor(faces[index].gave / 1000), faces[index].gave % 1000];
    const place = places[index].gave % (PLACES * PLACES);
    const lies = [Math.floor(places[index].gave / (PLACES * PLACES)), Math.floor(place / PLACES), place % PLACES];
    const face = thrown.face === null ? fall < FALLS : thrown.face === faceOf(drawn);
    return face && same([thrown.heading, thrown.x, thrown.y], lies);
  };
  const stacked = events.find((event) => event.type === "stacked");
  const order = draws.find((draw) => draw.kind === "shuffled")?.gave;
  const stack = stacked ? Boolean(order) && same([stacked.top, stacked.under], order.slice(0, 2)) : !order;
  return throws.length === faces.length && throws.length === places.length && throws.every(fits) && stack;
}

/** By game; and the events that only chance can bring about, so that none of them can be without draws. */
export const DEALS = { cheesedog, chesterfield, do_my_bidding: doMyBidding, cheesonomics, diced_cheese: dicedCheese };
export const BY_CHANCE = new Set(["dealt", "rolled_to_start", "rolled", "fetched", "stacked"]);
