// Earlier positions of a table: asked for one by one, remembered as long as the game goes on from them.

import * as api from '../api.js';

export class Replay {
  /** `path` of the table, `changed()` when another position is looked at. */
  constructor(path, changed) {
    Object.assign(this, { path, changed, views: new Map(), moves: [], at: null, wanted: null });
  }

  /** The game as it stands; positions of moves that were taken back are forgotten. */
  know(view) {
    const goesOn = this.moves.every((move, ply) => move === view.moves[ply]);
    if (!goesOn) this.views.clear();
    if (!goesOn || this.at >= view.moves.length) this.leave();
    this.moves = view.moves;
    this.views.set(view.moves.length, view);
  }

  /** The view looked at; the latest if none is. */
  view() {
    return this.views.get(this.at ?? this.moves.length);
  }

  leave() {
    this.at = null;
    this.wanted = null;
  }

  /** Looks at the position after `ply` moves; null, or all of them, is the game as it stands. */
  async look(ply) {
    const target = ply === null || ply >= this.moves.length ? null : Math.max(0, ply);
    this.wanted = target;
    if (target !== null && !this.views.has(target)) await this.fetch(target);
    if (this.wanted !== target || (target !== null && !this.views.has(target))) return;
    this.at = target;
    this.changed();
  }

  /** A position that cannot be had is not looked at; the table says by itself if it is out of reach. */
  async fetch(ply) {
    try {
      this.views.set(ply, (await api.get(`${this.path}/at/${ply}`)).view);
    } catch (fault) {
      if (!(fault instanceof api.Fault)) throw fault;
    }
  }

  /** One move on or back, or to the `first` or `last` position. */
  step(by) {
    const now = this.wanted ?? this.at ?? this.moves.length;
    this.look(by === 'first' ? 0 : by === 'last' ? null : now + by);
  }
}
