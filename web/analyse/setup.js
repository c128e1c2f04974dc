// The set-up editor: click stones onto cells. Whether that is a position is for the server to say.

import * as api from '../api.js';
import { Board } from '../board/board.js';
import { nothing } from '../board/input.js';
import { listen } from '../board/pointer.js';
import { element } from '../board/svg.js';
import { dictionary, text as shared } from '../i18n.js';
import { button, field, make, segments } from '../parts/html.js';
import { said } from '../said.js';
import words from '../words/analyse.js';

const text = dictionary(words);
const QUIET = {
  last: [],
  options: { left: [], landed: false, targets: [], removable: [] },
  choice: nothing(),
  ghosts: [],
  arrows: [],
  pointers: [],
  notes: [],
};

/** Edits a position of `game`, as it is offered, from `position`; `done(position)` or `cancel()` ends it. */
export class Editor {
  constructor({ game, rules, flipped, done, cancel }) {
    Object.assign(this, { game, rules, flipped, done, cancel, brush: 'black' });
    this.svg = element('svg', {
      class: 'board',
      id: 'board',
      role: 'group',
      'aria-label': shared('boardOf', shared(game.name)),
    });
    this.board = new Board(this.svg, (cell, { board, stones }) => ({
      active: true,
      text: `${board.cells[cell].name}, ${stones[cell] ? shared(stones[cell].colour) : shared('empty')}`,
    }));
    this.stop = listen(this.board, {
      pick: (cell) => this.put(cell),
      direct() {},
      drop() {},
      cancel() {},
      carried: () => [],
    });
    this.fault = make('p', { class: 'fault', role: 'alert' });
    this.element = make('section', { class: 'card pad editor', id: 'editor' });
  }

  /** Begins with a position as text; the usual start if none. */
  async load(position) {
    const asked = { game: this.game.name, rules: this.rules };
    const { view, counts } = await api.post('/api/position', position ? { ...asked, position } : asked);
    Object.assign(this, { stones: view.stones, toMove: view.to_move, counts });
    this.draw();
  }

  put(cell) {
    const now = this.stones[cell];
    const next = now === this.brush || this.brush === 'empty' ? null : this.brush;
    if (!this.fromHand(now, next)) return;
    this.fault.textContent = '';
    this.stones = this.stones.map((stone, number) => (number === cell ? next : stone));
    this.show();
  }

  /** Stones in hand are put on the board and go back there; false if none is left. */
  fromHand(now, next) {
    if (this.game.counted !== 'hand') return true;
    if (next && next !== now && this.counts[next] === 0) {
      this.fault.textContent = text('handEmpty', shared(next));
      return false;
    }
    if (now) this.counts[now] += 1;
    if (next) this.counts[next] -= 1;
    this.count();
    return true;
  }

  count() {
    for (const side of ['black', 'white']) {
      const input = this.element.querySelector(`#count-${side}`);
      if (input) input.value = this.counts[side];
    }
  }

  clear() {
    if (this.game.counted === 'hand')
      for (const stone of this.stones) if (stone) this.counts[stone] += 1;
    this.stones = this.stones.map(() => null);
    this.count();
    this.show();
  }

  show() {
    this.board.show({
      ...QUIET,
      board: this.game.board,
      flipped: this.flipped,
      stones: this.stones.map((colour) => (colour ? { colour } : null)),
    });
  }

  draw() {
    const brushes = this.game.kinds.map((stone) => [stone, shared(stone)]);
    const count = (side) => {
      const input = make('input', {
        type: 'number',
        id: `count-${side}`,
        min: 0,
        max: 15,
        value: this.counts[side],
        onchange: () => {
          this.counts[side] = Math.max(0, Math.min(15, Math.round(Number(input.value)) || 0));
        },
      });
      return field(text(this.game.counted, shared(side)), input);
    };
    this.element.replaceChildren(
      make('p', { class: 'said-row' }, text('setUpAbout')),
      field(
        text('brush'),
        segments(
          'brush',
          [...brushes, ['empty', text('erase')]],
          this.brush,
          (brush) => {
            this.brush = brush;
          },
          text('brush'),
        ),
      ),
      field(
        text('toMove'),
        segments(
          'to-move',
          ['black', 'white'].map((side) => [side, shared(side)]),
          this.toMove,
          (side) => {
            this.toMove = side;
          },
          text('toMove'),
        ),
      ),
      this.counts ? make('div', { class: 'counts' }, count('black'), count('white')) : '',
      make(
        'div',
        { class: 'row' },
        button({
          id: 'clear',
          kind: 'small',
          word: text('clear'),
          press: () => this.clear(),
        }),
        button({ id: 'start-position', kind: 'small', word: text('startPosition'), press: () => this.load(null) }),
      ),
      this.fault,
      make(
        'div',
        { class: 'row' },
        button({ id: 'use', kind: 'primary', word: text('use'), press: () => this.finish() }),
        button({ id: 'cancel-setup', word: shared('cancel'), press: this.cancel }),
      ),
    );
    this.show();
  }

  async finish() {
    const asked = { game: this.game.name, rules: this.rules, stones: this.stones, to_move: this.toMove };
    if (this.counts) asked.counts = this.counts;
    try {
      const { position } = await api.post('/api/position', asked);
      this.done(position);
    } catch (fault) {
      if (!(fault instanceof api.Fault)) throw fault;
      this.fault.textContent = fault.status === 0 ? shared('offline') : said(fault.message);
    }
  }

  leave() {
    this.stop();
  }
}
