// Small sounds, made here and not loaded: a stone, a capture, one's turn, an end, time that runs out.

import * as keep from './keep.js';

export const isOn = () => keep.setting('sound', true);
export const setOn = (on) => keep.set('sound', on);

let context = null;

/** Browsers let nobody play sounds on a page that nobody has touched. */
function ready() {
  if (!isOn() || !navigator.userActivation?.hasBeenActive || !window.AudioContext) return null;
  context ??= new AudioContext();
  if (context.state === 'suspended') context.resume();
  return context;
}

/** A tone that dies away: `at` seconds from now, `pitch` in hertz. */
function tone(pitch, { at = 0, length = 0.12, loud = 0.12, shape = 'sine' } = {}) {
  const start = context.currentTime + at;
  const volume = context.createGain();
  const source = context.createOscillator();
  source.type = shape;
  source.frequency.value = pitch;
  volume.gain.setValueAtTime(loud, start);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
  source.connect(volume).connect(context.destination);
  source.start(start);
  source.stop(start + length);
}

/** The knock of a stone on wood: noise, cut short. */
function knock({ at = 0, loud = 0.5, pitch = 900 } = {}) {
  const length = 0.06;
  const frames = Math.floor(context.sampleRate * length);
  const buffer = context.createBuffer(1, frames, context.sampleRate);
  const data = buffer.getChannelData(0);
  for (let frame = 0; frame < frames; frame += 1) data[frame] = (Math.random() * 2 - 1) * (1 - frame / frames) ** 6;
  const source = context.createBufferSource();
  source.buffer = buffer;
  const filter = context.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = pitch;
  const volume = context.createGain();
  volume.gain.value = loud;
  source.connect(filter).connect(volume).connect(context.destination);
  source.start(context.currentTime + at);
}

const SOUNDS = {
  move: () => knock(),
  capture: () => [knock({ pitch: 700 }), knock({ at: 0.07, pitch: 1200, loud: 0.4 })],
  turn: () => tone(660, { loud: 0.06 }),
  said: () => tone(880, { loud: 0.05, length: 0.08 }),
  low: () => tone(440, { shape: 'square', loud: 0.04, length: 0.1 }),
  won: () => [523, 659, 784].map((pitch, number) => tone(pitch, { at: 0.12 * number, length: 0.3 })),
  lost: () => [440, 370, 311].map((pitch, number) => tone(pitch, { at: 0.14 * number, length: 0.3 })),
  ended: () => [523, 523].map((pitch, number) => tone(pitch, { at: 0.14 * number, length: 0.25 })),
};

/** Plays one of the sounds, if sounds are on. */
export function play(name) {
  if (ready()) SOUNDS[name]();
}
