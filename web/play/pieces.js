// What lies beside the board: stones in hand, captured marbles; and the score of a game. Read from a view, no rules.

import { number, text } from '../i18n.js';
import { make } from '../parts/html.js';

const PITS = 6;
const other = (side) => (side === 'black' ? 'white' : 'black');

export const stonesOf = (side, view) => view.stones.filter((stone) => stone === side).length;

/** Stones or marbles drawn beside a player; null where nothing lies there. */
export function tray(side, { counts }) {
  if (!counts) return null;
  const has = counts[side];
  const isHand = counts.what === 'hand';
  if (isHand && has === 0) return null;
  const colour = isHand ? side : other(side);
  const pit = (filled) => make('span', { class: filled ? `pip ${colour}` : 'pit' });
  const row = isHand ? Array(has).fill(true) : Array.from({ length: Math.max(PITS, has) }, (_, at) => at < has);
  return make(
    'span',
    {
      class: `tray ${isHand ? 'hand' : 'captured'}`,
      role: 'img',
      'aria-label': text(isHand ? 'inHand' : 'captured', number(has)),
    },
    row.map(pit),
  );
}

/** What counts at the end, for each side. */
export function score(view) {
  const { counts } = view;
  return counts?.what === 'ejected' ? counts : { black: stonesOf('black', view), white: stonesOf('white', view) };
}
