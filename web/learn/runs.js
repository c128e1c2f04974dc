// The list of training runs, looked at again and again while one goes on.

import * as api from '../api.js';
import { dictionary, text as shared } from '../i18n.js';
import { button, make } from '../parts/html.js';
import { said } from '../said.js';
import words from '../words/learn.js';
import { buttons } from './opponent.js';
import { ask } from './start.js';
import { facts } from './progress.js';

const text = dictionary(words);
const PAUSE = 1500;

let state = null;

export async function enter(root) {
  state = { root, list: make('div', { id: 'runs' }), fault: make('p', { class: 'fault', role: 'alert' }) };
  root.replaceChildren(
    make(
      'div',
      { class: 'row head' },
      make('h1', {}, text('runs')),
      button({ id: 'new-run', picture: 'new', kind: 'primary', word: text('newRun'), press: () => ask() }),
    ),
    make('p', { class: 'about-line' }, text('runsAbout')),
    state.fault,
    state.list,
  );
  await refresh();
}

export function leave() {
  clearTimeout(state?.timer);
  state = null;
}

async function refresh() {
  const mine = state;
  const runs = await api.get('/api/learn/runs');
  if (state !== mine) return;
  state.list.replaceChildren(...(runs.length > 0 ? runs.map(entry) : [make('p', { class: 'none' }, text('noRuns'))]));
  const again = () =>
    refresh().catch((fault) => {
      if (!(fault instanceof api.Fault)) throw fault;
      if (state === mine) state.timer = setTimeout(again, PAUSE);
    });
  if (runs.some((run) => run.state === 'running')) state.timer = setTimeout(again, PAUSE);
}

const complain = (fault) => {
  if (!(fault instanceof api.Fault)) throw fault;
  state.fault.textContent = fault.status === 0 ? shared('offline') : said(fault.message);
};

function entry(run) {
  const href = `#learn/run/${run.name}`;
  return make(
    'div',
    { class: 'card entry', 'data-run': run.name },
    make(
      'div',
      { class: 'grow' },
      make('a', { class: 'title', href }, run.name),
      ' ',
      make('span', { class: `state ${run.state}` }, text(run.state)),
      make('div', { class: 'about' }, [shared(run.game), run.kind, ...facts(run.progress)].join(' · ')),
      run.state === 'running' ? make('progress', { max: 1, value: run.progress?.done ?? 0 }) : null,
    ),
    run.eval ? buttons(run.game, run.eval, complain) : null,
    make('a', { class: 'button', href }, text('watch')),
  );
}
