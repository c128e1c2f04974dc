// Who plays the games of a tournament that goes through a queue.

import { dictionary, number } from '../i18n.js';
import { make } from '../parts/html.js';
import words from '../words/learn.js';

const text = dictionary(words);

/** A heading and a row for each worker, the busiest first; nothing where no queue is used. */
export function crew(workers, age) {
  if (workers.length === 0) return [];
  const head = ['worker', 'gamesPlayed', 'lastAnswer'].map((key) => make('th', { scope: 'col' }, text(key)));
  const row = ({ name, jobs, silent }) =>
    make(
      'tr',
      { 'data-worker': name },
      make('th', { scope: 'row' }, name),
      make('td', {}, number(jobs)),
      make('td', {}, text('ago', since(silent + age))),
    );
  const busiest = [...workers].sort((a, b) => b.jobs - a.jobs || a.name.localeCompare(b.name));
  return [
    make('h2', {}, text('whoWorks')),
    make(
      'div',
      { class: 'card cross-sheet' },
      make(
        'table',
        { class: 'cross', id: 'workers' },
        make('thead', {}, make('tr', {}, head)),
        make('tbody', {}, busiest.map(row)),
      ),
    ),
  ];
}

function since(seconds) {
  const whole = (value) => number(value, { maximumFractionDigits: 0 });
  return seconds < 120 ? text('seconds', whole(seconds)) : text('minutes', whole(seconds / 60));
}
