/** Filling the blanks of offers at random; every result is a legal move (P30 in docs/protocol.md). */

const below = (n, random) => Math.floor(random() * n);
const between = ({ least, most }, random) => least + below(most - least + 1, random);

function sample(list, count, random) {
  const left = [...list];
  return Array.from({ length: count }, () => left.splice(below(left.length, random), 1)[0]);
}

function filled(blank, random) {
  if (blank === null || typeof blank !== "object" || Array.isArray(blank)) return blank;
  if (!blank.of) return between(blank, random);
  return "least" in blank ? sample(blank.of, between(blank, random), random) : pick(blank.of, random);
}

/** One item of a list, at random. */
export function pick(list, random = Math.random) {
  return list[below(list.length, random)];
}

/** Split what `choose` returned into the move and the note; throws TypeError if it is neither. */
export function parts(chosen) {
  const [move, note] = Array.isArray(chosen) ? chosen : [chosen];
  const isMove = move !== null && typeof move === "object" && !Array.isArray(move);
  if (!isMove || !["string", "undefined"].includes(typeof note)) {
    throw new TypeError(`choose returned ${String(chosen).slice(0, 80)}: expected a move, which is an object, or [move, note]`);
  }
  return [move, note];
}

/** The move that an offer describes, with its blanks filled at random. */
export function fill(offer, random = Math.random) {
  const move = { type: offer.move };
  for (const [name, blank] of Object.entries(offer.fill)) move[name] = filled(blank, random);
  return move;
}
