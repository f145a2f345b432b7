/**
 * The page of a lesson: prepared positions that the learner plays, one idea at a time. The server has played the lesson through the
 * rules of the game (games/lessons), so its frames have real views, offers and events, and the game's own renderer shows them.
 */

import { fly, now as placeNow, pulse, rememberPlaces, was } from "./anim.js";
import { useAbout } from "./about.js";
import { Cheer, Stage, useBeats } from "./beats.js";
import { DEFAULT_LEVEL, gameOf, seatsOf } from "./choices.js";
import { useDragging } from "./drag.js";
import { Feed } from "./feed.js";
import { frameClass, Others, seatProps } from "./frame.js";
import { html, useEffect, useLayoutEffect, useMemo, useState } from "./html.js";
import { icons } from "./icons.js";
import { newestText, useLogLines } from "./log.js";
import { request, titleOf } from "./net.js";
import { Notice } from "./notice.js";
import { fileUrl, loadStyleSheet, rendererOf } from "./renderers.js";
import { Seat } from "./seats.js";
import { mayAnimate, save } from "./settings.js";
import * as sound from "./sound.js";
import { namesOf } from "./words.js";
import { texts } from "./messages/en/lesson.js";
import { translator, YOU } from "./messages.js";

const t = translator(texts);

const AUTO_MS = 1500; // how long a move of another seat is shown before the next one
const AUTO_STILL_MS = 800; // the same without animation

export function LessonPage({ game, go }) {
  const [chapters, setChapters] = useState(null);
  const [fault, setFault] = useState("");
  const renderer = rendererOf(game);
  useEffect(() => {
    const style = loadStyleSheet("lesson.css").catch(() => null);
    const lesson = fetch(fileUrl(`lessons/${game}.json`)).then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(t("no_lesson_for")))));
    Promise.all([lesson, style]).then(([all]) => setChapters(all), (error) => setFault(error.message));
  }, [game]);
  useEffect(() => void (document.title = t("page_title", { title: titleOf(game) })), [game]);
  if (fault) {
    return html`<main class="page alone"><h1>${t("no_lesson")}</h1><p>${fault}</p><p><button class="do can" onClick=${() => go("/")}>${t("to_lobby")}</button></p></main>`;
  }
  if (!chapters || !renderer) return html`<main class="page alone"><p role="status">${t("opening_lesson")}</p></main>`;
  return html`<${Lesson} ...${{ game, chapters, renderer, go }} />`;
}

function Lesson({ game, chapters, renderer, go }) {
  const [number, setNumber] = useState(0);
  const last = number === chapters.length - 1;
  const table = new URLSearchParams(location.search).get("table");
  const leave = () => {
    save(`learned.${game}`, true);
    go(table && /^[a-z0-9]+$/.test(table) ? `/t/${table}` : "/");
  };
  const play = async () => {
    save(`learned.${game}`, true);
    const made = await request("create", { game, seats: seatsOf(gameOf(game)), options: {}, speed: "untimed", public: false, bots: DEFAULT_LEVEL });
    go(`/t/${made.table}`);
  };
  const end = table ? { label: t("to_table"), act: leave, last } : { label: t("play_bots"), act: play, last };
  const next = last ? end : { label: t("go_on_to", { part: number + 2 }), act: () => setNumber(number + 1) };
  const heading = chapters.length > 1 ? t("part_of", { part: number + 1, parts: chapters.length, title: chapters[number].title }) : chapters[number].title;
  return html`<${Chapter} key=${number} ...${{ game, chapter: chapters[number], renderer, heading, next, leave, skip: last ? null : next.act }} />`;
}

/** The table information that the frame and the renderer need. */
const infoOf = (game, { names, options }) => ({
  game,
  options,
  status: "running",
  you: 0,
  seats: names.map((name, seat) => ({ kind: seat ? "bot" : "person", name: seat ? name : YOU, level: seat ? DEFAULT_LEVEL : undefined, here: true })),
});

/** Whether the learner's move is the one that the lesson waits for. The order of cards or wedges does not matter. */
function same(move, want) {
  const plain = (value) => JSON.stringify(Array.isArray(value) ? [...value].sort() : (value ?? null));
  return Object.keys({ ...move, ...want }).every((name) => plain(move[name]) === plain(want[name]));
}

/** The frames of a chapter, shown one after the other through a feed, as those of a live table. */
function useFrames({ frames }) {
  const feed = useMemo(() => Object.assign(new Feed("lesson", () => {}), { beforeChange: rememberPlaces }), [frames]);
  const at = (feed.now.value?.n ?? 0) - 1; // the frame that is shown; while a beat is played, the one before
  const show = (next) => {
    const { view, events, seat, acting, offers, asides } = frames[next];
    const n = next + 1;
    feed.onUpdate({ n, view, events, seat, by: "seat", acting: acting.map((one) => [one, null]), ask: offers.length ? { n, offers } : null, asides: asides.length ? { n, offers: asides } : null });
  };
  useLayoutEffect(() => show(0), [frames]);
  return { feed, at, frame: frames[Math.max(0, at)], next: at + 1 < frames.length ? () => feed.beats.shown.value || show(at + 1) : null };
}

function Chapter({ game, chapter, renderer, heading, next: nextChapter, leave, skip }) {
  const info = useMemo(() => infoOf(game, chapter), [chapter]);
  const { feed, at, frame, next } = useFrames(chapter);
  const [missed, setMissed] = useState(0); // how often something else was tried in this frame
  useEffect(() => setMissed(0), [at]);
  useEffect(() => {
    if (!frame.auto || at < 0) return undefined;
    const timer = setTimeout(next, mayAnimate() ? AUTO_MS : AUTO_STILL_MS);
    return () => clearTimeout(timer);
  }, [at]);
  const names = namesOf(info);
  const tryMove = (move) => (frame.want && same(move, frame.want) ? next() : setMissed(missed + 1));
  const now = feed.now.value ?? { view: frame.view, n: 0, events: [], acting: [], ask: null, asides: null };
  const table = {
    view: now.view,
    events: now.fresh ? now.events : [],
    n: now.n,
    ask: now.ask?.n ?? null,
    offers: frame.want ? (now.ask?.offers ?? []) : [],
    asides: frame.want ? (now.asides?.offers ?? []) : [],
    seat: 0,
    seats: info.seats,
    options: info.options,
    acting: now.acting,
    names,
    busy: false,
    play: tryMove,
    aside: tryMove,
    attempt: tryMove,
    explain: () => setMissed(missed + 1),
    moving: mayAnimate(),
    played: now.played ?? false,
    mini: false,
  };
  useMotion(renderer, table);
  useAbout();
  useDragging();
  useBeats(feed, (events) => (mayAnimate() && events.length && feed.now.value?.view ? (renderer.beat?.(events, feed.now.value.view, names) ?? null) : null));
  const parts = renderer.render(table);
  const lines = useLogLines(feed, renderer.words, info);
  const props = { feed, info, table, renderer, parts };
  return html`<main class=${`page table lesson is-running of-${game} seated ${frameClass(info, parts)}`} data-entry=${now.n}>
    <header class="bar">
      <button class="icon" aria-label=${t("to_lobby")} onClick=${leave}>${icons.back()}</button>
      <h1>${t("learn", { title: titleOf(game) })}</h1>
      ${skip ? html`<button class="icon word" onClick=${skip}>${t("skip_part")}</button>` : null}
      <button class="icon word" onClick=${leave}>${t("end_lesson")}</button>
    </header>
    <${Others} ...${props} />
    <section class="board" data-place="board" aria-label=${t("the_table")}>${parts.board}<${Stage} feed=${feed} /><${Cheer} key=${now.n} ...${{ table, renderer }} /></section>
    <div class="news"><${Notice} /></div>
    <${Teacher} ...${{ heading, frame, missed, happened: frame.auto ? newestText(lines) : frame.happened, next: frame.want || frame.auto ? null : next, nextChapter, ended: !next }} />
    <section class=${`me ${table.ask !== null ? "asked" : ""}`} aria-label=${t("you")}>
      <div class="hand" data-place="hand">${parts.hand}</div>
      <div class="controls">
        <${Seat} me=${true} ...${seatProps(0, feed, info, table, renderer, parts)} />
        <p class="prompt">${table.offers.length ? (renderer.words?.prompt?.(table.offers, table.view, names) ?? "") : ""}</p>
        <div class="buttons">${parts.bar}</div>
      </div>
    </section>
  </main>`;
}

/** What the lesson says, and the button to go on if there is nothing to do. */
function Teacher({ heading, frame, missed, happened, next, nextChapter, ended }) {
  return html`<section class="teacher" aria-label=${t("lesson")} tabindex="-1">
    <h2>${heading}</h2>
    <div aria-live="polite">
      ${happened ? html`<p class="happened">${happened}</p>` : null}
      ${frame.say ? html`<p class="say">${frame.say}</p>` : null}
      ${frame.task ? html`<p class="task">${frame.task}</p>` : null}
      ${missed ? html`<p class="missed" key=${missed}>${frame.hint || t("not_now")}</p>` : null}
    </div>
    ${next ? html`<button class="do can go-on" onClick=${next}>${t("go_on")}</button>` : null}
    ${ended ? html`${nextChapter.last ? html`<p class="happened">${t("that_was_it")}</p>` : null}<button class="do can go-on" onClick=${nextChapter.act}>${nextChapter.label}</button>` : null}
  </section>`;
}

function useMotion(renderer, table) {
  useLayoutEffect(() => {
    if (!table.events.length) return;
    if (table.moving) renderer.motion?.({ ...table, fly, was, now: placeNow, pulse });
    sound.play(sound.soundOf(table.events));
  }, [table.n]);
}
