/** Sentences: what an offer does and what an event says, in a game's own words or in plain ones. */

const plain = (name) => String(name).replaceAll("_", " ");
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Names by seat; one's own seat is "You". Sentences are in the past tense, so that both fit. */
export function namesOf(info) {
  return (seat) => {
    if (seat === null || seat === undefined) return "Nobody";
    return seat === info?.you ? "You" : (info?.seats[seat]?.name ?? `Seat ${seat + 1}`);
  };
}

/** A value of a move or an event in words. */
export function valueText(value, field, words, names) {
  const own = words?.value?.(field, value, names);
  if (own !== undefined && own !== null) return own;
  if (value === null || value === undefined) return "nothing";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (Array.isArray(value)) {
    if (!value.length) return "none";
    return value.map((item) => valueText(item, field, words, names)).join(", ");
  }
  if (typeof value === "object") {
    const parts = Object.entries(value).filter(([name]) => name !== "type");
    return parts.map(([name, item]) => `${plain(name)} ${valueText(item, name, words, names)}`).join(", ");
  }
  if ((field === "seat" || field === "to") && Number.isInteger(value) && names) return names(value);
  return plain(value);
}

/** What an event says; null if it is not worth a line. */
export function eventText(event, words, names, view) {
  const own = words?.events?.[event.type];
  if (own) return own(event, names, view);
  const { type, seat, ...rest } = event;
  const parts = Object.entries(rest).map(([name, value]) => `${plain(name)}: ${valueText(value, name, words, names)}`);
  const who = seat === undefined ? "" : `${names(seat)} · `;
  const text = `${who}${plain(type)}${parts.length ? ` (${parts.join("; ")})` : ""}`;
  return capital(text.length > 160 ? `${text.slice(0, 157)}...` : text);
}

/** What an offer would do. */
export function offerText(offer, words, names, view) {
  const own = words?.offers?.[offer.move];
  if (own) return own(offer, names, view);
  const parts = Object.entries(offer.fill).map(([name, blank]) => `${plain(name)} ${blankText(blank, name, words, names)}`);
  return capital(`${plain(offer.move)}${parts.length ? `: ${parts.join(", ")}` : ""}`);
}

function blankText(blank, field, words, names) {
  if (!isBlank(blank)) return valueText(blank, field, words, names);
  if (!blank.of) return blank.least === blank.most ? `${blank.least}` : `${blank.least} to ${blank.most}`;
  if (blank.least === undefined) return "one of several";
  return blank.least === blank.most ? `${blank.least} of these` : `${blank.least} to ${blank.most} of these`;
}

/** Whether a field of an offer is a blank: literals are never maps. */
export const isBlank = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** The short name of a move, for its button. */
export const moveName = (move, words) => words?.moves?.[move] ?? capital(plain(move));
export { capital, plain };
