// A board with something to do on it: shows a position and the moves from there, asks what a move does.
//
//   const task = new Task({ game: offered, played: (move) => ... });
//   root.append(task.svg);
//   await task.show({ start, moves, enabled });
//   task.leave();

import * as api from '../api.js';
import { Playing } from '../board/playing.js';

export class Task {
  constructor({ game, rules = '', played, changed = () => {} }) {
    this.game = game;
    this.rules = rules;
    this.turn = 0;
    this.playing = new Playing({ play: played, changed });
  }

  get svg() {
    return this.playing.svg;
  }

  /** Shows the position after `moves`; false if something else has been shown meanwhile. */
  async show({ start = null, moves = [], enabled = true, pointers = [] }) {
    const mine = ++this.turn;
    this.svg.setAttribute('aria-busy', 'true');
    const question = { game: this.game.name, rules: this.rules, moves };
    const { view } = await api.post('/api/look', start ? { ...question, start } : question);
    if (mine !== this.turn) return false;
    this.view = view;
    // Who is to move at the beginning sits below.
    const first = moves.length % 2 === 0 ? view.to_move : view.to_move === 'black' ? 'white' : 'black';
    this.side ??= first;
    // A move that is taken back leaves the position as it was: what was drawn of it goes.
    this.playing.settle();
    this.playing.show({ board: this.game.board, view, enabled, pointers, flipped: false });
    this.svg.setAttribute('aria-busy', 'false');
    return true;
  }

  leave() {
    this.turn += 1;
    this.playing.leave();
  }
}

/** A moment, so that a reply is seen to follow. */
export const pause = (milliseconds) =>
  new Promise((done) => {
    setTimeout(done, milliseconds);
  });
