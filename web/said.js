// What the server says in words: English as it comes, German where the phrase is known.

import { currentLanguage } from './i18n.js';

/** The server's own words, in German, longest first. */
const GERMAN = {
  'this server keeps no books': 'dieser Server hat keine Bücher',
  'no book yet: every game against the learning computer is written into it':
    'noch kein Buch: jede Partie gegen den lernenden Computer wird hineingeschrieben',
  'this position has not been played against the learning computer':
    'diese Stellung kam gegen den lernenden Computer noch nicht vor',
  'while stones are placed all tables are needed': 'solange gesetzt wird, braucht es alle Tabellen',
  'there are no tables': 'es gibt keine Tabellen',
  'no table for': 'keine Tabelle für',
  'makes it': 'erzeugt sie',
  'solved from': 'gelöst wird ab',
  'empty squares on; here are': 'leeren Feldern; hier sind es',
  'not solved within': 'nicht gelöst in',
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
  'the game is not paused': 'die Partie ruht nicht',
  'the game is paused already': 'die Partie ruht schon',
  'a game between two is not paused': 'eine Partie zu zweit ruht nicht',
  'no draw has been offered': 'Remis ist nicht angeboten',
  'no move has been played': 'es ist noch kein Zug gespielt',
  'no move has been taken back': 'es ist kein Zug zurückgenommen',
  'no such seat is open': 'dieser Platz ist nicht frei',
  'no such table': 'diesen Tisch gibt es nicht',
  'nobody challenges himself': 'niemand fordert sich selbst heraus',
  'nobody has this name': 'niemand heißt so',
  'nobody plays against himself': 'niemand spielt gegen sich selbst',
  'name: expected 2 to 20 letters, digits, `-` or `_`': 'ein Name hat 2 bis 20 Buchstaben, Ziffern, `-` oder `_`',
  'the name': 'der Name',
  'is taken': 'ist vergeben',
  'rated games need an account': 'gewertete Partien brauchen ein Konto',
  'somebody else was first': 'jemand anders war schneller',
  'the time is over': 'die Zeit ist um',
  'there is no such challenge any more': 'diese Herausforderung gibt es nicht mehr',
  'this challenge is for somebody else': 'diese Herausforderung ist für jemand anderen',
  'this player cannot be made': 'diesen Spieler gibt es nicht',
  'this token has no seat at this table': 'dieser Schlüssel hat hier keinen Platz',
  'too many requests: wait a moment': 'zu viele Anfragen: warte einen Augenblick',
  'the table does not answer': 'der Tisch antwortet nicht',
  'the database does not answer: nothing was changed': 'die Datenbank antwortet nicht: nichts wurde geändert',
  repetition: 'Stellungswiederholung',
  'ply limit': 'Zuggrenze erreicht',
  'in hand': 'in der Hand',
  'on board': 'auf dem Brett',
  black: 'Schwarz',
  white: 'Weiß',
  of: 'von',
  one: 'eine',
  two: 'zwei',
  three: 'drei',
  four: 'vier',
  five: 'fünf',
  six: 'sechs',
  seven: 'sieben',
  eight: 'acht',
  nine: 'neun',
  ten: 'zehn',
  eleven: 'elf',
  twelve: 'zwölf',
  thirteen: 'dreizehn',
  fourteen: 'vierzehn',
};
const PHRASES = new RegExp(
  `(?<![\\w-])(${Object.keys(GERMAN)
    .sort((a, b) => b.length - a.length)
    .join('|')})(?![\\w-])`,
  'g',
);

const inGerman = (words) =>
  words.replace(/\bejected (\d+)/g, 'schob $1 hinaus').replace(PHRASES, (phrase) => GERMAN[phrase]);

/** What the server said in words. */
export function said(words) {
  const known = currentLanguage() === 'de' ? inGerman(words) : words;
  return known.charAt(0).toUpperCase() + known.slice(1);
}
