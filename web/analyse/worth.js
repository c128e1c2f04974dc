// Values as badges: who is ahead by the colour, by how much in the words. All are told for the side of the settings.

import { dictionary, number, text as shared } from '../i18n.js';
import { make } from '../parts/html.js';
import { told } from '../perspective.js';
import { chance } from '../play/value.js';
import words from '../words/analyse.js';

const text = dictionary(words);
const isOdds = (unit) => /odds/.test(unit ?? '');
export const other = (side) => (side === 'black' ? 'white' : 'black');

/** A line's value in words; in few letters if `short`. */
export function saying(line, unit, toMove, short = false) {
  if (line.proved) {
    const winner = line.proved === 'win' ? toMove : other(toMove);
    if (short) return `${told(1, winner) > 0 ? '+' : '−'}#${line.plies_to_end ?? ''}`;
    return line.plies_to_end ? text('winsIn', shared(winner), line.plies_to_end) : text('winsSure', shared(winner));
  }
  return short ? few(line.black_value, unit) : brief(line.black_value, unit);
}

/** A value for Black in few letters, for the side of the settings. */
export function brief(black, unit) {
  const value = told(black);
  return isOdds(unit) ? `${few(black, unit)} · ${number(chance(value), { maximumFractionDigits: 0 })} %` : few(black, unit);
}

/** The number alone. */
export function few(black, unit) {
  const value = told(black);
  const digits = isOdds(unit) ? 2 : Number.isInteger(value) ? 0 : 1;
  return number(value, { signDisplay: 'exceptZero', minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** What fits on a cell: the same value, shorter. */
export function onCell(line, unit, toMove) {
  if (line.proved) return saying(line, unit, toMove, true);
  return number(told(line.black_value), { signDisplay: 'exceptZero', maximumFractionDigits: isOdds(unit) ? 1 : 0 });
}

export const badge = (line, unit, toMove) =>
  make(
    'span',
    {
      class: `worth ${line.black_value > 0 ? 'black' : line.black_value < 0 ? 'white' : ''}`,
      title: saying(line, unit, toMove),
    },
    saying(line, unit, toMove, true),
  );
