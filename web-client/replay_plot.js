/** A small plot below the scrubber of a replay: one line for each seat, over the stops of the game. */

import { hueOfSeat } from "./avatar.js";
import { html } from "./html.js";
import { texts } from "./messages/en/replay.js";
import { inRow, translator } from "./messages.js";

const t = translator(texts);

const WIDTH = 1000; // of the drawing, which is stretched to the width of the scrubber
const HEIGHT = 100;

const lettersOf = (name) => name.split(/\s+/).map((word) => [...word][0] ?? "").slice(0, 2).join("").toUpperCase();

/** The points of the game at each stop, by what its renderer calls points; null if it counts nothing. */
export function pointsOf(player, renderer) {
  const at = (stop) => renderer.points?.(player.view(stop)) ?? null;
  const first = at(0);
  if (!first) return null;
  return { label: first.label, least: 0, rows: player.stops.map((_, stop) => at(stop)?.values ?? null) };
}

/** The rows up to this stop, or all of them. */
function shownRows(rows, until) {
  return rows.map((values, stop) => ({ values, stop })).filter(({ values, stop }) => values && stop <= until);
}

/**
 * A plot. `plot` has {label, rows, least, most}: the values of all seats at each stop or null, and the range if it is known before
 * the end of the game. The values beside it are those at the stop `at`. What comes after `until` is not drawn, and does not change
 * the scale either.
 */
export function SeatPlot({ plot, names, at, until, last, format = String }) {
  const rows = shownRows(plot.rows, until);
  const now = rows.findLast(({ stop }) => stop <= at)?.values;
  if (!now) return null;
  const all = rows.flatMap(({ values }) => values);
  const least = Math.min(plot.least ?? Infinity, ...all);
  const most = Math.max(plot.most ?? least + 1, ...all);
  const x = (stop) => (WIDTH * stop) / Math.max(1, last);
  const y = (value) => HEIGHT - (HEIGHT * (value - least)) / (most - least);
  const path = (seat) => rows.map(({ values, stop }, index) => `${index ? "L" : "M"}${x(stop).toFixed(1)} ${y(values[seat]).toFixed(1)}`).join("");
  const order = now.map((value, seat) => ({ value, seat })).sort((a, b) => b.value - a.value || a.seat - b.seat);
  const said = inRow(order.map(({ value, seat }) => t("plot_value", { name: names(seat), value: format(value) })));
  return html`<div class="seat-plot" role="img" aria-label=${t("plot_label", { label: plot.label, values: said })}>
    <svg viewBox=${`0 -4 ${WIDTH} ${HEIGHT + 8}`} preserveAspectRatio="none" aria-hidden="true">
      ${now.map((_, seat) => html`<path key=${seat} d=${path(seat)} style=${{ "--hue": hueOfSeat(seat) }} vector-effect="non-scaling-stroke" />`)}
      ${at < until ? html`<line class="here" x1=${x(at)} x2=${x(at)} y1="0" y2=${HEIGHT} vector-effect="non-scaling-stroke" />` : null}
    </svg>
    <figcaption aria-hidden="true"><span class="what">${plot.label}</span>
      ${order.map(({ value, seat }) => html`<span key=${seat} class="of-seat" title=${names(seat)}><i style=${{ "--hue": hueOfSeat(seat) }}></i>${lettersOf(names(seat))} ${format(value)}</span>`)}
    </figcaption>
  </div>`;
}
