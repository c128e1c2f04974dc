// The review of a game: asked for once, looked at until it is done; marks, curve and what was better at each move.

import * as api from '../api.js';
import { dictionary, number, text as shared } from '../i18n.js';
import * as keep from '../keep.js';
import { button, make } from '../parts/html.js';
import { signs } from '../parts/moves.js';
import { said } from '../said.js';
import { keepers } from '../teach/keepers.js';
import { reasons } from '../teach/why.js';
import words from '../words/analyse.js';

const text = dictionary(words);
const PAUSE = 400;
const MARKS = ['inaccuracy', 'mistake', 'blunder'];
const WORDS = { inaccuracy: 'wasInaccuracy', mistake: 'wasMistake', blunder: 'wasBlunder' };

/** `changed()` is called whenever there is more to show; `go(ply, moves)` shows a better line after a ply. */
export class Review {
  constructor({ changed, go, look }) {
    Object.assign(this, { changed, go, look, report: null });
    this.element = make('div', { class: 'panel review-card', id: 'review' });
  }

  get runs() {
    return Boolean(this.report && !this.report.finished && !this.report.stopped && !this.report.error);
  }

  /** Forgets the review of another game. */
  forget() {
    if (this.runs) api.post(`/api/review/${this.report.id}/stop`, {}).catch(() => {});
    clearTimeout(this.timer);
    this.report = null;
    this.fault = null;
  }

  async begin(question) {
    this.forget();
    this.question = question;
    await this.take(() =>
      api.lenient((token) => api.post('/api/review', question, token), keep.account()?.token),
    );
  }

  async stop() {
    await this.take(() => api.post(`/api/review/${this.report.id}/stop`, {}));
  }

  async take(ask) {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    try {
      const report = await ask();
      if (turn !== this.turn || this.gone) return;
      this.report = report;
    } catch (fault) {
      if (!(fault instanceof api.Fault)) throw fault;
      if (turn !== this.turn || this.gone) return;
      this.fault = fault.status === 0 ? shared('offline') : said(fault.message);
      if (fault.status === 404) this.report = null;
    }
    clearTimeout(this.timer);
    if (this.runs) this.timer = setTimeout(() => this.take(() => api.get(`/api/review/${this.report.id}`)), PAUSE);
    this.changed();
  }

  /** Marks by the number of the move. */
  marks() {
    return Object.fromEntries(
      (this.report?.plies ?? []).filter(({ mark }) => mark).map(({ ply, mark }) => [ply, mark]),
    );
  }

  /** [ply, value for Black] as far as they are known. */
  values() {
    return (this.report?.values ?? []).map((verdict, ply) => [ply, verdict?.value ?? null]);
  }

  /** Draws what there is to say about the move that led to the position after `at` moves. */
  show({ at, count, isMain, start }) {
    const { report } = this;
    // Drawn anew only if there is something new, so that nothing moves away below a finger.
    const shown = JSON.stringify([at, count, isMain, this.fault, report]);
    this.start = start;
    if (shown === this.shown) return;
    this.shown = shown;
    const fault = this.fault ? make('p', { class: 'fault', role: 'alert' }, this.fault) : null;
    if (!report) {
      this.element.replaceChildren(
        ...[
          button({ id: 'begin-review', picture: 'analyse', word: text('review'), disabled: count === 0, press: () => this.start() }),
          count === 0 ? make('p', { class: 'none' }, text('noReview')) : null,
          fault,
        ].filter(Boolean),
      );
      return;
    }
    const progress = this.runs
      ? [
          make('p', { role: 'status' }, text('reviewing', report.done, report.of)),
          make('progress', { max: report.of, value: report.done }),
          button({ id: 'stop-review', kind: 'small', word: text('stop'), press: () => this.stop() }),
        ]
      : [];
    const failed =
      report.error && !report.finished ? make('p', { class: 'none' }, text('reviewFailed', report.error)) : null;
    const next = report.plies.find(({ ply, mark }) => mark && ply > at) ?? report.plies.find(({ mark }) => mark);
    const row = this.runs
      ? null
      : make(
          'div',
          { class: 'row' },
          next
            ? button({ id: 'next-mark', kind: 'small', word: text('nextMark'), press: () => this.look(next.ply) })
            : null,
          button({ id: 'begin-review', kind: 'small', word: text('again'), press: () => this.start() }),
          keepers(this.question, report),
        );
    this.element.replaceChildren(
      ...[...progress, failed, fault, this.tallies(), this.phases(), isMain ? this.verdict(at) : null, row].filter(Boolean),
    );
  }

  tallies() {
    const count = (side, mark) => this.report.plies.filter((ply) => ply.side === side && ply.mark === mark).length;
    return make(
      'table',
      { class: 'tallies', id: 'tallies' },
      make('thead', {}, make('tr', {}, make('td'), ...['black', 'white'].map((side) => make('td', {}, shared(side))))),
      make(
        'tbody',
        {},
        MARKS.map((mark) =>
          make(
            'tr',
            {},
            make('th', { scope: 'row' }, `${signs[mark]} ${text(mark)}`),
            ...['black', 'white'].map((side) => make('td', {}, count(side, mark))),
          ),
        ),
      ),
    );
  }

  /** How often each side played without a mark: in all, and in each phase. */
  phases() {
    const { black, white, phases } = this.report;
    const share = ({ moves, accuracy }) => (moves === 0 ? '–' : number(accuracy, { style: 'percent', maximumFractionDigits: 0 }));
    const line = (name, sides, kind) =>
      make('tr', { class: kind, 'data-phase': kind }, make('th', { scope: 'row' }, name), ...sides.map((side) => make('td', { title: text('ofMoves', side.moves) }, share(side))));
    if (black.moves + white.moves === 0) return null;
    return make(
      'table',
      { class: 'tallies', id: 'accuracy' },
      make('thead', {}, make('tr', {}, make('td', {}, text('accuracy')), ...['black', 'white'].map((side) => make('td', {}, shared(side))))),
      make('tbody', {}, line(text('wholeGame'), [black, white], 'whole'), phases.map(({ phase, black: dark, white: light }) => line(text(phase), [dark, light], phase))),
    );
  }

  verdict(at) {
    const found = this.report.plies.find(({ ply }) => ply === at);
    if (!found) return null;
    const { move, mark, loss, best, better } = found;
    const word = mark ? WORDS[mark] : best === move ? 'wasBest' : 'wasGood';
    const lost =
      this.report.scale.unit === 'discs'
        ? text('lostDiscs', number(loss, { maximumFractionDigits: 1 }))
        : text('lostChance', number(100 * loss, { maximumFractionDigits: 0 }));
    return make(
      'div',
      { class: `verdict ${mark ?? ''}`, id: 'verdict' },
      make('span', { class: 'mono' }, move),
      mark ? make('span', { class: 'sign' }, signs[mark]) : null,
      ` ${text(word)}${mark ? ` (${lost})` : ''}. `,
      better.length > 0
        ? make(
            'span',
            { class: 'better' },
            `${text('better')} `,
            better
              .slice(0, 10)
              .map((one, number) =>
                make(
                  'button',
                  { type: 'button', class: 'mono', onclick: () => this.go(at - 1, better.slice(0, number + 1)) },
                  one,
                ),
              ),
          )
        : null,
      mark ? reasons(this.question, found, this.report.values[at]) : null,
    );
  }

  leave() {
    this.gone = true;
    this.forget();
  }
}
