// A board that is played on: draws a view, turns picks, drags and keys into one of its legal moves. No rules here.
//
//   const playing = new Playing({ play: (text) => ..., changed: () => ... });
//   root.append(playing.svg);
//   playing.show({ board, view, flipped, enabled, pointers, notes });   // `view` as the server sends it
//   playing.prompt()                                                    // what the person is asked to do next
//   playing.leave();                                                    // takes its listeners off the document
//
// `enabled` false only shows. `pointers` are arrows such as a hint's: see Board. `play` gets the text of the decided
// move; `changed` is called when something has been picked or dropped, so that the page can say what comes next.

import { text } from '../i18n.js';
import { Board } from './board.js';
import * as input from './input.js';
import { listen } from './pointer.js';
import { element } from './svg.js';

const STONES = { squares: 'disc', lines: 'stone', hollows: 'marble' };
const other = (side) => (side === 'black' ? 'white' : 'black');

export class Playing {
  constructor({ play, changed = () => {} }) {
    this.svg = element('svg', { class: 'board', id: 'board', role: 'group', 'aria-busy': 'false' });
    this.play = play;
    this.changed = changed;
    this.choice = input.nothing();
    this.board = new Board(this.svg, describe);
    this.stop = listen(this.board, this.handlers());
  }

  /** Shows a view; what was picked on another position is forgotten. */
  show({ board, view, flipped = false, enabled = true, pointers = [], notes = [] }) {
    const same = this.view && this.view.position === view.position && this.view.moves.length === view.moves.length && this.enabled === enabled;
    if (!same) this.choice = input.nothing();
    Object.assign(this, { geometry: board, view, flipped, enabled, pointers, notes });
    this.draw();
  }

  get legal() {
    return this.enabled ? this.view.legal : [];
  }

  draw() {
    this.scene = this.compose();
    this.board.show(this.scene);
    this.svg.setAttribute('aria-label', text('boardOf', text(this.view.game)));
  }

  /** What the board shows: the stones, with the chosen move as far as it is decided. */
  compose() {
    const { geometry, view, choice, flipped, legal, pointers, notes } = this;
    const options = input.options(legal, choice);
    const stones = view.stones.map((colour) => (colour ? { colour, provisional: false } : null));
    if (options.landed) {
      for (const cell of choice.from) stones[cell] = null;
      for (const cell of options.left[0].to) stones[cell] = { colour: view.to_move, provisional: true };
    }
    return {
      board: geometry, flipped, stones, options, last: view.last, pointers, notes,
      choice: options.landed ? { ...choice, from: [] } : choice,
      ghosts: options.landed ? [] : choice.to,
      arrows: input.directions(legal, choice, geometry.cells),
      movable: new Set(legal.flatMap((move) => move.from)),
    };
  }

  /** What the person is asked to do with what is picked, or null if nothing is. */
  prompt() {
    const { choice, options } = this.scene;
    const side = this.view.to_move;
    if (this.enabled && input.forcedPass(this.view.legal)) return text('mustPass', text(side));
    if (options.removable.length > 0) return text(choice.remove.length === 0 ? 'remove' : 'removeStone', text(other(side)));
    if (choice.to.length > 0) return text('narrow');
    if (choice.from.length > 0) return text(this.legal.some((move) => move.from.length > 1) ? 'chooseMore' : 'choose');
    return null;
  }

  /** The text of the pass that is all the side to move can do, or null. */
  forcedPass() {
    return input.forcedPass(this.legal)?.text ?? null;
  }

  /** Takes over what a click or a drop did, and plays if that decided a move. */
  choose({ choice, move }) {
    this.choice = choice;
    if (move) this.play(move.text);
    else this.draw();
    this.changed();
  }

  handlers() {
    return {
      pick: (cell) => this.view && this.choose(input.click(this.legal, this.choice, cell)),
      direct: (move) => {
        this.choice = input.nothing();
        this.play(move);
      },
      drop: (stone, cell) => {
        const done = input.drop(this.legal, this.choice, stone, cell);
        if (done) this.choose(done);
      },
      cancel: () => {
        if (this.view && !input.isEmpty(this.choice)) this.choose({ choice: input.nothing() });
      },
      carried: (cell) => {
        const movable = this.choice.to.length === 0 && this.legal.some((move) => move.from.includes(cell));
        return movable ? input.carried(this.choice, cell) : [];
      },
    };
  }

  leave() {
    this.stop();
  }
}

/** The words for a cell, and whether a click there does something. */
function describe(cell, { board: geometry, stones, options, choice, last, movable }) {
  const stone = stones[cell];
  const words = [geometry.cells[cell].name, stone ? `${text(stone.colour)} ${text(STONES[geometry.ground])}` : text('empty')];
  const [isTarget, isRemovable] = [options.targets.includes(cell), options.removable.includes(cell)];
  const canMove = choice.to.length === 0 && movable.has(cell);
  if (choice.from.includes(cell)) words.push(text('chosen'));
  else if (isTarget) words.push(text('target'));
  else if (isRemovable) words.push(text('removable'));
  else if (canMove) words.push(text('movable'));
  if (last.includes(cell)) words.push(text('isLast'));
  return { text: words.join(', '), active: isTarget || isRemovable || canMove };
}

const QUIET = { choice: input.nothing(), options: { left: [], landed: false, targets: [], removable: [] }, ghosts: [], arrows: [], pointers: [], notes: [], movable: new Set() };

/** A picture of a position that cannot be played on: for lists, previews and archives. */
export class Picture {
  constructor(kind = 'board small') {
    this.svg = element('svg', { class: kind, role: 'img' });
    this.board = new Board(this.svg, describe);
  }

  show({ board, stones, last = [], flipped = false, label = '', pointers = [], notes = [] }) {
    this.svg.setAttribute('aria-label', label);
    this.board.show({ ...QUIET, board, flipped, last, pointers, notes, stones: stones.map((colour) => (colour ? { colour } : null)) });
    for (const cell of this.board.cells) {
      cell.removeAttribute('tabindex');
      cell.setAttribute('aria-hidden', 'true');
    }
  }
}
