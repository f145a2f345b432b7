/** Short synthesised sounds. They are on by default, but nothing sounds before the first click, as browsers demand. */

import { sound } from "./settings.js";

const VOLUME = 0.06;

let context = null;

/** Fade a source out after `length` seconds. */
function playFading(source, at, length, volume) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(volume, context.currentTime + at);
  gain.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + at + length);
  source.connect(gain).connect(context.destination);
  source.start(context.currentTime + at);
  source.stop(context.currentTime + at + length);
}

function tone(pitch, at, length) {
  const source = context.createOscillator();
  source.type = "triangle";
  source.frequency.value = pitch;
  playFading(source, at, length, VOLUME);
}

/** A short rustle or knock: noise below this pitch. */
function noise(pitch, at, length) {
  const source = context.createBufferSource();
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let place = 0; place < samples.length; place++) samples[place] = Math.random() * 2 - 1;
  source.buffer = buffer;
  const filter = context.createBiquadFilter();
  filter.type = "lowpass";
  filter.frequency.value = pitch;
  playFading({ connect: (gain) => source.connect(filter).connect(gain), start: (when) => source.start(when), stop: (when) => source.stop(when) }, at, length, VOLUME * 2);
}

const tones = (...all) => () => all.forEach(([pitch, at, length]) => tone(pitch, at, length));
const noises = (...all) => () => all.forEach(([pitch, at, length]) => noise(pitch, at, length));

const SOUNDS = {
  turn: tones([523, 0, 0.12], [784, 0.1, 0.2]),
  move: tones([220, 0, 0.07]),
  card: noises([3200, 0, 0.09]),
  dice: noises([1800, 0, 0.05], [1500, 0.09, 0.05], [1700, 0.16, 0.05], [1300, 0.25, 0.08]),
  coin: tones([1568, 0, 0.08], [2093, 0.06, 0.22]),
  gavel: noises([500, 0, 0.12], [400, 0.22, 0.16]),
  cheer: tones([392, 0, 0.15], [523, 0.13, 0.15], [659, 0.26, 0.15], [784, 0.39, 0.4]),
  end: tones([392, 0, 0.15], [523, 0.13, 0.15], [659, 0.26, 0.35]),
};

// What events sound like, the most important first.
const OF_EVENTS = {
  cheer: ["escaped", "round_won", "finished"],
  gavel: ["sold", "auctioneer_found"],
  coin: ["bid_made", "cashed_in", "upkeep_revealed", "secret_bid_made"],
  dice: ["rolled", "fetched"],
  card: ["played", "turned_over", "picked_up", "presented", "laid", "melted", "merged", "action_played", "produced", "collected", "flipped", "replaced"],
};

/** The name of the sound of these events. */
export const soundOf = (events) => Object.keys(OF_EVENTS).find((name) => events.some((event) => OF_EVENTS[name].includes(event.type))) ?? "move";

const BEGINS = ["dice", "gavel"]; // sound while a beat shows them, not after it

let sounded = null; // the events whose beat has sounded

/** Sound the beginning of the beat of these events, if they have one. Return the beat. */
export function withBeat(events, beat) {
  const name = beat && BEGINS.find((one) => events.some((event) => OF_EVENTS[one].includes(event.type)));
  if (name) {
    sounded = events;
    play(name);
  }
  return beat;
}

/** Sound an entry that is shown now: its end or cheer, or what its beat has not sounded yet. */
export function playEntry(events, ended) {
  const name = ended ? "end" : soundOf(events);
  if (events !== sounded || !BEGINS.includes(name)) play(name);
}

/** Play one of the sounds if sound is on and the user has clicked or pressed something. */
export function play(name) {
  if (!sound.value || navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  SOUNDS[name]();
}
