// Small dialogs of a table: the link to share, the list of keys.

import { dictionary, text as shared } from '../i18n.js';
import { open } from '../parts/dialog.js';
import { button, make } from '../parts/html.js';
import { code } from '../parts/qr.js';
import words from '../words/play.js';

const text = dictionary(words);

const address = (id) => `${location.origin}${location.pathname}#play/${id}`;

/** The table's address with a button that copies it. */
export function linkBox(id) {
  const input = make('input', {
    type: 'text',
    class: 'link mono',
    id: 'link',
    readonly: true,
    value: address(id),
    'aria-label': text('share'),
    onfocus: () => input.select(),
  });
  const copy = button({
    id: 'copy',
    word: shared('copy'),
    press: async () => {
      input.select();
      await navigator.clipboard?.writeText(input.value).catch(() => {});
      copy.firstChild.textContent = shared('copied');
    },
  });
  return make('div', { class: 'link-box' }, input, copy);
}

export function share(id, openSide) {
  const words = openSide ? text('sharedOpen', shared(openSide)) : text('sharedHere');
  open({
    title: text('share'),
    body: [make('p', {}, words), linkBox(id), code(address(id), text('qr'))].filter(Boolean),
    close: shared('close'),
  });
}

export function showKeys() {
  const rows = text('keyHelp').map(([keys, what]) =>
    make('tr', {}, make('th', { scope: 'row' }, make('kbd', {}, keys)), make('td', {}, what)),
  );
  open({
    title: text('keys'),
    body: make('table', { class: 'keys' }, make('tbody', {}, rows)),
    close: shared('close'),
  });
}
