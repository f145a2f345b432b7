/** A few small sounds, made on the spot; none unless they are switched on. */

import { sound } from "./settings.js";

let context = null;

function tone(pitch, at, length, loud) {
  const source = context.createOscillator();
  const gain = context.createGain();
  source.type = "triangle";
  source.frequency.value = pitch;
  gain.gain.setValueAtTime(loud, context.currentTime + at);
  gain.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + at + length);
  source.connect(gain).connect(context.destination);
  source.start(context.currentTime + at);
  source.stop(context.currentTime + at + length);
}

const SOUNDS = {
  turn: [[523, 0, 0.12], [784, 0.1, 0.2]],
  move: [[220, 0, 0.07]],
  end: [[392, 0, 0.15], [523, 0.13, 0.15], [659, 0.26, 0.35]],
};

/** Let one of them be heard. */
export function play(name) {
  if (!sound.value) return;
  context ??= new AudioContext();
  for (const [pitch, at, length] of SOUNDS[name]) tone(pitch, at, length, 0.06);
}
