// Two panels that ask while they are open: why (the terms of the evaluation) and what is known for certain.

import * as api from '../api.js';
import { dictionary, number, text as shared } from '../i18n.js';
import * as keep from '../keep.js';
import { short } from '../parts/chart.js';
import { dangerBar, dangerWords, isTrap, outcome, repliesWords, signed, valuedMoves } from '../parts/certain.js';
import { make } from '../parts/html.js';
import { told, scale } from '../perspective.js';
import { said, termName } from '../said.js';
import words from '../words/analyse.js';
import { Tables } from './tables.js';

const text = dictionary(words);
const SHOWN = 12;
const PAUSE = 200;

const tone = (value) => (value > 0 ? 'plus' : value < 0 ? 'minus' : '');

/** A panel that asks `path` about every new position while it is open, and draws the answer. */
class Panel {
  constructor(id, path) {
    Object.assign(this, { id, path, isOpen: false });
    this.element = make('div', { class: 'panel', id });
    this.body = this.element;
  }

  /** Shown or not; what is not shown asks nothing. */
  open(isOpen) {
    this.isOpen = isOpen;
    this.changed?.();
    if (isOpen) this.ask();
  }

  show(question) {
    if (JSON.stringify(question) === JSON.stringify(this.question)) return;
    this.question = question;
    this.answer = null;
    clearTimeout(this.timer);
    if (this.isOpen) this.timer = setTimeout(() => this.ask(), PAUSE);
  }

  async ask() {
    const mine = this.question;
    if (!mine || this.answer) return;
    if (this.body.childElementCount === 0) this.body.append(make('p', { class: 'none' }, text('asking')));
    try {
      const answer = await api.lenient((token) => api.post(this.path, mine, token), keep.account()?.token);
      if (this.question !== mine) return;
      this.answer = answer;
      this.draw();
    } catch (fault) {
      if (!(fault instanceof api.Fault)) throw fault;
      if (this.question === mine)
        this.body.replaceChildren(
          make('p', { class: 'fault' }, fault.status === 0 ? shared('offline') : said(fault.message)),
        );
    }
    this.changed?.();
  }

  leave() {
    clearTimeout(this.timer);
    this.question = null;
  }
}

export class Why extends Panel {
  constructor(changed) {
    super('why', '/api/explain');
    this.changed = changed;
    this.heat = make('input', {
      type: 'checkbox',
      id: 'heat',
      checked: keep.setting('heat', true),
      onchange: () => {
        keep.set('heat', this.heat.checked);
        changed();
      },
    });
  }

  /** What each cell adds, if that is to be seen. */
  cells() {
    const { cells = [], to_move: side } = this.answer ?? {};
    return this.isOpen && this.heat.checked ? cells.map((value) => told(value, side)) : [];
  }

  draw() {
    const { terms, total, unit, link, to_move: side, cells } = this.answer;
    const worthSaying = terms
      .filter(({ contribution }) => contribution !== 0)
      .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
    const row = ({ name, value, weight, contribution }) =>
      make(
        'tr',
        {},
        make('td', {}, termName(name)),
        make('td', {}, number(value, { maximumFractionDigits: 2 })),
        make('td', {}, number(weight, { maximumFractionDigits: 2 })),
        make('td', { class: tone(told(contribution, side)) }, signed(told(contribution, side))),
      );
    const rest = worthSaying.slice(SHOWN);
    const left = told(rest.reduce((sum, { contribution }) => sum + contribution, 0), side);
    const head = ['term', 'amount', 'weight', 'adds'].map((key) => make('th', { scope: 'col' }, text(key)));
    this.body.replaceChildren(
      make('p', { class: 'none' }, `${text('whyAbout')} (${termName(unit)}; ${scale()}).`),
      cells.length > 0 ? make('label', { class: 'check' }, this.heat, text('heat')) : '',
      worthSaying.length === 0
        ? make('p', { class: 'none' }, text('noTerms'))
        : make(
            'table',
            { class: 'terms-table', id: 'terms' },
            make('thead', {}, make('tr', {}, head)),
            make(
              'tbody',
              {},
              worthSaying.slice(0, SHOWN).map(row),
              rest.length > 0
                ? make(
                    'tr',
                    {},
                    make('td', { colspan: 3 }, text('rest', rest.length)),
                    make('td', { class: tone(left) }, signed(left)),
                  )
                : null,
            ),
            make(
              'tfoot',
              {},
              make(
                'tr',
                {},
                make('td', { colspan: 3 }, `${text('total')} ${link ? text('link', termName(link)) : ''}`),
                make('td', {}, signed(told(total, side))),
              ),
            ),
          ),
    );
  }
}

export class Known extends Panel {
  constructor(play, changed) {
    super('known', '/api/known');
    Object.assign(this, { play, changed });
    this.body = make('div');
    this.tables = new Tables(() => this.again());
    this.element.append(this.body, this.tables.element);
  }

  open(isOpen) {
    super.open(isOpen);
    if (isOpen && this.question) this.tables.show(this.question);
  }

  show(question) {
    super.show(question);
    if (this.isOpen) this.tables.show(question);
  }

  /** Asks once more: more is known than before. */
  again() {
    this.answer = null;
    if (this.isOpen) this.ask();
  }

  leave() {
    super.leave();
    this.tables.leave();
  }

  /** What each move is known to be worth, if that is to be seen. */
  valued() {
    return this.isOpen ? valuedMoves(this.answer, this.side) : null;
  }

  draw() {
    const { tablebase, book, solver } = this.answer;
    const part = (key, panel, draw) =>
      panel
        ? [make('h2', {}, text(key)), panel.state === 'known' ? draw(panel) : make('p', { class: 'none' }, said(panel.why))]
        : [];
    const all = [
      ...part('solver', solver, (panel) => this.solved(panel)),
      ...part('tablebase', tablebase, (panel) => this.table(panel)),
      ...part('book', book, (panel) => this.book(panel)),
    ];
    this.body.replaceChildren(...(all.length > 0 ? all : [make('p', { class: 'none' }, text('ended'))]));
  }

  chip(move, more, kind, tip = null) {
    return make(
      'li',
      {},
      make(
        'button',
        { type: 'button', class: `chip ${kind}`, title: tip, onclick: () => this.play(move) },
        make('b', { class: 'mono' }, move),
        ` ${more}`,
      ),
    );
  }

  solved({ score, nodes, seconds, moves }) {
    const side = this.side;
    return make(
      'div',
      { id: 'solved' },
      make(
        'p',
        {},
        make('b', {}, signed(told(score, side))),
        ` · ${text('solvedIn', short(nodes), number(seconds, { maximumFractionDigits: 2 }))}`,
      ),
      make(
        'ul',
        { class: 'chips' },
        moves.map(({ move, score: one }) => this.chip(move, signed(told(one, side)), tone(one))),
      ),
    );
  }

  table(known) {
    const more = (one) => [outcome(one), repliesWords(one)].filter(Boolean).join(' · ');
    return make(
      'div',
      { id: 'tablebase' },
      make('p', { class: 'danger-row' }, make('b', {}, outcome(known)), dangerBar(known), make('span', { id: 'danger' }, dangerWords(known))),
      make(
        'ul',
        { class: 'chips' },
        known.moves.map((one) => this.chip(one.move, more(one), `${one.value} ${isTrap(one) ? 'trap' : ''}`)),
      ),
    );
  }

  book({ moves, advice }) {
    return make(
      'ul',
      { class: 'chips', id: 'book-moves' },
      moves.map(({ move, results, value }) => {
        const more = results.some((count) => count > 0)
          ? text('results', ...results)
          : `${text('untried')}${value === null ? '' : `, ${signed(told(value, this.side))}`}`;
        return this.chip(
          move,
          `${more}${move === advice ? ` · ${text('advised')}` : ''}`,
          move === advice ? 'plus' : '',
        );
      }),
    );
  }
}
