/** Chance, computed again from docs/replay.md with the browser's own SHA-256. */

const SPAN = 2 ** 32;

const toBytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

/** The digest of a text, in hex. */
export const digestOf = async (text) => toHex(await sha256(new TextEncoder().encode(text)));

/** The commitment of a seed, both in hex. */
export const commitmentOf = async (seed) => toHex(await sha256(toBytes(seed)));

/** The seed of a game to which seats have added salts, in hex: SHA-256 of the seed, and of each salt after its length. */
export async function saltedSeed(seed, salts) {
  if (!salts.some(Boolean)) return seed;
  const parts = salts.map((salt) => toBytes(salt ?? "")).flatMap((salt) => [salt.length, ...salt]);
  return toHex(await sha256(new Uint8Array([...toBytes(seed), ...parts])));
}

/** The chance of one entry: draws made in order from one sequence of words. `made` lists them as [kind, argument]. */
export class Chance {
  constructor(seed, entry) {
    this.seed = toBytes(seed);
    this.entry = entry;
    this.block = 0;
    this.words = [];
    this.made = [];
  }

  async word() {
    if (!this.words.length) {
      const input = new Uint8Array(this.seed.length + 12);
      input.set(this.seed);
      const numbers = new DataView(input.buffer, this.seed.length);
      numbers.setBigUint64(0, BigInt(this.entry));
      numbers.setUint32(8, this.block++);
      const digest = new DataView((await sha256(input)).buffer);
      this.words = Array.from({ length: 8 }, (_, index) => digest.getUint32(4 * index));
    }
    return this.words.shift();
  }

  async number(count) {
    const top = SPAN - (SPAN % count);
    let word = await this.word();
    while (word >= top) word = await this.word();
    return word % count;
  }

  async below(count) {
    this.made.push(["below", count]);
    return this.number(count);
  }

  async shuffled(items) {
    this.made.push(["shuffled", items]);
    const mixed = [...items];
    for (let place = mixed.length - 1; place > 0; place--) {
      const other = await this.number(place + 1);
      [mixed[place], mixed[other]] = [mixed[other], mixed[place]];
    }
    return mixed;
  }
}
