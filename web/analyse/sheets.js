// What one does with an analysis beside looking at it: paste a text, save it, play on from it.

import * as api from '../api.js';
import { dictionary, text as shared } from '../i18n.js';
import * as keep from '../keep.js';
import { open } from '../parts/dialog.js';
import { LONGEST_FILE, textFile } from '../parts/file.js';
import { button, make } from '../parts/html.js';
import { said } from '../said.js';
import words from '../words/analyse.js';
import { hand } from './pictures.js';

const text = dictionary(words);

/** Asks for a text; `read(content)` takes it and says what is wrong with it, or null. */
export function askText(read) {
  const area = make('textarea', {
    id: 'paste-text',
    class: 'mono',
    rows: 8,
    spellcheck: 'false',
    'aria-label': text('pasteTitle'),
    maxlength: LONGEST_FILE,
  });
  const fault = make('p', { class: 'fault', role: 'alert' });
  const done = async () => {
    const wrong = await read(area.value);
    if (wrong) fault.textContent = wrong;
    else close();
  };
  const file = textFile({
    id: 'paste-file',
    accept: '.txt,.pgn,.sgf,.ggf,.obf,text/plain',
    take: (content) => {
      area.value = content;
    },
  });
  const close = open({
    title: text('pasteTitle'),
    kind: 'wide',
    body: make(
      'div',
      { class: 'paste-form' },
      make('p', { class: 'said-row' }, text('pasteAbout')),
      area,
      file,
      fault,
      make(
        'div',
        { class: 'confirm' },
        button({ word: text('file'), picture: 'load', press: () => file.click() }),
        button({ word: shared('cancel'), press: () => close() }),
        button({ id: 'read', kind: 'primary', word: text('read'), press: done }),
      ),
    ),
  });
  area.focus();
}

/** The game as a text file. */
export async function saveGame(question, game) {
  const answer = await fetch('/api/save', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
  });
  if (answer.ok) hand(await answer.text(), `${game}.txt`, 'text/plain');
}

/** A table against the computer that begins with what is shown. */
export async function playHere({ game, rules, view }, complain) {
  const engine = { kind: 'engine', level: 5 };
  const players = { [view.to_move]: { kind: 'human' }, [view.to_move === 'black' ? 'white' : 'black']: engine };
  try {
    const table = await api.post(
      '/api/tables',
      { game, rules, position: view.position, players },
      keep.account()?.token,
    );
    keep.own(table);
    location.hash = `#play/${table.id}`;
  } catch (fault) {
    if (!(fault instanceof api.Fault)) throw fault;
    complain(fault.status === 0 ? shared('offline') : said(fault.message));
  }
}
