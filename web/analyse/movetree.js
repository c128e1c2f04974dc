// The list of moves with values and marks, and variations between them. One button a move; the one looked at is marked.

import { make } from '../parts/html.js';
import { signs } from '../parts/moves.js';

export class MoveTree {
  /** `look(node)` shows a node; `value(node)` gives its words, `mark(ply)` the mark of a move of the game. */
  constructor({ look, value, mark, empty, label }) {
    Object.assign(this, { look, value, mark, empty });
    this.element = make('div', { class: 'moves move-tree', id: 'moves', 'aria-label': label, role: 'group' });
  }

  show(tree, at) {
    const shown = this.draw(tree, at);
    this.element.replaceChildren(...shown);
    const now = this.element.querySelector('[aria-current]');
    const list = this.element;
    if (!now) list.scrollTop = 0;
    else {
      const [top, bottom] = [now.offsetTop, now.offsetTop + now.offsetHeight];
      if (top < list.scrollTop + 8 || bottom > list.scrollTop + list.clientHeight - 8)
        list.scrollTop = top - list.clientHeight / 2;
    }
  }

  /** Rows of two moves each; what is tried in place of a move stands below its row. */
  draw(tree, at) {
    const main = tree.line();
    if (main.length === 0) return [make('p', { class: 'none' }, this.empty)];
    const rows = [];
    for (let ply = 0; ply < main.length; ply += 2) {
      const pair = main.slice(ply, ply + 2);
      rows.push(
        make(
          'div',
          { class: 'pair-row' },
          make('span', { class: 'number', 'aria-hidden': 'true' }, `${ply / 2 + 1}`),
          pair.map((one, number) => this.move(one, at, this.mark(ply + number + 1))),
        ),
      );
      for (const one of pair) {
        if (one.comment) rows.push(make('p', { class: 'comment' }, one.comment));
        for (const other of one.parent.children.slice(1)) {
          if (one.parent.children[0] === one) rows.push(make('div', { class: 'variation' }, this.variation(other, at)));
        }
      }
    }
    return rows;
  }

  move(one, at, mark) {
    return make(
      'span',
      { class: `move-cell ${mark ?? ''}` },
      make(
        'button',
        { type: 'button', class: `move ${mark ?? ''}`.trim(), onclick: () => this.look(one), 'aria-current': one === at ? 'step' : null },
        one.move,
        signs[mark] ? make('span', { class: 'sign' }, signs[mark]) : null,
      ),
      make('span', { class: 'move-value' }, this.value(one)),
    );
  }

  /** A line and, in brackets, what branches off from it. */
  variation(from, at) {
    const parts = [];
    for (let one = from; one; [one] = one.children) {
      parts.push(
        make(
          'button',
          { type: 'button', class: 'branch', onclick: () => this.look(one), 'aria-current': one === at ? 'step' : null },
          one.move,
        ),
      );
      if (one.comment) parts.push(make('span', { class: 'comment' }, one.comment));
      for (const other of one.children.slice(1)) parts.push(make('span', { class: 'nested' }, '(', this.variation(other, at), ')'));
    }
    return parts;
  }
}
