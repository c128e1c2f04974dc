// What this browser remembers of somebody who practises, by game: rating, streak, puzzles seen, lessons done.

import * as keep from '../keep.js';

/** The most puzzles that are remembered as seen; then the oldest may come again. */
const MOST_SEEN = 300;
const NOTHING = { rating: null, streak: 0, best: 0, seen: [], lessons: {}, practised: {} };

/** What is remembered of a game. */
export const of = (game) => ({ ...NOTHING, ...keep.setting('practice', {})[game] });

/** Changes some of it, and gives the whole. */
export function note(game, change) {
  const all = keep.setting('practice', {});
  const mine = { ...NOTHING, ...all[game], ...change };
  keep.set('practice', { ...all, [game]: mine });
  return mine;
}

/** A puzzle has been solved at the first try, or not: the streak grows or ends. */
export function finished(game, number, solved, rating) {
  const { streak, best, seen } = of(game);
  const now = solved ? streak + 1 : 0;
  return note(game, {
    rating,
    streak: now,
    best: Math.max(best, now),
    seen: [...seen.filter((one) => one !== number), number].slice(-MOST_SEEN),
  });
}

/** The puzzles of a lesson that were solved, at whichever try. */
export const practised = (game, lesson) => of(game).practised[lesson] ?? [];

/** A puzzle of a lesson has been solved; with all of them the lesson is done. */
export function practise(game, { name, puzzles }, number) {
  const { practised: all, lessons } = of(game);
  const solved = [...new Set([...(all[name] ?? []), number])];
  const isDone = puzzles.every((one) => solved.includes(one));
  note(game, { practised: { ...all, [name]: solved }, lessons: isDone ? { ...lessons, [name]: true } : lessons });
}

/** The game that was practised last. */
export const lastGame = (otherwise) => keep.setting('practised', otherwise);
export const setGame = (game) => keep.set('practised', game);
