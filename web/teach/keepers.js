// Buttons after a review: keep the mistakes of a side, to try them again now and some days later.

import { dictionary, text as shared } from '../i18n.js';
import { button } from '../parts/html.js';
import words from '../words/teach.js';
import { keepMistakes } from './kept.js';

const text = dictionary(words);

/** One button for each side that has made mistakes. */
export function keepers(question, report) {
  const erred = ['black', 'white'].filter((side) =>
    report.plies.some((ply) => ply.side === side && ['mistake', 'blunder'].includes(ply.mark)));
  const keep = (side) => {
    keepMistakes(question, report, side);
    location.hash = '#teach/mistakes';
  };
  return erred.map((side) => button({ id: `keep-${side}`, kind: 'small', word: text('keepMistakes', shared(side)), press: () => keep(side) }));
}
