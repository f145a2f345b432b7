// Measurements of a table's page for test_layout.py: `layout.places()`, `layout.faults()` and `layout.cutTexts()`.

globalThis.layout = (() => {
  const FIXED = [
    ".bar", ".board", ".news", ".hand", ".controls", ".controls .seat .ring", ".rim .seat", // the frame
    ".pile", ".slate", ".my-rows", // Cheesedog
    ".me.watcher", ".watch-line", ".take-over", ".take-over .do", // a watcher
    "form.bid-bar > .bid-amount", "form.bid-bar > [type=submit]", "form.bid-bar > button.drop", // bidding
    ".stage > .under", ".stage .plaque", ".block", // Chesterfield
    ".wall", ".easel .plaque", ".shown", ".desk", // Do My Bidding
    ".wheel-place", ".felt", ".rivals > li", ".rivals .wheel", ".dice-table > .legend", ".throw", // Diced Cheese
    ".market-place", ".prices", ".space", ".mine-row", // Cheesonomics
  ];
  const SEAT_PARTS = ".name, .badge, .paddle, .ring, .chip, .laid, .painting, .for, .stake, .rival, .small-wheels .wedge";
  const BOARD_PARTS = ".lying, .under > *, .block .lot, .shown .painting, .market-place, .prices, .space, .felt, .wheel-place, .rivals > li, .rivals .wheel, .rival-name, .plaque, .slate, .discard .count";
  const INSIDE = [ // [a frame, what must be inside it, by how many pixels it may exceed it]
    [".felt", ".die:not(.gone)", 8],
    [".me > .hand", ".me > .hand :is(.card, .lot-card, .painting)", 3],
    [".buttons", ".buttons button", 3],
    [".legend", ".legend :is(.legend-name, b)", 3],
    [".desk", ".desk q", 0],
    [".board", `.board :is(${BOARD_PARTS})`, 3],
  ];

  const boxOf = (one) => one.getBoundingClientRect();
  const nameOf = (one) => `${one.className.baseVal ?? one.className} "${(one.ariaLabel ?? one.textContent).slice(0, 40)}"`;
  const shown = (query, under = document) => [...under.querySelectorAll(query)].filter((one) => one.checkVisibility() && boxOf(one).width > 0);

  function exceeds(one, edge, slack) {
    const box = boxOf(one);
    return box.left < edge.left - slack || box.top < edge.top - slack || box.right > edge.right + slack || box.bottom > edge.bottom + slack;
  }

  function overlap(one, other) {
    const [a, b] = [boxOf(one), boxOf(other)];
    return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  }

  /** Whether a click on the middle of a control, or near its left or upper edge, reaches it. */
  function reachable(one) {
    const box = boxOf(one);
    const spots = [0.5, 0.12].flatMap((right) => [0.5, 0.15].map((down) => [box.left + box.width * right, box.top + box.height * down]));
    return spots.some(([x, y]) => one.contains(document.elementFromPoint(x, y)));
  }

  /** The position and size of everything that must not move, by name. */
  function places() {
    const found = {};
    for (const query of FIXED) {
      shown(`.page.table ${query}`).forEach((one, at) => {
        const { x, y, width, height } = boxOf(one);
        found[`${query} ${at}`] = [x, y, width, height].map((number) => Math.round(number * 2) / 2).join(" ");
      });
    }
    return found;
  }

  function seatFaults(faults) {
    const seats = shown(".rim .seat");
    for (const [at, seat] of seats.entries()) {
      for (const one of shown(SEAT_PARTS, seat)) if (exceeds(one, boxOf(seat), 3)) faults.push(`outside its seat: ${nameOf(one)}`);
      for (const one of shown(".for, .badges, .stake", seat)) if (one.scrollWidth > one.clientWidth + 1) faults.push(`cut off: ${nameOf(one)}`);
      for (const other of seats.slice(at + 1)) if (overlap(seat, other)) faults.push(`overlap: ${nameOf(seat)} and ${nameOf(other)}`);
    }
  }

  /** The controls that can be used now, but cannot be clicked because something lies over them. */
  function covered() {
    const usable = shown(".page.table > :is(.board, .me) .can").filter((one) => !one.disabled && one.ariaDisabled !== "true");
    return usable.filter((one) => !reachable(one)).map((one) => `covered: ${nameOf(one)}`);
  }

  /** The controls and the latest event, if the hint for new players lies over them or over the lower half of a control. */
  function coveredByHint() {
    const [hint, story] = [".coach", ".news .just"].map((query) => shown(query)[0]);
    const half = (one) => ({ getBoundingClientRect: () => ({ ...boxOf(one).toJSON(), bottom: boxOf(one).top + 0.6 * boxOf(one).height }) });
    const cans = shown(".page.table > :is(.board, .me) .can").filter((one) => hint && overlap(hint, half(one)));
    return [...covered(), ...[...cans, ...(hint && story && overlap(hint, story) ? [story] : [])].map((one) => `covered: ${nameOf(one)}`)];
  }

  /** The texts on the board whose frames are too small for them. */
  function clipped() {
    const isCut = (one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 3;
    return shown(".page.table :is(.plaque, .slate, .space-name:not(.owner), .prices > *, .rim .extra)").filter(isCut).map((one) => `cut off: ${nameOf(one)}`);
  }

  /** The part of one that lies under the other. */
  function partUnder(one, other) {
    const [a, b] = [boxOf(one), boxOf(other)];
    const [width, height] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
    return (Math.max(0, width) * Math.max(0, height)) / (a.width * a.height);
  }

  /** The latest event, if it has more than three lines or lies over much of a seat or a usable control. */
  function newsFaults() {
    const [news] = shown(".page.table .news .just");
    if (!news) return [];
    const under = shown(".page.table .rim .seat, .page.table > :is(.board, .me) .can").filter((one) => partUnder(one, news) > 0.2);
    const lines = boxOf(news).height / parseFloat(getComputedStyle(news).lineHeight);
    return [...under.map((one) => `under the news: ${nameOf(one)}`), ...(lines > 3.5 ? [`news of ${Math.round(lines)} lines`] : [])];
  }

  /** The parts of the bar that overlap each other. */
  function barFaults() {
    const parts = shown(".bar > :not(.titles), .bar h1, .bar .short-score");
    return parts.flatMap((one, at) => parts.slice(at + 1).filter((other) => overlap(one, other)).map((other) => `overlap: ${nameOf(one)} and ${nameOf(other)}`));
  }

  /** What is cut off, covered or too small. */
  function faults() {
    const found = [...clipped(), ...newsFaults(), ...barFaults()];
    const page = document.documentElement;
    const windowBox = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (const one of shown(".page.table :is(.seat, .bar button, .controls button, .hand button, .board button, .watcher button, .prompt, .paddle)").filter((one) => !one.closest(".hands"))) {
      if (exceeds(one, windowBox, 1.5)) found.push(`outside the window: ${nameOf(one)}`);
    }
    seatFaults(found);
    for (const [frame, query, slack] of INSIDE) {
      const [edge] = shown(`.page.table ${frame}`);
      for (const one of edge ? shown(query) : []) if (exceeds(one, boxOf(edge), slack)) found.push(`outside ${frame}: ${nameOf(one)}`);
    }
    found.push(...covered());
    const [hand] = shown(".page.table .me > .hand");
    const table = (hand ? boxOf(hand).bottom : boxOf(shown(".news")[0]).bottom) - boxOf(shown(".bar")[0]).bottom;
    if (table < 0.55 * innerHeight) found.push(`the table has ${Math.round((100 * table) / innerHeight)} % of the window's height`);
    if (page.scrollWidth > innerWidth || page.scrollHeight > innerHeight) found.push("the page scrolls");
    return found;
  }

  /** The prompt and the buttons below the hand whose text does not fit. */
  function cutTexts() {
    const isCut = (one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1;
    return shown(".page.table :is(.controls, .watcher) :is(.prompt, .prompt > button, .buttons, .buttons button, .take-over, .take-over button)").filter(isCut).map((one) => `cut off: ${nameOf(one)}`);
  }

  return { places, faults, coveredByHint, cutTexts };
})();
