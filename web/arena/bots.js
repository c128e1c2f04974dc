// How to let a program play: an account for it, and how to start the example.

import * as api from '../api.js';
import { dictionary, text as shared } from '../i18n.js';
import { button, field, make } from '../parts/html.js';
import { said } from '../said.js';
import words from '../words/arena.js';

const text = dictionary(words);

export function enter(root) {
  const name = make('input', { type: 'text', id: 'bot-name', maxlength: 20, spellcheck: 'false', autocomplete: 'off' });
  const answer = make('div', { id: 'bot-answer', role: 'status' });
  const create = async (event) => {
    event.preventDefault();
    try {
      show(answer, await api.post('/api/accounts', { name: name.value.trim(), bot: true }));
    } catch (problem) {
      if (!(problem instanceof api.Fault)) throw problem;
      answer.replaceChildren(
        make('p', { class: 'fault' }, problem.status === 0 ? shared('offline') : said(problem.message)),
      );
    }
  };
  root.replaceChildren(
    make(
      'div',
      { class: 'card pad bots' },
      make('h1', {}, text('botTitle')),
      make('p', {}, text('botAbout')),
      make(
        'ol',
        {},
        text('botSteps').map((step) => make('li', {}, step)),
      ),
      make(
        'form',
        { onsubmit: create },
        field(text('botName'), name, text('nameHint')),
        button({ id: 'bot-create', kind: 'primary', type: 'submit', word: text('botCreate') }),
      ),
      answer,
      make('p', { class: 'none' }, text('botDocs')),
    ),
  );
}

function show(answer, { token }) {
  const command = `python3 examples/bots/bot.py --server ${location.host} --token ${token} --games 10`;
  answer.replaceChildren(
    make('p', {}, text('botKey')),
    make('pre', { class: 'mono', id: 'bot-key' }, token),
    make('p', {}, text('botRun')),
    make('pre', { class: 'mono' }, command),
  );
}
