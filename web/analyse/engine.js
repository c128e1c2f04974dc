// The engine's card: on or off, how many lines, by which evaluation; and the lines themselves as they get deeper.

import { dictionary, number } from '../i18n.js';
import * as keep from '../keep.js';
import { short } from '../parts/chart.js';
import { button, field, make, select } from '../parts/html.js';
import { said } from '../said.js';
import { connect } from '../socket.js';
import words from '../words/analyse.js';
import { badge } from './worth.js';

const text = dictionary(words);
const PAUSE = 120;
const LONGER = 60000;

/**
 * `found(findings)` hears of everything the engine finds about the position last asked for, `go(moves)` of a click on a
 * move of a line.
 */
export class Engine {
  constructor({ found, go, changed }) {
    Object.assign(this, { found, go, changed, nr: 0, question: null, findings: null });
    this.options = { on: true, lines: 3, arrows: true, evaluation: {}, ...keep.setting('engine', {}) };
    this.list = make('ol', { class: 'lines', id: 'lines' });
    this.facts = make('span', { class: 'facts-line', id: 'engine-facts', role: 'status' });
    this.longer = button({ id: 'deeper', kind: 'small', word: text('deeper'), press: () => this.think(LONGER) });
    this.element = make('section', { class: 'card engine', id: 'engine', 'aria-label': text('engine') });
    this.socket = connect('/api/analyse/live', { hello: () => this.hello(), event: (message) => this.hear(message) });
  }

  /** The options, drawn anew when the game changes. */
  build(game) {
    this.game = game;
    const keepIt = () => keep.set('engine', this.options);
    const on = make('input', {
      type: 'checkbox',
      id: 'engine-on',
      role: 'switch',
      checked: this.options.on,
      onchange: () => this.toggle(),
    });
    this.on = on;
    const put = (key, value) => {
      this.options[key] = value;
      keepIt();
      this.changed();
    };
    const arrows = make('input', {
      type: 'checkbox',
      id: 'arrows',
      checked: this.options.arrows,
      onchange: () => put('arrows', arrows.checked),
    });
    const evaluations = game.evaluations
      .filter(({ needs_file: needsFile }) => !needsFile)
      .map(({ name }) => [name, name]);
    const again = () => this.ask(this.question, 0);
    this.element.replaceChildren(
      make('div', { class: 'engine-head' }, make('label', { class: 'switch' }, on, text('engine')), this.facts),
      this.list,
      make(
        'details',
        {
          class: 'engine-options-card',
          open: keep.setting('engine-options', false),
          ontoggle: (event) => keep.set('engine-options', event.target.open),
        },
        make('summary', {}, text('engineOptions')),
        make(
        'div',
        { class: 'engine-options' },
        field(
          text('lines'),
          select(
            [1, 2, 3, 4, 5].map((count) => [String(count), String(count)]),
            String(this.options.lines),
            (count) => {
              put('lines', Number(count));
              again();
            },
            { id: 'line-count' },
          ),
        ),
        field(
          text('evaluation'),
          select(
            [['', text('usual')], ...evaluations],
            this.evaluation(),
            (name) => {
              put('evaluation', { ...this.options.evaluation, [game.name]: name });
              again();
            },
            { id: 'evaluation' },
          ),
        ),
        make('div', { class: 'row' }, make('label', { class: 'check' }, arrows, text('arrows')), this.longer),
      ),
      ),
    );
    this.draw();
  }

  /** The evaluation chosen for this game, if it still exists. */
  evaluation() {
    const name = this.options.evaluation[this.game.name] ?? '';
    return this.game.evaluations.some((one) => one.name === name) ? name : '';
  }

  toggle() {
    this.options.on = !this.options.on;
    this.on.checked = this.options.on;
    keep.set('engine', this.options);
    if (this.options.on) this.think();
    else this.halt();
    this.changed();
  }

  /** Thinks about a position as soon as nobody steps on. */
  ask(question, pause = PAUSE) {
    this.question = question;
    // What still comes in is about another position.
    this.nr += 1;
    this.findings = null;
    this.state = 'waiting';
    clearTimeout(this.timer);
    this.draw();
    this.found(null);
    if (this.options.on) this.timer = setTimeout(() => this.think(), pause);
  }

  think(time) {
    if (!this.question || this.paused) return;
    this.nr += 1;
    this.socket.send(this.message(time));
    this.state = 'waiting';
    this.draw();
  }

  message(time) {
    const asked = { do: 'analyse', ...this.question, lines: this.options.lines, nr: this.nr };
    if (time) asked.time_ms = time;
    if (this.evaluation()) asked.eval = this.evaluation();
    return asked;
  }

  hello() {
    const token = keep.account()?.token;
    const first = token ? [{ token }] : [];
    return this.options.on && this.question && !this.paused ? [...first, this.message()] : first;
  }

  /** While something else needs the engines. */
  pause(paused) {
    if (this.paused === paused) return;
    this.paused = paused;
    if (paused) this.halt();
    else if (this.options.on) this.think();
  }

  halt() {
    clearTimeout(this.timer);
    this.nr += 1;
    this.state = 'off';
    this.socket.send({ do: 'stop' });
    this.draw();
  }

  hear(message) {
    if ((message.nr ?? message.for) !== this.nr) return;
    if (message.event === 'view') {
      this.state = message.view.end ? 'ended' : 'waiting';
      this.toMove = message.view.to_move;
    } else if (message.event === 'analysis') {
      this.state = message.final ? 'done' : 'thinking';
      this.findings = { ...message, toMove: this.toMove };
      this.found(this.findings);
    } else if (message.event === 'error') {
      this.state = 'error';
      this.error = message.error;
    }
    this.draw();
  }

  draw() {
    const { findings, state } = this;
    this.longer.disabled = state !== 'done';
    // Room for all lines from the start, so that nothing jumps.
    this.list.style.minHeight = `${1.86 * this.options.lines}rem`;
    this.facts.textContent = this.saying();
    this.facts.classList.toggle('fault', state === 'error');
    this.list.hidden = !this.options.on;
    // What is being pressed stays where it is.
    if (this.list.matches(':active')) return;
    this.list.replaceChildren(
      ...(findings?.lines ?? []).map((line, rank) =>
        make(
          'li',
          {},
          make(
            'span',
            {},
            make('span', { class: `rank line-${rank + 1}` }),
            badge(line, findings.unit, findings.toMove),
          ),
          make(
            'span',
            { class: 'words mono' },
            line.moves.map((move, at) =>
              make(
                'button',
                { type: 'button', title: text('playLine'), onclick: () => this.go(line.moves.slice(0, at + 1)) },
                move,
              ),
            ),
          ),
        ),
      ),
    );
  }

  saying() {
    if (!this.options.on || this.state === 'off') return '';
    if (this.state === 'error') return said(this.error);
    if (this.state === 'ended') return text('ended');
    if (!this.findings) return text(this.state === 'waiting' ? 'thinking' : 'waiting');
    const { depth, seldepth, nodes, seconds } = this.findings;
    const speed = short(nodes / Math.max(seconds, 0.001));
    return `${text('depth', depth, seldepth)} · ${text('nodes', short(nodes), speed)} · ${number(seconds, { maximumFractionDigits: 1 })} s`;
  }

  leave() {
    clearTimeout(this.timer);
    this.socket.close();
  }
}
