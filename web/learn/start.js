// The dialog for a new training run: a learner, an example to begin with, its settings as text.

import * as api from '../api.js';
import { dictionary, text as shared } from '../i18n.js';
import { open } from '../parts/dialog.js';
import { button, field, make, select } from '../parts/html.js';
import { said } from '../said.js';
import words from '../words/learn.js';

const text = dictionary(words);

/** Those that take seconds first, and games in the order in which they are offered. */
const ranked = (games) => {
  const rank = ({ name, game }) =>
    games.findIndex((offered) => offered.name === game) + (name.startsWith('quick') ? 0 : games.length);
  return (a, b) => rank(a) - rank(b);
};

/** Asks what to train; `given` is `{ name, config }` to begin with instead of an example. */
export async function ask(given = null) {
  const asked = [api.get('/api/learn/kinds'), api.get('/api/learn/runs'), api.games()];
  const [kinds, runs, games] = await Promise.all(asked);
  const learners = kinds.filter(({ here }) => here);
  const examples = learners
    .flatMap((kind) => kind.examples.map((example) => ({ ...example, kind })))
    .sort(ranked(games));
  const taken = new Set(runs.map(({ name }) => name));
  const free = (name) => {
    let number = 1;
    while (taken.has(`${name}-${number}`)) number += 1;
    return `${name}-${number}`;
  };
  const name = make('input', {
    type: 'text',
    id: 'run-name',
    class: 'mono',
    maxlength: 40,
    spellcheck: 'false',
    autocomplete: 'off',
  });
  const config = make('textarea', {
    id: 'run-config',
    class: 'mono',
    spellcheck: 'false',
    'aria-label': text('config'),
  });
  const about = make('p', { class: 'about-line' });
  const fault = make('p', { class: 'fault', role: 'alert' });
  const pick = (key) => {
    const example = examples.find((one) => one.name === key);
    name.value = free(key);
    config.value = example.config;
    about.textContent = `${example.kind.name}: ${example.kind.about}.`;
  };
  const list = select(
    examples.map((one) => [one.name, `${one.name} – ${shared(one.game)}`]),
    examples[0].name,
    pick,
    { id: 'run-example' },
  );
  pick(examples[0].name);
  if (given) {
    name.value = free(given.name);
    config.value = given.config;
    about.textContent = '';
  }
  const begin = async () => {
    fault.textContent = '';
    try {
      const run = await api.post('/api/learn/runs', { name: name.value.trim(), config: config.value });
      close();
      location.hash = `#learn/run/${run.name}`;
    } catch (problem) {
      if (!(problem instanceof api.Fault)) throw problem;
      fault.textContent = problem.status === 0 ? shared('offline') : said(problem.message);
    }
  };
  const close = open({
    title: text('newRun'),
    kind: 'wide',
    body: make(
      'div',
      { class: 'run-form' },
      make('div', { class: 'two-fields' }, field(text('example'), list), field(text('name'), name, text('nameHint'))),
      about,
      field(text('config'), config, text('configHint')),
      fault,
      make(
        'div',
        { class: 'confirm' },
        button({ word: shared('cancel'), press: () => close() }),
        button({ id: 'begin-run', kind: 'primary', word: text('begin'), press: begin }),
      ),
    ),
  });
}
