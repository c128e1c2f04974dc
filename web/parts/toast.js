// Short notes at the edge of the page that go away by themselves or by a click.
//
//   toast({ words: 'Marie challenges you', answers: [['Accept', accept], ['Decline', decline]] });
//
// Read aloud as they come. One with answers stays until it is answered or closed.

import { text } from '../i18n.js';
import { button, make } from './html.js';

const TIME = 6000;

/** Shows a note; gives a function that takes it away. */
export function toast({ words, answers = [] }) {
  const close = () => note.remove();
  const answer = ([word, press], number) =>
    button({
      word,
      kind: number === 0 ? 'primary' : '',
      press: () => {
        close();
        press();
      },
    });
  const note = make(
    'div',
    { class: 'toast', role: 'status' },
    make('p', {}, words),
    answers.map(answer),
    button({ bare: true, picture: 'close', word: text('close'), press: close }),
  );
  place().append(note);
  if (answers.length === 0) setTimeout(close, TIME);
  return close;
}

function place() {
  const found = document.getElementById('toasts');
  if (found) return found;
  const made = make('div', { id: 'toasts', class: 'toasts' });
  document.body.append(made);
  return made;
}
