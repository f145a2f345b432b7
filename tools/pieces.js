/** Draws the pieces of all games as plain SVG: runs in a browser, for `tools/pieces.py`. */

import { h, render } from "preact";
import { Hammer } from "/bids.js";

const PARTS = {
  chesterfield: ["/games/chesterfield_cards.js", ({ CHEESES, Card, Back }) => [...CHEESES.map((card) => [card, h(Card, { card })]), ["back", h(Back)], ["hammer", h(Hammer)]]],
  do_my_bidding: [
    "/games/do_my_bidding_art.js",
    ({ ARTISTS, COLOURS, Painting, valueOf }) => ARTISTS.flatMap((artist) => COLOURS.map((colour) => [`${artist} ${colour}`, h(Painting, { art: { artist, colour, value: valueOf(artist, colour) } })])),
  ],
  diced_cheese: [
    "/games/diced_cheese_faces.js",
    ({ FACES, Face, Wheel }) => [...FACES.map((face) => [face, h(Face, { face })]), ["fresh", h(Face, {})], ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((count) => [`wheel ${count}`, h(Wheel, { filled: [...Array(count).keys()] })])],
  ],
  cheesedog: ["/cards.js", ({ RANKS, Card, Back }) => [...[...RANKS].flatMap((rank) => [..."cdhs"].map((suit) => [rank + suit, h(Card, { card: rank + suit })])), ["back", h(Back)]]],
  cheesonomics: [
    "/games/cheesonomics_pieces.js",
    ({ COLOURS, ANIMALS, Wedge, Side }) => [
      ...ANIMALS.flatMap((animal) => COLOURS.map((colour) => [`${animal}-${colour}`, h(Wedge, { wedge: `${animal}-${colour}` })])),
      ...COLOURS.flatMap((colour) => [colour, `${colour}+`].map((side) => [side, h(Side, { side })])),
    ],
  ],
};

/** What a drawing depends on: with the value that an element has if nobody says anything. */
const INHERITED = { fill: "rgb(0, 0, 0)", stroke: "none", "stroke-width": "1px", "stroke-linecap": "butt", "stroke-linejoin": "miter", "stroke-dasharray": "none", "stroke-dashoffset": "0px", "font-size": "16px", "font-weight": "400", "text-anchor": "start" };
const KEPT = ["d", "x", "y", "cx", "cy", "r", "rx", "ry", "width", "height", "transform", "viewBox"];

const hex = (value) => value.replace(/rgb\((\d+), (\d+), (\d+)\)/, (_, ...parts) => `#${parts.slice(0, 3).map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`);

/** An element with its computed style as attributes. */
function plain(element, inherited) {
  const style = getComputedStyle(element);
  if (style.display === "none") return "";
  const own = Object.fromEntries(Object.keys(INHERITED).map((name) => [name, style.getPropertyValue(name)]));
  const said = Object.entries(own).filter(([name, value]) => value !== inherited[name]).map(([name, value]) => [name, hex(value.replace(/px/g, ""))]);
  if (style.opacity !== "1") said.push(["opacity", style.opacity]);
  if (element.tagName === "text") said.push(["font-family", style.fontFamily.endsWith("sans-serif") ? "sans-serif" : "serif"]);
  const kept = KEPT.filter((name) => element.getAttribute(name)).map((name) => [name, element.getAttribute(name)]);
  const tag = element.tagName;
  const inside = tag === "text" ? element.textContent.replace(/&/g, "&amp;").replace(/</g, "&lt;") : [...element.children].map((child) => plain(child, own)).join("");
  return `<${tag}${[...kept, ...said].map(([name, value]) => ` ${name}="${value}"`).join("")}>${inside}</${tag}>`;
}

/** The pieces of a game: `{name: {box, svg}}`, where `box` is the view box. */
globalThis.drawPieces = async (game) => {
  const [path, list] = PARTS[game];
  const pieces = list(await import(path));
  const place = document.body.appendChild(document.createElement("div"));
  return Object.fromEntries(
    pieces.map(([name, piece]) => {
      render(piece, place);
      const svg = place.querySelector("svg");
      const drawn = [name, { box: svg.getAttribute("viewBox"), svg: [...svg.children].map((child) => plain(child, INHERITED)).join("") }];
      render(null, place);
      return drawn;
    }),
  );
};
globalThis.drawableGames = Object.keys(PARTS);
