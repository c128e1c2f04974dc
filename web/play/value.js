// Values of positions in few letters: discs as they are, log odds as themselves with the chance of winning.

import { number } from '../i18n.js';
import { told } from '../perspective.js';

const signed = (value, digits) =>
  number(value, { signDisplay: 'exceptZero', minimumFractionDigits: digits, maximumFractionDigits: digits });

/** The chance of winning, in per cent, that log odds stand for. */
export const chance = (odds) => 100 / (1 + Math.exp(-odds));

/** A value for `side` with its unit, as `analyse --json` gives both; told for the side that the settings name. */
export function worth(own, unit, side) {
  if (own === null || own === undefined) return '';
  const value = told(own, side);
  if (/odds/.test(unit ?? '')) return `${signed(value, 2)} (${number(chance(value), { maximumFractionDigits: 0 })} %)`;
  return signed(value, Number.isInteger(value) ? 0 : 1);
}
