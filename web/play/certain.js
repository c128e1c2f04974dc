// What is known for certain of the position at a table: asked only while it is to be seen, and never in rated games.

import * as api from '../api.js';
import { dictionary, text as shared } from '../i18n.js';
import * as keep from '../keep.js';
import { dangerBar, dangerWords, outcome, signed, valuedMoves } from '../parts/certain.js';
import { make } from '../parts/html.js';
import { told } from '../perspective.js';
import { said } from '../said.js';
import words from '../words/certain.js';

const text = dictionary(words);

export class Certain {
  /** `changed()` is called when there is something new to see. */
  constructor(changed) {
    Object.assign(this, { changed, key: '', answer: null, isOn: keep.setting('certain', false) });
    this.element = make('section', { class: 'card certain', id: 'certain', 'aria-label': text('certain'), hidden: true });
  }

  toggle() {
    this.isOn = !this.isOn;
    keep.set('certain', this.isOn);
    this.changed();
  }

  /** Asks about the position of a table, if it may be asked about. */
  show({ table, isOpen }) {
    const wanted = this.isOn && !table.result;
    this.element.hidden = !wanted;
    const { game, rules, moves } = table.view;
    const key = wanted && isOpen ? JSON.stringify([game, rules, table.start ?? null, moves]) : '';
    if (wanted && !isOpen) this.say(text('notInRated'));
    if (key === this.key) return;
    Object.assign(this, { key, answer: null });
    if (key) this.ask({ game, rules, moves, ...(table.start ? { start: table.start } : {}) }, table.view.to_move);
  }

  async ask(question, side) {
    const { key } = this;
    try {
      const answer = await api.lenient((token) => api.post('/api/known', question, token), keep.account()?.token);
      if (key !== this.key) return;
      Object.assign(this, { answer, side });
      this.draw();
      this.changed();
    } catch (fault) {
      if (!(fault instanceof api.Fault)) throw fault;
      if (key === this.key) this.say(fault.status === 0 ? shared('offline') : said(fault.message));
    }
  }

  /** What each move is worth, for the board. */
  valued() {
    return this.isOn ? valuedMoves(this.answer, this.side) : null;
  }

  say(words_) {
    this.element.replaceChildren(make('p', { class: 'none' }, words_));
  }

  draw() {
    const { tablebase, solver } = this.answer;
    if (tablebase?.state === 'known')
      this.element.replaceChildren(make('p', { class: 'danger-row' }, make('b', {}, outcome(tablebase)), dangerBar(tablebase), make('span', { id: 'danger' }, dangerWords(tablebase))));
    else if (solver?.state === 'known') this.element.replaceChildren(make('p', {}, make('b', {}, signed(told(solver.score, this.side)))));
    else this.say([text('nothingKnown'), ...[tablebase, solver].filter(Boolean).map(({ why }) => said(why))].join(' '));
  }
}
