// What the server says in words: English as it comes, German where the phrase is known.

import { SENTENCES, TERMS } from './german.js';
import { currentLanguage } from './i18n.js';

/** Finds the keys of a table as whole words, the longest first. */
const finder = (table) =>
  new RegExp(
    `(?<![\\w-])(${Object.keys(table)
      .sort((a, b) => b.length - a.length)
      .map((key) => key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('|')})(?![\\w-])`,
    'g',
  );
const SENTENCE = finder(SENTENCES);
const TERM = finder(TERMS);

const inGerman = (words) =>
  words.replace(/\bejected (\d+)/g, 'schob $1 hinaus').replace(SENTENCE, (phrase) => SENTENCES[phrase]);

/** What the server said in words. */
export function said(words) {
  const known = currentLanguage() === 'de' ? inGerman(words) : words;
  return known.charAt(0).toUpperCase() + known.slice(1);
}

/** The name of a term, a unit or a column; numbers that are grown on to a word, as in `corner3x3`, are split off. */
export function termName(name) {
  if (currentLanguage() !== 'de') return name;
  const apart = name.replace(/_/g, ' ').replace(/\b(corner|diagonal|row)(\d)/g, '$1 $2').replace(/\b(potential)-(\d)/g, '$1 $2');
  return apart.replace(TERM, (word) => TERMS[word]);
}
