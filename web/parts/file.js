// A text file from the disk of whoever looks at the page.

import { make } from './html.js';

/** Longer texts are not read: the server would refuse them. */
export const LONGEST_FILE = 60000;

/** An unseen chooser, for a button to click on: `take` gets the text of the file, `refuse` hears of one too long. */
export function textFile({ id, accept = '.txt,.pgn,.sgf,.ggf,text/plain', take, refuse = () => {} }) {
  const file = make('input', {
    type: 'file',
    id,
    accept,
    class: 'unseen',
    tabindex: -1,
    'aria-hidden': 'true',
    onchange: async () => {
      const [first] = file.files;
      file.value = '';
      if (first && first.size > LONGEST_FILE) refuse();
      else if (first) await take(await first.text());
    },
  });
  return file;
}
