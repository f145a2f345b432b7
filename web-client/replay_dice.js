/** Diced Cheese, played again from chance alone: every die that is thrown, and the events that follow from it (games/diced_cheese). */

const FACES = [["goat", 300], ["queso", 300], ["no_gouda", 300], ["tower", 100]]; // in thousandths
const GOES = { goat: "wheel", queso: "queso", no_gouda: "out", tower: "standing" };
const FALLS = 5; // in a thousand dice
const STACKS = 5; // in a thousand rolls
const DICE = 8;
const TOWERS = 5; // win a round
const ROUNDS = 3; // win the game
const PLACES = 1000; // along each side of the table

const numbers = (count) => [...Array(count).keys()];
const fresh = () => numbers(DICE).map(() => ({ face: null, heading: 0, where: "available" }));

function faceOf(drawn) {
  let left = drawn;
  return FACES.find(([, weight]) => (left -= weight) < 0)[0];
}

/** Throw a die with two draws: its face and whether it falls, then its heading and place. */
async function thrown(die, falls, chance) {
  const drawn = await chance.below(1_000_000);
  const lies = await chance.below(360 * PLACES * PLACES);
  const place = lies % (PLACES * PLACES);
  const face = falls && Math.floor(drawn / 1000) < FALLS ? null : faceOf(drawn % 1000);
  return { die, face, heading: Math.floor(lies / (PLACES * PLACES)), x: Math.floor(place / PLACES), y: place % PLACES };
}

async function throwAll(dice, falls, chance) {
  const throws = [];
  for (const die of dice) throws.push(await thrown(die, falls, chance));
  return throws;
}

/** The table as far as chance depends on it. `position` is the state of a game that plays on from another one. */
export class DiceTable {
  constructor({ seats, options }, position = null) {
    this.seats = seats;
    this.variant = options.variant ?? "classic";
    this.classic = this.variant === "classic";
    this.mishaps = this.classic && (options.mishaps ?? true);
    const sets = this.classic ? 1 : seats;
    this.dice = numbers(sets).map(fresh);
    Object.assign(this, { round: 0, turn: null, racing: [], wins: Array(seats).fill(0), rolls: Array(seats).fill(0), needed: Array(seats).fill(null) });
    if (position) {
      const { variant, mishaps, dice, round, turn, racing, wins, rolls, needed } = structuredClone(position);
      Object.assign(this, { variant, mishaps, dice, round, turn, racing, wins, rolls, needed, classic: variant === "classic" });
    }
    this.events = [];
  }

  add(type, fields) {
    this.events.push({ type, ...fields });
  }

  /** The events of the set-up: the seats roll until one has the only tower. */
  async start(chance) {
    this.events = [];
    this.add("opened", { seats: this.seats, variant: this.variant, mishaps: this.mishaps });
    let starters = numbers(this.seats);
    while (this.classic && starters.length > 1) {
      const throws = await throwAll(starters, false, chance);
      this.add("rolled_to_start", { throws });
      const towers = throws.filter(({ face }) => face === "tower").map(({ die }) => die);
      if (towers.length) starters = towers;
    }
    this.beginRound(1, this.classic ? starters[0] : null);
    return this.events;
  }

  /** The events of a move. */
  async play(seat, move, chance) {
    this.events = [];
    const fetches = this.classic && this.numbersAt(seat, "fallen").length > 0;
    if (!(this.classic ? [this.turn] : this.racing).includes(seat) || fetches === (move.type === "roll")) throw new Error("illegal");
    if (move.type === "roll") await (this.classic ? this.roll(seat, chance) : this.race(seat, chance));
    else if (move.type === "fetch") await this.fetch(seat, chance);
    else this.comeLate(seat);
    return this.events;
  }

  setOf = (seat) => this.dice[this.classic ? 0 : seat];
  numbersAt = (seat, ...wheres) => numbers(DICE).filter((die) => wheres.includes(this.setOf(seat)[die].where));
  leftOf = (seat) => (seat + 1) % this.seats;

  land(seat, throws) {
    for (const { die, face, heading } of throws) this.setOf(seat)[die] = { face, heading, where: "thrown" };
  }

  move(seat, wheres) {
    this.setOf(seat).forEach((die, index) => (die.where = wheres[index]));
  }

  beginRound(round, seat) {
    this.add("round_began", { round, seat });
    for (const set of this.dice) for (const die of set) die.where = "available";
    Object.assign(this, { round, turn: seat, racing: seat === null ? numbers(this.seats) : [], rolls: Array(this.seats).fill(0) });
  }

  async roll(seat, chance) {
    const dice = this.numbersAt(seat, "available", "queso");
    const stack = this.mishaps && dice.length > 1 && (await chance.below(1000)) < STACKS;
    const throws = await throwAll(dice, this.mishaps && !stack, chance);
    this.add("rolled", { seat, throws });
    this.land(seat, throws);
    this.rolls[seat] += 1;
    if (!stack) return this.read(seat, throws);
    const [top, under] = await chance.shuffled(dice);
    this.add("stacked", { seat, top, under });
    this.beginRound(this.round + 1, this.leftOf(seat));
  }

  async fetch(seat, chance) {
    const throws = await throwAll(this.numbersAt(seat, "fallen"), true, chance);
    this.add("fetched", { seat, throws });
    this.land(seat, throws);
    this.read(seat, throws);
  }

  comeLate(seat) {
    this.add("came_late", { seat });
    this.move(seat, this.setOf(seat).map(({ where }) => (where === "wheel" ? "wheel" : "available")));
    this.pass(this.leftOf(seat), null);
  }

  pass(seat, pointer) {
    this.add("turn_passed", { seat, pointer });
    this.turn = seat;
  }

  /** Where the dice go after a roll, and the rule that applies. */
  readDice(seat) {
    const wheres = this.setOf(seat).map(({ face, where }) => (where === "thrown" ? GOES[face] : where));
    const count = (where) => wheres.filter((one) => one === where).length;
    if (count("wheel") === DICE) return [wheres, "DIC-6"];
    if (count("standing") >= TOWERS) return [wheres, "DIC-7"];
    if (count("queso")) return [wheres, "DIC-8"];
    return [wheres.map((where) => (where === "wheel" ? "wheel" : "available")), count("standing") ? "DIC-9" : "DIC-10"];
  }

  read(seat, throws) {
    const fallen = throws.filter(({ face }) => face === null).map(({ die }) => die);
    if (fallen.length) {
      this.add("fell", { seat, dice: fallen });
      for (const die of fallen) this.setOf(seat)[die].where = "fallen";
      return;
    }
    const [wheres, rule] = this.readDice(seat);
    this.add("read", { seat, wheres, rule });
    this.move(seat, wheres);
    if (rule === "DIC-6" || rule === "DIC-7") return this.winRound(seat, rule);
    if (rule !== "DIC-10") return;
    const [pointer, ...more] = this.numbersAt(seat, "available");
    if (more.length) return this.pass(this.leftOf(seat), null);
    this.pass(Math.floor((this.setOf(seat)[pointer].heading * this.seats + 180) / 360) % this.seats, pointer);
  }

  winRound(seat, rule) {
    this.add("round_won", { seat, rule });
    this.wins[seat] += 1;
    if (this.wins[seat] < ROUNDS) return this.beginRound(this.round + 1, this.classic ? this.leftOf(seat) : null);
    const places = this.wins.map((wins) => 1 + this.wins.filter((more) => more > wins).length);
    this.end({ places, rule: this.classic ? "DIC-11" : "DIC-15", points: [...this.wins] });
  }

  end(result) {
    this.add("ended", { result });
    this.racing = [];
  }

  async race(seat, chance) {
    const throws = await throwAll(this.numbersAt(seat, "available", "queso"), false, chance);
    this.add("rolled", { seat, throws });
    this.land(seat, throws);
    this.rolls[seat] += 1;
    if (this.variant === "towers") return this.readTowers(seat);
    const [wheres, rule] = this.readDice(seat);
    this.add("read", { seat, wheres, rule });
    this.move(seat, wheres);
    if (rule === "DIC-6" || rule === "DIC-7") return this.winRound(seat, rule);
    if (rule !== "DIC-10") return;
    this.add("started_over", { seat });
    this.move(seat, Array(DICE).fill("available"));
  }

  readTowers(seat) {
    const wheres = this.setOf(seat).map(({ face }) => (face === "tower" ? "standing" : "available"));
    this.add("read", { seat, wheres, rule: "DIC-16" });
    this.move(seat, wheres);
    if (!wheres.includes("available")) {
      this.add("finished", { seat, rolls: this.rolls[seat] });
      this.needed[seat] = this.rolls[seat];
      this.racing = this.racing.filter((other) => other !== seat);
    }
    const known = this.needed.filter((rolls) => rolls !== null);
    if (!known.length) return;
    const best = Math.min(...known);
    for (const other of this.racing.filter((one) => this.rolls[one] >= best)) {
      this.add("stopped", { seat: other });
      this.racing = this.racing.filter((one) => one !== other);
    }
    if (this.racing.length) return;
    const firsts = known.filter((rolls) => rolls === best).length;
    this.end({ places: this.needed.map((rolls) => (rolls === best ? 1 : 1 + firsts)), rule: "DIC-16", points: null });
  }
}
