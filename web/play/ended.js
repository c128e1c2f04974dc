// The end of a game: who won and why, the score, what it did to the ratings, and how well both played.
//
// How well they played comes from a short review that the server is asked for once the game has ended.

import * as api from '../api.js';
import { dictionary, number, text as shared } from '../i18n.js';
import { make } from '../parts/html.js';
import { said } from '../said.js';
import words from '../words/play.js';
import { score } from './pieces.js';
import { nameOf } from './players.js';

const text = dictionary(words);
const SIDES = ['black', 'white'];
const PAUSE = 500;
const TIME = 20;
/** Shorter games say nothing about those who played them. */
const LEAST_PLIES = 8;

/** How the game ended, in words. */
export function outcome({ winner, reason }) {
  if (reason === 'aborted') return said(reason);
  return `${winner ? shared('wins', shared(winner)) : shared('draw')} – ${said(reason)}`;
}

/** The card of an ended game. */
export class Ended {
  constructor(changed) {
    this.changed = changed;
    this.accuracy = null;
    this.element = make('div', { class: 'ended-card', id: 'ended' });
  }

  show({ table, view, mine }) {
    this.ask(table, mine);
    const found = score(view);
    const { winner } = table.result;
    const row = (side) =>
      make(
        'li',
        { class: winner === side ? 'winner' : '', 'data-side': side },
        make('span', { class: `pip ${side}`, role: 'img', 'aria-label': shared(side) }),
        make('span', { class: 'ended-name' }, nameOf(table.players[side], side, mine)),
        this.change(table.players[side]),
        this.accurate(side),
        make('b', { class: 'ended-score' }, number(found[side])),
      );
    const content = make('ul', {}, SIDES.map(row));
    if (content.innerHTML !== this.shown) this.element.replaceChildren(content);
    this.shown = content.innerHTML;
  }

  change({ rating, rating_change: change }) {
    if (!rating || change === undefined || change === null) return null;
    const whole = { maximumFractionDigits: 0, useGrouping: false };
    const now = number(rating.rating ?? rating, whole);
    return make(
      'span',
      { class: `ended-rating ${change < 0 ? 'minus' : 'plus'}` },
      `${now} (${number(change, { ...whole, signDisplay: 'exceptZero' })})`,
    );
  }

  accurate(side) {
    const share = this.accuracy?.[side];
    if (share === undefined || share === null) return null;
    return make(
      'span',
      { class: 'ended-accuracy', title: text('accuracyAbout') },
      text('accuracy', number(share, { style: 'percent', maximumFractionDigits: 0 })),
    );
  }

  /** Lets the server look at the game, once, for those who played it. */
  async ask(table, mine) {
    const { view, start } = table;
    if (this.asked === table.id || mine.length === 0 || view.moves.length < LEAST_PLIES) return;
    this.asked = table.id;
    const question = { game: view.game, rules: view.rules, start, moves: view.moves, time_ms: TIME };
    try {
      let report = await api.post('/api/review', question);
      while (!report.finished && !report.error && !report.stopped && !this.gone) {
        await new Promise((done) => setTimeout(done, PAUSE));
        report = await api.get(`/api/review/${report.id}`);
      }
      if (report.finished && !this.gone) this.take(report);
    } catch (fault) {
      // Without a review the card says less.
      if (!(fault instanceof api.Fault)) throw fault;
    }
  }

  /** The share of moves that gave nothing away worth a mark. */
  take(report) {
    this.accuracy = Object.fromEntries(SIDES.map((side) => [side, report[side]?.accuracy ?? null]));
    this.changed();
  }

  leave() {
    this.gone = true;
  }
}
