// Values of positions in few letters: discs as they are, log odds as themselves with the chance of winning.

import { number } from '../i18n.js';

const signed = (value, digits) =>
  number(value, { signDisplay: 'exceptZero', minimumFractionDigits: digits, maximumFractionDigits: digits });

/** The chance of winning, in per cent, that log odds stand for. */
export const chance = (odds) => 100 / (1 + Math.exp(-odds));

/** A value with its unit, as `analyse --json` gives both. */
export function worth(value, unit) {
  if (value === null || value === undefined) return '';
  if (/odds/.test(unit ?? '')) return `${signed(value, 2)} (${number(chance(value), { maximumFractionDigits: 0 })} %)`;
  return signed(value, Number.isInteger(value) ? 0 : 1);
}
