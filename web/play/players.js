// The strips above and below the board: who plays, whose turn it is, stones, clock, connection.

import { dictionary, number, text as shared } from '../i18n.js';
import { icon, make } from '../parts/html.js';
import words from '../words/play.js';
import { isLow, left, shown } from './clock.js';
import { stonesOf, tray } from './pieces.js';

const text = dictionary(words);

/** What a player is called: people by name, engines by what they are. */
export function nameOf(seat, side, mine) {
  const spec = seat.spec ?? '';
  const part = (key) => spec.match(new RegExp(`[:,]${key}=(\\d+)`))?.[1];
  if (seat.kind === 'open') return text('free');
  if (seat.kind === 'learning') return [text('learningName'), spec.match(/[:,]eval=((?:run|heuristic):[^,]+)/)?.[1]].filter(Boolean).join(', ');
  if (seat.kind === 'engine' && part('level')) return text('levelName', part('level'));
  const learned = spec.match(/[:,]eval=((?:run|heuristic):[^,]+)/)?.[1];
  if (seat.kind === 'engine' && part('depth')) return [text('depthName', part('depth')), learned].filter(Boolean).join(', ');
  if (seat.kind === 'engine' && part('time')) return text('timeName', text('seconds', Number(part('time')) / 1000));
  if (seat.account) return seat.name || seat.account;
  if (seat.kind === 'human' && seat.name) return seat.name;
  if (seat.kind === 'human' && mine.length === 1 && mine[0] === side) return text('you');
  return seat.name || shared(side);
}

const SAID = 7000;
const PICTURES = { human: 'person', engine: 'engine', learning: 'learning', open: 'link' };

export class Strip {
  constructor() {
    this.element = make('div', { class: 'player' });
    this.words = make('span', { class: 'bubble', role: 'status', hidden: true });
  }

  /** Shows for a while what the player says. */
  say(words) {
    this.words.textContent = words;
    this.words.hidden = false;
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => {
      this.words.hidden = true;
    }, SAID);
  }

  /** Draws the strip of a side. */
  show({ side, table, view, mine, clock }) {
    const seat = table.players[side];
    const winner = table.result?.winner === side;
    const active = !table.result && table.view.to_move === side;
    this.side = side;
    this.element.id = `player-${side}`;
    this.element.className = `player${active ? ' active' : ''}${winner ? ' winner' : ''}`;
    const rating = seat.rating
      ? make(
          'span',
          { class: 'rating' },
          number(seat.rating.rating ?? seat.rating, { maximumFractionDigits: 0, useGrouping: false }),
        )
      : null;
    const change = seat.rating_change;
    const changed =
      change === undefined || change === null
        ? null
        : make(
            'span',
            { class: `rating-change ${change < 0 ? 'minus' : 'plus'}` },
            number(change, { maximumFractionDigits: 0, signDisplay: 'exceptZero' }),
          );
    const isRemote = seat.kind === 'human' && !mine.includes(side);
    const there = isRemote
      ? make('span', {
          class: `presence ${seat.connected ? 'here' : 'away'}`,
          title: text(seat.connected ? 'connected' : 'away'),
          role: 'img',
          'aria-label': text(seat.connected ? 'connected' : 'away'),
        })
      : null;
    this.clock = clock ? make('output', { class: 'clock', role: 'timer', 'aria-live': 'off' }) : null;
    this.element.replaceChildren(
      make('span', { class: `pip ${side}`, role: 'img', 'aria-label': shared(side) }),
      make(
        'span',
        { class: 'who' },
        make('span', { class: 'who-name', title: seat.spec }, nameOf(seat, side, mine)),
        rating,
        changed,
        there,
      ),
      make(
        'span',
        { class: 'kind' },
        icon(PICTURES[seat.kind] ?? 'person'),
        table.thinking && active && seat.kind !== 'human'
          ? make('span', { class: 'dots', 'aria-hidden': 'true' })
          : null,
      ),
      this.words,
      ...[tray(side, view)].filter(Boolean),
      ...(view.counts?.what === 'ejected' ? [] : [make('output', { class: 'count', title: text('onBoard') }, number(stonesOf(side, view)))]),
      ...(this.clock ? [this.clock] : []),
    );
    if (clock) this.tick(clock);
  }

  /** Brings only the clock up to date. */
  tick(clock) {
    if (!this.clock) return;
    const rest = left(clock, this.side);
    const words = shown(rest);
    if (this.clock.textContent !== words) this.clock.textContent = words;
    this.clock.classList.toggle('running', clock.running === this.side);
    this.clock.classList.toggle('low', isLow(rest));
  }
}
