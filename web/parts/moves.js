// The list of moves: two a row, one of them marked as the one looked at; a click looks at another.
//
//   const list = new MoveList({ look: (ply) => ..., empty: 'No moves yet', label: 'Moves' });
//   root.append(list.element);
//   list.show({ moves, at, marks: { 3: 'blunder' } });
//
// `at` is how many moves have been played in the position looked at; 0 is the start. `marks` gives the move with that
// number (from 1) a class and, by `signs`, a sign behind it (such as `??`).

import { make } from './html.js';

export const signs = { inaccuracy: '?!', mistake: '?', blunder: '??' };

export class MoveList {
  constructor({ look, empty, label }) {
    this.look = look;
    this.empty = empty;
    this.element = make('ol', { class: 'moves', 'aria-label': label, id: 'moves' });
  }

  /** Draws the list anew only if something about it changed. */
  show({ moves, at = moves.length, marks = {} }) {
    const shown = JSON.stringify([moves, marks]);
    if (shown !== this.shown) {
      this.shown = shown;
      this.buttons = moves.map((move, ply) => this.button(move, ply, marks[ply + 1]));
      this.element.replaceChildren(...this.rows());
      if (moves.length === 0) this.element.append(make('li', { class: 'none' }, this.empty));
      this.at = null;
    }
    if (at !== this.at) this.mark(at);
  }

  rows() {
    const rows = [];
    for (let ply = 0; ply < this.buttons.length; ply += 2) {
      const number = make('span', { class: 'number', 'aria-hidden': 'true' }, `${ply / 2 + 1}`);
      rows.push(make('li', {}, number, this.buttons.slice(ply, ply + 2)));
    }
    return rows;
  }

  button(move, ply, mark) {
    return make(
      'button',
      { type: 'button', class: `move ${mark ?? ''}`.trim(), 'data-ply': ply + 1, onclick: () => this.look(ply + 1) },
      move,
      mark ? make('span', { class: 'sign' }, signs[mark] ?? '') : null,
    );
  }

  mark(at) {
    this.at = at;
    this.buttons.forEach((button, ply) => {
      if (ply + 1 === at) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    });
    const now = this.buttons[at - 1];
    const list = this.element;
    if (!now) list.scrollTop = 0;
    else if (
      now.offsetTop < list.scrollTop + 8 ||
      now.offsetTop + now.offsetHeight > list.scrollTop + list.clientHeight - 8
    ) {
      list.scrollTop = now.offsetTop - list.clientHeight / 2;
    }
  }
}
