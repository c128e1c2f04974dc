// The line that says what is going on at a table and what the person can answer. Read aloud as it changes.

import { dictionary, text as shared } from '../i18n.js';
import { button, make } from '../parts/html.js';
import words from '../words/play.js';
import { Ended, outcome } from './ended.js';
import { nameOf } from './players.js';

const text = dictionary(words);
const other = (side) => (side === 'black' ? 'white' : 'black');

export class Message {
  constructor(changed) {
    this.prompt = make('p', { id: 'prompt', role: 'status', 'aria-live': 'polite' });
    this.ended = new Ended(changed);
    this.answers = make('div', { class: 'answers' });
    this.element = make(
      'section',
      { class: 'card message', id: 'message', 'aria-label': text('whatHappens') },
      this.prompt,
      this.ended.element,
      this.answers,
    );
  }

  /** `at` is the ply looked at or null; `asked` what the board asks for; `acts` are the answers' functions. */
  show(scene) {
    const ended = scene.table.result && scene.at === null;
    this.element.classList.toggle('ended', Boolean(ended));
    const words = scene.notice ?? says(scene);
    if (this.prompt.textContent !== words) this.prompt.textContent = words;
    this.ended.element.hidden = !ended;
    if (ended) this.ended.show(scene);
    this.answer(answers(scene).filter(Boolean));
  }

  leave() {
    this.ended.leave();
  }

  /** Leaves answers alone that are already there, so that they keep the focus. */
  answer(given) {
    const shown = given.map(({ id, textContent }) => `${id} ${textContent}`).join('|');
    if (shown !== this.shown) this.answers.replaceChildren(...given);
    this.shown = shown;
  }
}

function says({ table, view, at, mine, asked, hint }) {
  if (at !== null) return text('looking', at, table.view.moves.length);
  if (table.result) return outcome(table.result);
  if (table.offer)
    return mine.includes(table.offer) && mine.length === 1 ? text('offered') : text('offers', shared(table.offer));
  if (table.takeback)
    return mine.includes(table.takeback) ? text('askedBack') : text('asksBack', shared(table.takeback));
  const open = openSide(table);
  if (open) return mine.length === 0 ? text('joinAsk') : text('waiting');
  if (table.paused) return text('paused');
  if (hint) return hint;
  if (asked) return asked;
  if (table.declined && mine.includes(table.declined.by)) return text(`${table.declined.what}Declined`);
  const side = view.to_move;
  const seat = table.players[side];
  const played = view.moves.length > 0 ? `${text('played', shared(other(side)), view.moves.at(-1))} ` : '';
  if (table.thinking && seat.kind !== 'human') return played + text('thinks', nameOf(seat, side, mine));
  if (mine.length === 1 && mine[0] === side) return played + text('yourTurn');
  return played + text('turn', shared(side));
}

/** Whether this side waits for the other to want a rematch, and whether the other waits for this one. */
const asksAgain = (table, mine) => mine.length > 0 && mine.every((side) => table.rematch?.[side]);
const wanted = (table, mine) => ['black', 'white'].some((side) => !mine.includes(side) && table.rematch?.[side]);

export const openSide = (table) => ['black', 'white'].find((side) => table.players[side].kind === 'open');

function answers({ table, at, mine, pass, acts }) {
  const primary = (id, word, press) => button({ id, word, kind: 'primary', press });
  const plain = (id, word, press) => button({ id, word, press });
  if (at !== null) return [primary('back', text('backToGame'), acts.back)];
  if (table.result)
    return [
      table.next && acts.goOn
        ? primary('next-game', text('nextGame'), acts.goOn)
        : acts.again
          ? button({
              id: 'again',
              word: text(asksAgain(table, mine) ? 'rematchWaiting' : wanted(table, mine) ? 'rematchAccept' : 'rematch'),
              kind: 'primary',
              press: acts.again,
              disabled: asksAgain(table, mine),
            })
          : null,
      plain('analyse-game', text('reviewGame'), acts.analyse),
      plain('fresh', text('newGame'), acts.fresh),
    ];
  if (table.offer) {
    const theirs = mine.some((side) => side !== table.offer);
    return theirs
      ? [primary('accept', text('acceptDraw'), acts.accept), plain('decline', text('decline'), acts.decline)]
      : [];
  }
  if (table.takeback && mine.some((side) => side !== table.takeback))
    return [primary('grant', text('grantBack'), acts.grant), plain('decline', text('decline'), acts.refuse)];
  if (table.takeback) return [];
  const open = openSide(table);
  if (open && mine.length === 0) return [primary('join', text('join', shared(open)), () => acts.join(open))];
  if (open) return [acts.link()];
  if (table.paused) return [primary('continue', text('goOnPlaying'), acts.resume)];
  return pass ? [primary('pass', shared('pass'), acts.pass)] : [];
}
