// Why a move is a mistake, in sentences that two lines show: the one that followed and the better one.

import * as api from '../api.js';
import { currentLanguage, dictionary } from '../i18n.js';
import { make } from '../parts/html.js';
import words from '../words/teach.js';

const text = dictionary(words);
const known = new Map();

/** Sentences about a judged move of a reviewed game; `question` is what was reviewed, `after` the verdict that follows. */
export function reasons(question, { ply, move, better = [] }, after) {
  const list = make('ul', { class: 'reasons', id: 'reasons', 'aria-label': text('why') });
  const asked = { ...question, moves: question.moves.slice(0, ply - 1), line: [move, ...(after?.line ?? [])].slice(0, 20), better: better.slice(0, 20) };
  const key = JSON.stringify(asked);
  if (!known.has(key)) known.set(key, api.post('/api/why', asked).catch(() => []));
  known.get(key).then((found) => {
    list.replaceChildren(...found.map((reason) =>
      make('li', { title: text('shownBy', reason.line.join(' '), reason.better.join(' ')) }, reason.words[currentLanguage()])));
  });
  return list;
}
