// What is known for certain of moves: win, draw or loss with the distance, or the exact score; and how many replies hold.

import { dictionary, number } from '../i18n.js';
import { make } from './html.js';
import { told } from '../perspective.js';
import words from '../words/certain.js';

const text = dictionary(words);
const KINDS = { win: 'good', draw: 'even', loss: 'bad' };
/** More than any game has plies. */
const FAR = 10000;
/** Replies that hold, as a part of all, below which a move sets a trap. */
const NARROW = 0.25;

export const signed = (value, digits = 2) => number(value, { signDisplay: 'exceptZero', maximumFractionDigits: digits });

/** An outcome in words: `win in 5`. */
export const outcome = ({ value, plies, at_least: isBound = false }) =>
  `${isBound ? `${text('atLeast')} ` : ''}${text(value)}${plies ? ` ${text('inPlies', plies)}` : ''}`;

const rank = ({ value, plies }) =>
  value === 'win' ? FAR - (plies ?? FAR / 2) : value === 'loss' ? (plies ?? FAR / 2) - FAR : 0;

/** What an answer of `/api/known` says of each move, for the cells of a board; `side` is to move. */
export function valuedMoves(answer, side) {
  const { tablebase, solver } = answer ?? {};
  if (tablebase?.state === 'known')
    return new Map(tablebase.moves.map((one) => [one.move, { text: `${text(`${one.value}Letter`)}${one.plies ?? ''}`, kind: KINDS[one.value], rank: rank(one) }]));
  if (solver?.state === 'known')
    return new Map(solver.moves.map(({ move, score }) => [move, { text: signed(told(score, side)), kind: score > 0 ? 'good' : score < 0 ? 'bad' : 'even', rank: score }]));
  return new Map();
}

/** How many of the moves keep what the position is worth: few of many are a danger. */
export function dangerWords({ value, moves, legal }) {
  const kept = moves.filter((one) => one.value === value).length;
  if (value === 'loss') return text('allLose');
  return text(value === 'win' ? 'movesWin' : 'movesHold', kept, legal);
}

/** How hard a move is to answer, or nothing. */
export function repliesWords({ replies }) {
  return replies ? text('repliesHold', ...replies) : '';
}

export const isTrap = ({ replies }) => Boolean(replies && replies[0] < NARROW * replies[1]);

/** How narrow the way is: a bar as long as the part of moves that keep the value. */
export function dangerBar({ value, moves, legal }) {
  const kept = moves.filter((one) => one.value === value).length;
  return make('meter', { class: 'danger', min: 0, max: legal, low: legal / 4, high: legal / 2, optimum: legal, value: value === 'loss' ? 0 : kept, 'aria-label': dangerWords({ value, moves, legal }) });
}
