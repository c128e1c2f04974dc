// Dialogs: a question with two answers, and anything else in a modal box.
//
//   if (await confirm({ question: 'Resign?', yes: 'Resign', no: 'Back', danger: true })) ...
//   const close = open({ title: 'Share', body: [..elements..] });
//
// Built on <dialog>: Escape closes, focus stays inside and comes back afterwards.

import { button, make } from './html.js';

let serial = 0;

/** Shows a modal box; gives a function that closes it. `closed` is called once it is gone, however that happened. */
export function open({ title, body, kind = '', close: word, closed = () => {} }) {
  serial += 1;
  const id = `dialog-${serial}`;
  const dialog = make(
    'dialog',
    { class: `dialog ${kind}`.trim(), 'aria-labelledby': id },
    make('h2', { id }, title),
    body,
    word ? make('div', { class: 'confirm' }, button({ word, press: () => dialog.close() })) : null,
  );
  dialog.addEventListener('close', () => {
    dialog.remove();
    closed();
  });
  dialog.addEventListener('click', (event) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const isOutside = event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom;
    if (event.target === dialog && isOutside) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return () => dialog.close();
}

/** Asks; true only if the answer was yes. */
export function confirm({ question, yes, no, danger = false }) {
  return new Promise((answer) => {
    let said = false;
    const take = () => {
      said = true;
      close();
    };
    const row = make(
      'div',
      { class: 'confirm' },
      button({ word: no, press: () => close() }),
      button({ id: 'confirm-yes', word: yes, kind: danger ? 'danger' : 'primary', press: take }),
    );
    const close = open({ title: question, body: row, kind: 'question', closed: () => answer(said) });
  });
}
