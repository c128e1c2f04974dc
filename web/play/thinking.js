// What an engine thinks, as it thinks: depth, nodes, value, line, and the outputs of networks. Can be folded away.

import { dictionary, number, text as shared } from '../i18n.js';
import * as keep from '../keep.js';
import * as perspective from '../perspective.js';
import { short } from '../parts/chart.js';
import { make } from '../parts/html.js';
import words from '../words/play.js';
import { worth } from './value.js';

const text = dictionary(words);
const SHOWN_LINE = 12;
const SHOWN_OUTPUTS = 8;

export class Thinking {
  constructor() {
    this.body = make('div', { class: 'thinking-body', id: 'thinking-body' });
    this.element = make(
      'details',
      {
        class: 'card thinking',
        id: 'thinking',
        open: keep.setting('thinking', innerWidth > 860),
        ontoggle: () => {
          keep.set('thinking', this.element.open);
        },
      },
      make('summary', {}, text('thinking')),
      this.body,
    );
    this.show(null);
  }

  toggle() {
    this.element.open = !this.element.open;
  }

  /** Shows the last message of kind `thinking`, or that there is none. */
  show(thought) {
    this.thought = thought;
    this.element.firstChild.textContent = text('thinking');
    if (!thought) {
      this.body.replaceChildren(make('p', { class: 'none' }, text('notYet')));
      return;
    }
    const { side, depth, nodes, value, unit, line = [], outputs = [] } = thought;
    const fact = (name, content) => make('div', { class: 'fact' }, make('dt', {}, name), make('dd', {}, content));
    this.body.replaceChildren(
      make(
        'dl',
        { class: 'facts' },
        fact(`${text('value')} (${shared(perspective.side())})`, worth(value, unit, side) || '–'),
        fact(text('depth'), depth === null || depth === undefined ? '–' : number(depth)),
        fact(text('nodes'), nodes === null || nodes === undefined ? '–' : short(nodes)),
      ),
      make('p', { class: 'line mono' }, line.slice(0, SHOWN_LINE).join(' ')),
      outputs?.length > 0 ? bars(outputs) : '',
    );
  }
}

/** Named outputs as bars; the largest fills the width. */
function bars(outputs) {
  const all = outputs.map((output, at) =>
    typeof output === 'number'
      ? { name: String(at + 1), value: output }
      : { name: output.name ?? output.move ?? output[0], value: output.value ?? output[1] },
  );
  const most = Math.max(...all.map(({ value }) => Math.abs(value)), 1e-9);
  return make(
    'ul',
    { class: 'bars', 'aria-label': text('outputs') },
    all.slice(0, SHOWN_OUTPUTS).map(({ name, value }) => {
      const fill = make('span', { class: `fill${value < 0 ? ' negative' : ''}` });
      fill.style.width = `${(100 * Math.abs(value)) / most}%`;
      return make(
        'li',
        {},
        make('span', { class: 'bar-name mono' }, name),
        make('span', { class: 'track' }, fill),
        make('span', { class: 'bar-value' }, number(value, { maximumFractionDigits: 3 })),
      );
    }),
  );
}
