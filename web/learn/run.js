// One training run: how far it is, its curves as they grow, its settings and its log; stop, resume, delete, play.

import * as api from '../api.js';
import { dictionary, number, text as shared } from '../i18n.js';
import { Chart } from '../parts/chart.js';
import { confirm } from '../parts/dialog.js';
import { button, make } from '../parts/html.js';
import { connect } from '../socket.js';
import { said, termName } from '../said.js';
import words from '../words/learn.js';
import { buttons } from './opponent.js';
import { facts } from './progress.js';

const text = dictionary(words);

let state = null;

export async function enter(root, [name]) {
  state = {
    root,
    name,
    charts: new Map(),
    head: make('div', { class: 'run-head', id: 'run' }),
    curves: make('div', { class: 'curves', id: 'run-curves' }),
    config: make('pre', { class: 'mono' }),
    log: make('pre', { class: 'mono', id: 'run-log' }),
    fault: make('p', { class: 'fault', role: 'alert' }),
  };
  const mine = state;
  const run = await api.get(`/api/learn/runs/${encodeURIComponent(name)}`);
  if (state !== mine) return;
  root.replaceChildren(
    state.head,
    state.fault,
    state.curves,
    make('details', { class: 'card run-more' }, make('summary', {}, text('config')), state.config),
    make('details', { class: 'card run-more', open: true }, make('summary', {}, text('log')), state.log),
  );
  show(run);
  state.socket = connect(`/api/learn/runs/${encodeURIComponent(name)}/live`, {
    event: (message) => {
      if (state === mine && message.event === 'run') show(message.run);
    },
  });
}

export function leave() {
  state?.socket?.close();
  state = null;
}

const complain = (fault) => {
  if (!(fault instanceof api.Fault)) throw fault;
  if (state) state.fault.textContent = fault.status === 0 ? shared('offline') : said(fault.message);
};

async function command(what) {
  state.fault.textContent = '';
  try {
    const run = await api.post(`/api/learn/runs/${state.name}/${what}`, {});
    if (what === 'delete') location.hash = '#learn';
    else if (state) show(run);
  } catch (fault) {
    complain(fault);
  }
}

async function remove() {
  if (
    await confirm({ question: text('sureRemove', state.name), yes: text('remove'), no: shared('cancel'), danger: true })
  )
    command('delete');
}

function show(run) {
  const act = (id, word, press, kind = '') => button({ id, word: text(word), press, kind });
  const running = run.state === 'running';
  const acts = [
    running ? act('stop-run', 'stop', () => command('stop')) : null,
    ['stopped', 'failed'].includes(run.state) ? act('resume-run', 'resume', () => command('resume'), 'primary') : null,
    ...(run.eval ? buttons(run.game, run.eval, complain) : []),
    running || run.state === 'elsewhere' ? null : act('delete-run', 'remove', remove, 'danger'),
  ];
  state.head.dataset.state = run.state;
  state.head.replaceChildren(
    make('a', { href: '#learn' }, `← ${text('allRuns')}`),
    make(
      'div',
      { class: 'row' },
      make('h1', {}, run.name),
      make('span', { class: `state ${run.state}` }, text(run.state)),
    ),
    make(
      'div',
      { class: 'run-facts' },
      [shared(run.game), run.kind, ...facts(run.progress)].map((fact) => make('span', {}, fact)),
    ),
    running ? make('progress', { max: 1, value: run.progress?.done ?? 0 }) : '',
    run.error ? make('p', { class: 'fault' }, said(run.error)) : '',
    make('div', { class: 'row' }, acts.filter(Boolean)),
  );
  state.config.textContent = run.config;
  state.log.textContent = run.log.join('\n');
  curves(run);
}

/** One chart a column; charts stay, so that they grow instead of blinking. */
function curves({ columns, rows }) {
  const shown = columns
    .slice(1)
    .map((column, at) => [column, rows.map((row) => [row[0], row[at + 1]]).filter(([, value]) => value !== null)])
    .filter(([column, points]) => column !== 'games' && points.length > 0);
  for (const [column, points] of shown) {
    if (!state.charts.has(column)) {
      const chart = new Chart({ label: termName(column), format: (value) => number(value, { maximumSignificantDigits: 3 }) });
      const value = make('span', { class: 'now-value' });
      const figure = make(
        'figure',
        { class: 'card', 'data-curve': column },
        make('figcaption', {}, make('span', {}, termName(column)), value),
        chart.element,
      );
      state.charts.set(column, { chart, value, figure });
    }
    const { chart, value, figure } = state.charts.get(column);
    value.textContent = number(points.at(-1)[1], { maximumSignificantDigits: 4 });
    figure.dataset.points = points.length;
    chart.show({ series: [{ name: column, points: points.length > 1 ? points : [[0, points[0][1]], points[0]] }] });
  }
  const figures = shown.map(([column]) => state.charts.get(column).figure);
  if (figures.length === 0) state.curves.replaceChildren(make('p', { class: 'none' }, text('noCurves')));
  else if (state.curves.childElementCount !== figures.length || state.curves.firstChild !== figures[0])
    state.curves.replaceChildren(...figures);
}
