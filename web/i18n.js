// English and German. What the server says in words comes in English and is translated here where it is known.

const TEXTS = {
  en: {
    othello: 'Othello', morris: 'Nine Men’s Morris', abalone: 'Abalone',
    black: 'Black', white: 'White', neutral: 'neutral',
    disc: 'disc', stone: 'stone', marble: 'marble', empty: 'empty',
    chosen: 'chosen', target: 'legal target', removable: 'can be removed', movable: 'can move', isLast: 'last move',
    boardOf: (game) => `${game} board`,
    games: 'Games', players: 'Players', moves: 'Moves', actions: 'Actions',
    language: 'Auf Deutsch', theme: 'Light or dark',
    toMove: 'to move', turn: (side) => `${side} to move`, played: (side, move) => `${side} played ${move}.`,
    choose: 'Choose where it goes.', chooseMore: 'Choose where to go, or more stones.', narrow: 'Choose one more cell.',
    remove: (side) => `Mill! Remove one of ${side}’s stones.`, removeStone: (side) => `Remove one of ${side}’s stones.`,
    mustPass: (side) => `${side} has no move and must pass.`, pass: 'Pass',
    wins: (side) => `${side} wins`, draw: 'Draw', again: 'Play again',
    undo: 'Undo', redo: 'Redo', flip: 'Flip', newGame: 'New', save: 'Save', load: 'Load',
    newOf: (game) => `New game of ${game}`, start: 'Start', cancel: 'Cancel',
    noMoves: 'No moves yet', rulesAre: (rules) => `Rules: ${rules}`,
    stale: 'The table had moved on; this is how it stands now.',
    lost: 'That table is gone; here is a new one.',
    offline: 'The server cannot be reached.', tooLong: 'This file is too long for a game.',
    group: { score: 'Score', 'capture-from-mill': 'Stones in mills', flying: 'Flying with three stones', 'double-mill': 'Two mills at once', layout: 'Layout', eject: 'Marbles to eject', princess: 'Save the princess' },
    choice: {
      'score=wof': 'Empty squares go to the winner', 'score=discs': 'Count discs only',
      'flying=on': 'Allowed', 'flying=off': 'Not allowed', 'double-mill=one': 'Remove one stone', 'double-mill=two': 'Remove two stones',
      'princess=off': 'No', 'princess=on': 'Yes', 'capture-from-mill=if-all-in-mills': 'Safe unless all are in mills',
      'capture-from-mill=never': 'Always safe', 'capture-from-mill=always': 'May be removed',
      'layout=standard': 'Standard',
      'layout=belgian-daisy': 'Belgian daisy', 'layout=german-daisy': 'German daisy', 'layout=dutch-daisy': 'Dutch daisy', 'layout=swiss-daisy': 'Swiss daisy', 'layout=snakes': 'Snakes',
    },
  },
  de: {
    othello: 'Othello', morris: 'Mühle', abalone: 'Abalone',
    black: 'Schwarz', white: 'Weiß', neutral: 'neutral',
    disc: 'Stein', stone: 'Stein', marble: 'Kugel', empty: 'leer',
    chosen: 'gewählt', target: 'erlaubtes Ziel', removable: 'kann entfernt werden', movable: 'kann ziehen', isLast: 'letzter Zug',
    boardOf: (game) => `${game}-Brett`,
    games: 'Spiele', players: 'Spieler', moves: 'Züge', actions: 'Aktionen',
    language: 'In English', theme: 'Hell oder dunkel',
    toMove: 'am Zug', turn: (side) => `${side} ist am Zug`, played: (side, move) => `${side} zog ${move}.`,
    choose: 'Wähle das Ziel.', chooseMore: 'Wähle das Ziel oder weitere Steine.', narrow: 'Wähle noch ein Feld.',
    remove: (side) => `Mühle! Entferne einen Stein von ${side}.`, removeStone: (side) => `Entferne einen Stein von ${side}.`,
    mustPass: (side) => `${side} hat keinen Zug und muss passen.`, pass: 'Passen',
    wins: (side) => `${side} gewinnt`, draw: 'Unentschieden', again: 'Noch einmal',
    undo: 'Zurück', redo: 'Vor', flip: 'Drehen', newGame: 'Neu', save: 'Sichern', load: 'Laden',
    newOf: (game) => `Neue Partie ${game}`, start: 'Beginnen', cancel: 'Abbrechen',
    noMoves: 'Noch keine Züge', rulesAre: (rules) => `Regeln: ${rules}`,
    stale: 'Am Tisch ging es schon weiter; so steht es jetzt.',
    lost: 'Diesen Tisch gibt es nicht mehr; hier ist ein neuer.',
    offline: 'Der Server ist nicht erreichbar.', tooLong: 'Diese Datei ist zu lang für eine Partie.',
    group: { score: 'Wertung', 'capture-from-mill': 'Steine in Mühlen', flying: 'Springen mit drei Steinen', 'double-mill': 'Zwei Mühlen zugleich', layout: 'Aufstellung', eject: 'Kugeln bis zum Sieg', princess: 'Rette die Prinzessin' },
    choice: {
      'score=wof': 'Leere Felder dem Sieger', 'score=discs': 'Nur Steine zählen',
      'flying=on': 'Erlaubt', 'flying=off': 'Nicht erlaubt', 'double-mill=one': 'Einen Stein entfernen', 'double-mill=two': 'Zwei Steine entfernen',
      'princess=off': 'Nein', 'princess=on': 'Ja', 'capture-from-mill=if-all-in-mills': 'Sicher, wenn nicht alle in Mühlen sind',
      'capture-from-mill=never': 'Immer sicher', 'capture-from-mill=always': 'Dürfen entfernt werden',
      'layout=standard': 'Standard',
      'layout=belgian-daisy': 'Belgische Blume', 'layout=german-daisy': 'Deutsche Blume', 'layout=dutch-daisy': 'Holländische Blume', 'layout=swiss-daisy': 'Schweizer Blume', 'layout=snakes': 'Schlangen',
    },
  },
};

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

/** The other language from now on. */
export function toggleLanguage() {
  language = language === 'de' ? 'en' : 'de';
  localStorage.setItem('language', language);
}

export const currentLanguage = () => language;

/** A text by its key; texts with a gap take what goes into it. Unknown keys stand for themselves. */
export function text(key, ...gaps) {
  const found = TEXTS[language][key] ?? key;
  return typeof found === 'function' ? found(...gaps) : found;
}

const inGerman = (words) =>
  words.replace(/\bejected (\d+)/g, 'schob $1 hinaus').replace(PHRASES, (phrase) => GERMAN[phrase]);

/** What the server said in words. */
export function said(words) {
  const known = language === 'de' ? inGerman(words) : words;
  return known.charAt(0).toUpperCase() + known.slice(1);
}

/** The name of a choice of rules, such as `flying=off`. */
export const choiceName = (word) => TEXTS[language].choice[word] ?? word.split('=').at(-1);

/** What a group of such choices is about. */
export function groupName(words) {
  const key = words[0].split('=')[0];
  return TEXTS[language].group[key] ?? key;
}

/** Puts the texts into all elements that name one. */
export function translate(root) {
  document.documentElement.lang = language;
  for (const node of root.querySelectorAll('[data-text]')) node.textContent = text(node.dataset.text);
  for (const node of root.querySelectorAll('[data-label]')) {
    node.setAttribute('aria-label', text(node.dataset.label));
    if (node.tagName === 'BUTTON') node.title = text(node.dataset.label);
  }
}
