// The evaluation bar beside the board: how much of it is Black's and how much White's, and the value in few letters.

import { dictionary } from '../i18n.js';
import { make } from '../parts/html.js';
import { scale } from '../perspective.js';
import { chance } from '../play/value.js';
import words from '../words/analyse.js';
import { saying } from './worth.js';

const text = dictionary(words);

/** Discs that are as good as won. */
const DISCS = 12;

/** How much of the bar is Black's, in per cent. */
export function share(line, unit, toMove) {
  if (line.proved) return (line.proved === 'win') === (toMove === 'black') ? 100 : 0;
  const value = line.black_value;
  return /odds/.test(unit ?? '') ? chance(value) : chance((value / DISCS) * 2.5);
}

export class Bar {
  constructor() {
    this.black = make('span', { class: 'bar-black' });
    this.words = make('span', { class: 'bar-words' });
    this.element = make('div', { class: 'value-bar', id: 'value-bar', role: 'img' }, this.black, this.words);
    this.show(null, false);
  }

  show(findings, flipped) {
    const line = findings?.lines[0];
    const part = line ? share(line, findings.unit, findings.toMove) : 50;
    const value = line ? saying(line, findings.unit, findings.toMove, true) : '';
    this.element.classList.toggle('flipped', Boolean(flipped));
    this.element.classList.toggle('white-ahead', part < 50);
    this.element.style.setProperty('--share', part / 100);
    this.words.textContent = value;
    this.element.title = scale();
    this.element.setAttribute('aria-label', `${text('evaluation')}: ${value || '–'} (${scale()})`);
  }
}
