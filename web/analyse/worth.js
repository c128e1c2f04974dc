// Values as badges: who is ahead by the colour, by how much in the words.

import { dictionary, number, text as shared } from '../i18n.js';
import { make } from '../parts/html.js';
import { chance } from '../play/value.js';
import words from '../words/analyse.js';

const text = dictionary(words);
const isOdds = (unit) => /odds/.test(unit ?? '');
export const other = (side) => (side === 'black' ? 'white' : 'black');

/** A line's value in words, for whoever is ahead. */
export function saying(line, unit, toMove) {
  if (line.proved) {
    const winner = line.proved === 'win' ? toMove : other(toMove);
    return line.plies_to_end ? text('winsIn', shared(winner), line.plies_to_end) : text('winsSure', shared(winner));
  }
  return brief(line.black_value, unit);
}

/** A value for Black in few letters. */
export function brief(value, unit) {
  const digits = isOdds(unit) ? 2 : Number.isInteger(value) ? 0 : 1;
  const shown = number(value, {
    signDisplay: 'exceptZero',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return isOdds(unit) ? `${shown} · ${number(chance(value), { maximumFractionDigits: 0 })} %` : shown;
}

/** What fits on a cell. */
export function onCell(line, unit, toMove) {
  if (line.proved) return line.proved === 'win' ? '✓' : '✗';
  const own = toMove === 'black' ? line.black_value : -line.black_value;
  return number(own, { signDisplay: 'exceptZero', maximumFractionDigits: isOdds(unit) ? 1 : 0 });
}

export const badge = (line, unit, toMove) =>
  make(
    'span',
    { class: `worth ${line.black_value > 0 ? 'black' : line.black_value < 0 ? 'white' : ''}` },
    saying(line, unit, toMove),
  );
