// The list of moves with values and marks, and variations between them. One button a move; the one looked at is marked.

import { make } from '../parts/html.js';
import { signs } from '../parts/moves.js';

export class MoveTree {
  /** `look(node)` shows a node; `value(node)` gives its words, `mark(ply)` the mark of a move of the game. */
  constructor({ look, value, mark, empty, label }) {
    Object.assign(this, { look, value, mark, empty });
    this.element = make('div', { class: 'moves move-tree', id: 'moves', 'aria-label': label, role: 'group' });
  }

  /** Draws the list anew only if moves or marks are others, so that nothing moves away below a finger. */
  show(tree, at) {
    const shown = `${tree.text()} ${tree.line().map((_, ply) => this.mark(ply + 1) ?? '').join()}`;
    if (shown !== this.shown || tree !== this.tree) {
      Object.assign(this, { shown, tree, at: undefined, values: new Map(), buttons: new Map() });
      this.element.replaceChildren(...this.draw(tree));
    }
    for (const [one, place] of this.values) {
      const words = this.value(one);
      if (place.textContent !== words) place.textContent = words;
    }
    if (at !== this.at) this.point(at);
  }

  /** Marks the move looked at and brings it into sight. */
  point(at) {
    this.buttons.get(this.at)?.removeAttribute('aria-current');
    this.at = at;
    const now = this.buttons.get(at);
    now?.setAttribute('aria-current', 'step');
    const list = this.element;
    if (!now) list.scrollTop = 0;
    else {
      const [top, bottom] = [now.offsetTop, now.offsetTop + now.offsetHeight];
      if (top < list.scrollTop + 8 || bottom > list.scrollTop + list.clientHeight - 8)
        list.scrollTop = top - list.clientHeight / 2;
    }
  }

  /** Rows of two moves each; what is tried in place of a move stands below its row. */
  draw(tree) {
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
          pair.map((one, number) => this.move(one, this.mark(ply + number + 1))),
        ),
      );
      for (const one of pair) {
        if (one.comment) rows.push(make('p', { class: 'comment' }, one.comment));
        for (const other of one.parent.children.slice(1)) {
          if (one.parent.children[0] === one) rows.push(make('div', { class: 'variation' }, this.variation(other)));
        }
      }
    }
    return rows;
  }

  move(one, mark) {
    const value = make('span', { class: 'move-value' });
    const sign = signs[mark] ? make('span', { class: 'sign' }, signs[mark]) : null;
    this.values.set(one, value);
    return make('span', { class: `move-cell ${mark ?? ''}` }, this.button(one, `move ${mark ?? ''}`.trim(), sign), value);
  }

  button(one, kind, more = null) {
    const made = make('button', { type: 'button', class: kind, onclick: () => this.look(one) }, one.move, more);
    this.buttons.set(one, made);
    return made;
  }

  /** A line and, in brackets, what branches off from it. */
  variation(from) {
    const parts = [];
    for (let one = from; one; [one] = one.children) {
      parts.push(this.button(one, 'branch'));
      if (one.comment) parts.push(make('span', { class: 'comment' }, one.comment));
      for (const other of one.children.slice(1)) parts.push(make('span', { class: 'nested' }, '(', this.variation(other), ')'));
    }
    return parts;
  }
}
