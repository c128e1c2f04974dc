// Mistakes of one's own games that come back: kept in this browser, each with the day when it is due again.

import * as keep from '../keep.js';

/** Days until a mistake comes back after it was found once, twice, ... in a row; then it is done with. */
const PAUSES = [1, 3, 7, 21];
const MOST = 200;
const DAY = 24 * 3600 * 1000;

export const today = () => Math.floor(Date.now() / DAY);
export const all = () => keep.setting('mistakes', []);

const idOf = ({ game, rules, start, moves }) => JSON.stringify([game, rules ?? '', start ?? null, moves]);

/** Keeps the mistakes of one side of a reviewed game; those that are kept already stay as they are. */
export function keepMistakes(question, report, side) {
  const kept = all();
  const ids = new Set(kept.map(idOf));
  const wanted = report.plies.filter((ply) => ply.side === side && ['mistake', 'blunder'].includes(ply.mark) && ply.best);
  const added = wanted.map(({ ply, move, best }) => ({ ...question, moves: question.moves.slice(0, ply - 1), played: move, best, box: 0, due: today() }))
    .filter((mistake) => !ids.has(idOf(mistake)));
  keep.set('mistakes', [...kept, ...added].slice(-MOST));
  return added.length;
}

/** Those to be tried today, the longest due first. */
export const due = () => all().filter((mistake) => mistake.due <= today()).sort((a, b) => a.due - b.due);

/** A mistake was tried: found ones come back later and later, others tomorrow. */
export function tried(mistake, found) {
  const box = found ? mistake.box + 1 : 0;
  const rest = all().filter((one) => idOf(one) !== idOf(mistake));
  const again = { ...mistake, box, due: today() + PAUSES[Math.max(0, box - 1)] };
  keep.set('mistakes', found && box > PAUSES.length ? rest : [...rest, again]);
}
