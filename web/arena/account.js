// Who one is in the arena: a name and the key that proves it, kept in this browser.

import * as api from '../api.js';
import { dictionary, text as shared } from '../i18n.js';
import * as keep from '../keep.js';
import { confirm, open } from '../parts/dialog.js';
import { button, field, make } from '../parts/html.js';
import { said } from '../said.js';
import words from '../words/arena.js';

const text = dictionary(words);

/** The card with the account, or the form for one; `changed()` is called when it becomes another. */
export function card(changed) {
  const account = keep.account();
  return make(
    'section',
    { class: 'card pad account', id: 'account' },
    account ? known(account, changed) : form(changed),
  );
}

function known(account, changed) {
  const leave = async () => {
    if (!(await confirm({ question: text('sureSignOut'), yes: text('signOut'), no: shared('cancel'), danger: true })))
      return;
    keep.setAccount(null);
    changed();
  };
  return [
    make('h2', { id: 'account-name' }, text('signedIn', account.name)),
    make(
      'div',
      { class: 'row' },
      make('a', { class: 'button', href: `#arena/player/${encodeURIComponent(account.name)}` }, text('profile')),
      button({ id: 'show-key', word: text('showKey'), press: () => showKey(account.token) }),
      button({ id: 'sign-out', word: text('signOut'), press: leave }),
    ),
  ];
}

export function showKey(token) {
  const input = make('input', {
    type: 'text',
    class: 'mono',
    id: 'key-shown',
    readonly: true,
    value: token,
    'aria-label': text('key'),
    onfocus: () => input.select(),
  });
  open({ title: text('key'), body: [make('p', {}, text('keyAbout')), input], close: shared('close') });
}

function form(changed) {
  const fault = make('p', { class: 'fault', role: 'alert' });
  const name = make('input', {
    type: 'text',
    id: 'name',
    maxlength: 20,
    autocomplete: 'nickname',
    spellcheck: 'false',
  });
  const key = make('input', { type: 'text', id: 'key', class: 'mono', autocomplete: 'off', spellcheck: 'false' });
  const attempt = (work) => async (event) => {
    event.preventDefault();
    try {
      keep.setAccount(await work());
      changed();
    } catch (problem) {
      if (!(problem instanceof api.Fault)) throw problem;
      fault.textContent =
        problem.status === 401 ? text('wrongKey') : problem.status === 0 ? shared('offline') : said(problem.message);
    }
  };
  const take = attempt(async () => {
    const made = await api.post('/api/accounts', { name: name.value.trim() });
    return { name: made.name, token: made.token };
  });
  const use = attempt(async () => {
    const token = key.value.trim();
    const { name: known } = await api.get('/api/me', token);
    return { name: known, token };
  });
  return [
    make('h2', {}, text('account')),
    make('p', {}, text('nameAsk')),
    make(
      'form',
      { onsubmit: take },
      field(text('name'), name, text('nameHint')),
      button({ id: 'take-name', word: text('create'), kind: 'primary', type: 'submit' }),
    ),
    make(
      'details',
      { class: 'more' },
      make('summary', {}, text('haveKey')),
      make(
        'form',
        { onsubmit: use },
        field(text('key'), key),
        button({ id: 'use-key', word: text('useKey'), type: 'submit' }),
      ),
    ),
    fault,
  ];
}
