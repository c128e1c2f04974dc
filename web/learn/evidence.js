// The tests of a tournament: how the evidence grew, game by game, between the two bounds.

import { dictionary, number } from '../i18n.js';
import { Chart } from '../parts/chart.js';
import { make } from '../parts/html.js';
import words from '../words/evidence.js';

const text = dictionary(words);
const short = (value) => number(value, { maximumFractionDigits: 2 });

/** A heading and a chart for each test; nothing in a tournament without tests. */
export function evidence(tests) {
  if (tests.length === 0) return [];
  return [make('h2', {}, text('tests')), ...tests.map(card)];
}

function card({ a, b, test, llr, lower, upper, verdict, curve }) {
  const chart = new Chart({ label: text('ratio'), format: short });
  const last = curve.at(-1)?.[0] ?? 1;
  const level = (value) => [
    [0, value],
    [last, value],
  ];
  chart.show({
    series: [
      { name: 'LLR', kind: 'first', points: [[0, 0], ...curve] },
      { name: 'H1', kind: 'second', points: level(upper) },
      { name: 'H0', kind: 'third', points: level(lower) },
    ],
    zero: false,
    low: lower,
    high: upper,
  });
  return make(
    'div',
    { class: 'card evidence' },
    make('h3', {}, `${a} – ${b} (SPRT ${test})`),
    make('p', {}, text(verdict, `LLR ${short(llr)}`)),
    chart.element,
  );
}
