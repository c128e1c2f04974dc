// A board that is played on: draws a view, turns picks, drags and keys into one of its legal moves. No rules here.
//
//   const playing = new Playing({ play: (text) => ..., changed: () => ... });
//   root.append(playing.svg);
//   playing.show({ board, view, flipped, enabled, waits, pointers, notes });   // `view` as the server sends it
//   playing.prompt()                                                    // what the person is asked to do next
//   playing.leave();                                                    // takes its listeners off the document
//
// `valued` are notes on moves, shown on what can be picked next: see valued.js. `enabled` false only shows. `pointers` are arrows such as a hint's: see Board. `play` gets the text of the decided
// move; `changed` is called when something has been picked or dropped, so that the page can say what comes next.
//
// A move is drawn at once; `settle()` takes it back if the server refuses it. With `waits` the cells for the next move
// can be picked before it is one's turn: they are clicked again as soon as it is, and forgotten if that is no move.

import { text } from '../i18n.js';
import { Board } from './board.js';
import * as input from './input.js';
import { listen } from './pointer.js';
import { element } from './svg.js';
import { valuedNotes } from './valued.js';

const STONES = { squares: 'disc', lines: 'stone', hollows: 'marble' };
const other = (side) => (side === 'black' ? 'white' : 'black');
const MOST_AHEAD = 4;

export class Playing {
  constructor({ play, changed = () => {} }) {
    this.svg = element('svg', { class: 'board', id: 'board', role: 'group', 'aria-busy': 'false' });
    this.play = play;
    this.changed = changed;
    this.choice = input.nothing();
    this.ahead = [];
    this.pending = null;
    this.refused = null;
    this.board = new Board(this.svg, describe);
    this.stop = listen(this.board, this.handlers());
  }

  /** Shows a view; what was picked on another position is forgotten. */
  show({ board, view, flipped = false, enabled = true, waits = false, pointers = [], notes = [], decisive = [], valued = null }) {
    const stands = this.view && this.view.position === view.position && this.view.moves.length === view.moves.length;
    const same = stands && this.enabled === enabled;
    if (!same) [this.choice, this.refused] = [input.nothing(), null];
    if (!stands) this.pending = null;
    if (!waits && !enabled) this.ahead = [];
    Object.assign(this, { geometry: board, view, flipped, enabled, waits, pointers, notes, decisive, valued });
    this.draw();
    if (enabled && this.ahead.length > 0) this.playAhead();
  }

  get legal() {
    return this.enabled && !this.pending ? this.view.legal : [];
  }

  /** What was drawn and not confirmed is taken back. */
  settle() {
    if (!this.pending) return;
    this.pending = null;
    this.draw();
  }

  /** Clicks the cells that were picked before it was one's turn. */
  playAhead() {
    const cells = this.ahead;
    this.ahead = [];
    let choice = input.nothing();
    for (const cell of cells) {
      const done = input.click(this.legal, choice, cell);
      if (done.move) return this.choose(done);
      if (done.refused) break;
      choice = done.choice;
    }
    this.refused = text('aheadVoid');
    this.draw();
    return this.changed();
  }

  pickAhead(cell) {
    this.ahead = this.ahead.includes(cell) ? [] : [...this.ahead, cell].slice(-MOST_AHEAD);
    this.draw();
    this.changed();
  }

  draw() {
    this.scene = this.compose();
    this.board.show(this.scene);
    this.svg.setAttribute('aria-label', text('boardOf', text(this.view.game)));
  }

  /** What the board shows: the stones, with the chosen move as far as it is decided. */
  compose() {
    const { geometry, view, choice, flipped, legal, pending, pointers, decisive } = this;
    const options = input.options(legal, choice);
    const shown = pending ? played(view, pending, geometry.cells) : view.stones;
    const stones = shown.map((colour) => (colour ? { colour, provisional: false } : null));
    if (options.landed) {
      for (const cell of choice.from) stones[cell] = null;
      for (const cell of options.left[0].to) stones[cell] = { colour: view.to_move, provisional: true };
    }
    const known = valuedNotes(this.valued, legal, choice, options);
    const notes = known.length > 0 ? known : this.notes;
    return {
      board: geometry, flipped, stones, options, last: pending ? pending.to : view.last, pointers, notes, decisive,
      ahead: this.ahead,
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
    if (this.refused) return this.refused;
    if (this.ahead.length > 0) return text('ahead', this.ahead.map((cell) => this.geometry.cells[cell].name).join(' '));
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
  choose({ choice, move, refused }) {
    this.choice = choice;
    this.refused = refused ? text(refused) : null;
    if (move) this.commit(move);
    else this.draw();
    this.changed();
  }

  /** Draws a decided move at once and has it played. */
  commit(move) {
    this.choice = input.nothing();
    this.pending = move;
    this.draw();
    this.play(move.text);
  }

  handlers() {
    return {
      pick: (cell) => {
        if (!this.view || this.pending) return;
        if (this.waits && !this.enabled) this.pickAhead(cell);
        else this.choose(input.click(this.legal, this.choice, cell));
      },
      direct: (words) => {
        const move = this.legal.find((one) => one.text === words);
        if (move) this.commit(move);
      },
      drop: (stone, cell) => {
        const done = input.drop(this.legal, this.choice, stone, cell);
        if (done) this.choose(done);
      },
      cancel: () => {
        if (!this.view || (input.isEmpty(this.choice) && this.ahead.length === 0 && !this.refused)) return;
        this.ahead = [];
        this.choose({ choice: input.nothing() });
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

/** The stones after a move, as far as that can be seen without rules: what it takes up, puts down and takes off. */
function played(view, { from, to, remove }, cells) {
  const stones = [...view.stones];
  const mine = view.to_move;
  for (const cell of from) stones[cell] = null;
  pushed(stones, from, to, cells);
  for (const cell of to) stones[cell] = mine;
  for (const cell of remove) stones[cell] = null;
  return stones;
}

/** Stones that stand in the way of a row go one step on, as far as there are any. */
function pushed(stones, from, to, cells) {
  const front = to.find((cell) => !from.includes(cell));
  if (front === undefined || from.length < 2 || !stones[front]) return;
  const step = { x: cells[to[0]].x - cells[from[0]].x, y: cells[to[0]].y - cells[from[0]].y };
  const next = (cell) =>
    cells.findIndex((one) => Math.hypot(one.x - cells[cell].x - step.x, one.y - cells[cell].y - step.y) < 0.1);
  let [cell, carried] = [front, null];
  while (cell >= 0 && stones[cell]) {
    [stones[cell], carried] = [carried, stones[cell]];
    cell = next(cell);
  }
  if (cell >= 0) stones[cell] = carried;
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

const QUIET = { choice: input.nothing(), options: { left: [], landed: false, targets: [], removable: [] }, ghosts: [], arrows: [], pointers: [], notes: [], decisive: [], ahead: [], movable: new Set() };

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
