// English and German. Each page brings its own dictionary (words/PAGE.js) and gets a `text` function for it:
//
//   import { dictionary } from './i18n.js';
//   import words from './words/play.js';
//   const text = dictionary(words);            // text('newGame'), text('turn', 'Black')
//
// A dictionary is `{ en: {..}, de: {..} }` with the same keys in both (a test holds them to it); a value is a text or a
// function of what goes into its gaps. Keys that it lacks are looked up in words/shared.js and in what the server sends
// with each game; unknown keys stand for themselves. What the server says in words comes in English and is translated by said.js where it is known.

import shared from './words/shared.js';

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
export const dictionary =
  (words) =>
  (key, ...gaps) => {
    const found = words[language][key] ?? shared[language][key] ?? key;
    return typeof found === 'function' ? found(...gaps) : found;
  };

/** Words of a game as the server sends them: `{ en: { texts, group, choice, themes }, de: .. }`. */
export function addWords(words) {
  for (const [spoken, { texts = {}, ...parts }] of Object.entries(words ?? {})) {
    Object.assign(shared[spoken], texts);
    for (const [part, more] of Object.entries(parts)) Object.assign((shared[spoken][part] ??= {}), more);
  }
}

/** Shared texts by key. */
export const text = dictionary(shared);

/** The name of a choice of rules, such as `flying=off`. */
export const choiceName = (word) => shared[language].choice?.[word] ?? word.split('=').at(-1);

/** What a group of such choices is about. */
export function groupName(words) {
  const key = words[0].split('=')[0];
  return shared[language].group?.[key] ?? key;
}

/** Rules as people call them: `belgian-daisy,princess=on` is "Belgian daisy, Save the princess: Yes". */
export function rulesName(rules) {
  const { choice = {} } = shared[language];
  const name = (word) => {
    if (word.includes('=')) return `${groupName([word])}: ${choiceName(word)}`;
    return choice[`layout=${word}`] ?? choice[word] ?? word;
  };
  return rules === 'standard' || rules === '' ? text('usualRules') : rules.split(',').map(name).join(', ');
}

/** A number, a date or a time as the language writes it. */
export const number = (value, options) => new Intl.NumberFormat(language, options).format(value);
export const moment = (value) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(value));
