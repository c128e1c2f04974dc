// A few phrases between players; free words only where the server's owner allows them.

import * as api from '../api.js';
import { dictionary } from '../i18n.js';
import { button, make } from '../parts/html.js';
import { said } from '../said.js';
import words from '../words/play.js';

const text = dictionary(words);
const PHRASES = ['hello', 'luck', 'well-played', 'thanks', 'sorry', 'moment', 'again', 'bye'];

/** What somebody said, in the reader's language where it is a phrase. */
export const saying = ({ phrase, text: free }) => (phrase ? text('phrases')[phrase] ?? phrase : free);

/** The button and its list; `send(words)` gives what was chosen to the server. */
export class Talk {
  constructor(send) {
    const say = (words) => {
      this.list.hidePopover();
      send(words);
    };
    const free = make('input', {
      type: 'text',
      id: 'say-free',
      maxlength: 200,
      autocomplete: 'off',
      'aria-label': text('sayFree'),
      placeholder: text('sayFree'),
    });
    this.form = make(
      'form',
      {
        class: 'say-form',
        hidden: true,
        onsubmit: (event) => {
          event.preventDefault();
          if (!free.value.trim()) return;
          say({ text: free.value });
          free.value = '';
        },
      },
      free,
      button({ word: text('send'), type: 'submit', kind: 'primary' }),
    );
    this.list = make(
      'div',
      { id: 'phrases', class: 'menu', popover: 'auto' },
      PHRASES.map((phrase) =>
        button({ word: text('phrases')[phrase], 'data-phrase': phrase, press: () => say({ phrase }) }),
      ),
      this.form,
    );
    this.button = button({ id: 'talk', picture: 'talk', word: text('talk'), popovertarget: 'phrases' });
  }

  /** Only for players, and only where another person sits. */
  show({ isWanted, isFree }) {
    this.button.hidden = !isWanted;
    this.form.hidden = !isFree;
  }
}

/** Sends words to the table; what is wrong with them comes back in words. */
export async function send(path, words, token) {
  try {
    await api.post(`${path}/say`, words, token);
    return null;
  } catch (fault) {
    if (!(fault instanceof api.Fault)) throw fault;
    return fault.status === 0 ? text('offline') : said(fault.message);
  }
}
