// English and German. Each page brings its own dictionary (words/PAGE.js) and gets a `text` function for it:
//
//   import { dictionary } from './i18n.js';
//   import words from './words/play.js';
//   const text = dictionary(words);            // text('newGame'), text('turn', 'Black')
//
// A dictionary is `{ en: {..}, de: {..} }` with the same keys in both (a test holds them to it); a value is a text or a
// function of what goes into its gaps. Keys that it lacks are looked up in words/shared.js; unknown keys stand for
// themselves. What the server says in words comes in English and is translated by `said` where it is known.

import shared from './words/shared.js';

/** The server's own words, in German, longest first. */
const GERMAN = {
  'board full': 'das Brett ist voll',
  'one side has no discs left': 'eine Seite hat keine Steine mehr',
  'neither side can move': 'keine Seite kann ziehen',
  'no stone left': 'kein Stein übrig',
  'one stone left': 'nur ein Stein übrig',
  'two stones left': 'nur zwei Steine übrig',
  'no move left': 'kein Zug möglich',
  'no legal move': 'kein Zug möglich',
  'quiet plies': 'ruhige Züge',
  'princess pushed off': 'die Prinzessin ist vom Brett',
  'marbles ejected': 'Kugeln hinausgeschoben',
  'marble ejected': 'Kugel hinausgeschoben',
  resignation: 'Aufgabe',
  agreement: 'Einigung',
  time: 'Zeit',
  'the engine plays on: it does not take draws': 'der Computer spielt weiter: er nimmt kein Remis',
  'the game has ended': 'die Partie ist zu Ende',
  'the game is paused': 'die Partie ruht',
  'a draw has been offered already': 'Remis ist schon angeboten',
  'nothing is taken back in rated games': 'in gewerteten Partien wird nichts zurückgenommen',
  'nothing is taken back against another person': 'gegen andere Menschen wird nichts zurückgenommen',
  'nobody sits at the other seat yet': 'am anderen Platz sitzt noch niemand',
  repetition: 'Stellungswiederholung',
  'ply limit': 'Zuggrenze erreicht',
  'in hand': 'in der Hand',
  'on board': 'auf dem Brett',
  black: 'Schwarz',
  white: 'Weiß',
  of: 'von',
  one: 'eine', two: 'zwei', three: 'drei', four: 'vier', five: 'fünf', six: 'sechs', seven: 'sieben',
  eight: 'acht', nine: 'neun', ten: 'zehn', eleven: 'elf', twelve: 'zwölf', thirteen: 'dreizehn', fourteen: 'vierzehn',
};
const PHRASES = new RegExp(`\\b(${Object.keys(GERMAN).sort((a, b) => b.length - a.length).join('|')})\\b`, 'g');

let language = localStorage.getItem('language') ?? (navigator.language.startsWith('de') ? 'de' : 'en');
document.documentElement.lang = language;

/** The other language from now on; the page must be drawn anew. */
export function toggleLanguage() {
  language = language === 'de' ? 'en' : 'de';
  localStorage.setItem('language', language);
  document.documentElement.lang = language;
}

export const currentLanguage = () => language;

/** A function that finds texts in `words`, then in the shared ones. */
export const dictionary = (words) => (key, ...gaps) => {
  const found = words[language][key] ?? shared[language][key] ?? key;
  return typeof found === 'function' ? found(...gaps) : found;
};

/** Shared texts by key. */
export const text = dictionary(shared);

const inGerman = (words) =>
  words.replace(/\bejected (\d+)/g, 'schob $1 hinaus').replace(PHRASES, (phrase) => GERMAN[phrase]);

/** What the server said in words. */
export function said(words) {
  const known = language === 'de' ? inGerman(words) : words;
  return known.charAt(0).toUpperCase() + known.slice(1);
}

/** The name of a choice of rules, such as `flying=off`. */
export const choiceName = (word) => shared[language].choice[word] ?? word.split('=').at(-1);

/** What a group of such choices is about. */
export function groupName(words) {
  const key = words[0].split('=')[0];
  return shared[language].group[key] ?? key;
}

/** Rules as people call them: `belgian-daisy,princess=on` is "Belgian daisy, Save the princess: Yes". */
export function rulesName(rules) {
  const { choice } = shared[language];
  const name = (word) => {
    if (word.includes('=')) return `${groupName([word])}: ${choiceName(word)}`;
    return choice[`layout=${word}`] ?? word;
  };
  return rules === 'standard' || rules === '' ? text('usualRules') : rules.split(',').map(name).join(', ');
}

/** A number, a date or a time as the language writes it. */
export const number = (value, options) => new Intl.NumberFormat(language, options).format(value);
export const moment = (value) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(value));
