// The tables of a game, built from the page: which there are, a button that builds more, how far that is, and its end.

import * as api from '../api.js';
import { dictionary, number, text as shared } from '../i18n.js';
import { button, field, make, select } from '../parts/html.js';
import { said } from '../said.js';
import words from '../words/certain.js';

const text = dictionary(words);
const PAUSE = 700;
const MEGABYTE = 1e6;

const time = (seconds) =>
  seconds < 90
    ? text('seconds', number(seconds, { maximumFractionDigits: 0 }))
    : text('minutes', number(seconds / 60, { maximumFractionDigits: 0 }));

export class Tables {
  /** `built()` is called when there are more tables than before. */
  constructor(built) {
    Object.assign(this, { built, key: '' });
    this.element = make('div', { id: 'tables', class: 'tables', hidden: true });
  }

  /** The tables of these rules. */
  show({ game, rules }) {
    const key = JSON.stringify([game, rules]);
    if (key === this.key) return;
    Object.assign(this, { key, asked: { game, rules }, stones: null, fault: '' });
    clearTimeout(this.timer);
    this.element.hidden = true;
    this.look();
  }

  leave() {
    clearTimeout(this.timer);
    this.key = '';
  }

  async look() {
    await this.take(() => api.post('/api/tablebases', this.asked));
  }

  async take(work) {
    const { key } = this;
    clearTimeout(this.timer);
    try {
      const found = await work();
      if (key !== this.key) return;
      if (found) this.draw(found);
    } catch (fault) {
      if (!(fault instanceof api.Fault)) throw fault;
      if (key !== this.key) return;
      this.fault = fault.status === 0 ? shared('offline') : said(fault.message);
      if (this.last) this.draw(this.last);
    }
    if (this.runs) this.timer = setTimeout(() => this.look(), PAUSE);
  }

  build() {
    this.fault = '';
    return this.take(() => api.post('/api/tablebases/build', { ...this.asked, stones: Number(this.stones) }));
  }

  async stop() {
    await this.take(() => api.post('/api/tablebases/stop', {}));
    await this.look();
  }

  draw(found) {
    const { sets, build } = found;
    const ran = this.runs;
    this.last = found;
    this.runs = Boolean(build?.running);
    if (ran && !this.runs) this.built();
    this.element.hidden = sets.length === 0;
    if (sets.length === 0) return;
    this.element.replaceChildren(
      make('h2', {}, text('whichTables')),
      ...(this.runs ? this.progress(build) : this.choice(sets)),
      ...[this.fault, build?.error ? said(build.error) : ''].filter(Boolean).map((words_) => make('p', { class: 'fault', role: 'alert' }, words_)),
    );
  }

  progress({ stones, status, stopping }) {
    const set = this.last.sets.find((one) => one.stones === stones);
    const built = status?.built ?? 0;
    const done = number(Math.floor(100 * built));
    return [
      make('p', { role: 'status', id: 'tables-said' }, [
        set?.complete ? text('buildingAll', done) : text('building', stones, done),
        stopping ? text('stopping') : status?.remaining ? text('toGo', time(status.remaining)) : null,
      ].filter(Boolean).join(' · ')),
      make('progress', { max: 1, value: built, 'aria-label': text('whichTables') }),
      button({ id: 'stop-tables', kind: 'small', word: text('stopBuilding'), disabled: stopping, press: () => this.stop() }),
    ];
  }

  choice(sets) {
    const missing = sets.filter(({ built }) => built < 1);
    if (missing.length === 0) return [make('p', { class: 'none', id: 'tables-said' }, text('allThere'))];
    const words_ = ({ stones, complete, bytes, seconds }) => {
      const size = number(bytes / MEGABYTE, { maximumFractionDigits: 0 });
      return complete ? text('setAll', size, time(seconds)) : text('setOf', stones, size, time(seconds));
    };
    this.stones = String(missing.find(({ stones }) => String(stones) === this.stones)?.stones ?? missing.at(-1).stones);
    const begun = () => missing.find(({ stones }) => String(stones) === this.stones).built;
    const press = button({ id: 'build-tables', kind: 'primary small', word: '', press: () => this.build() });
    const name = () => press.replaceChildren(make('span', {}, text(begun() > 0 ? 'goOnBuilding' : 'buildTables')));
    name();
    const pick = (stones) => {
      this.stones = stones;
      name();
    };
    return [
      make('p', { class: 'none' }, text('buildAbout')),
      field(text('whichTables'), select(missing.map((set) => [String(set.stones), words_(set)]), this.stones, pick, { id: 'tables-choice' })),
      make('div', { class: 'row' }, press),
    ];
  }
}
