// Mistakes of one's own games, tried again: the position before it, and the move that was better.

import * as api from '../api.js';
import { dictionary, text as shared } from '../i18n.js';
import { button, make } from '../parts/html.js';
import words from '../words/teach.js';
import { all, due, tried } from './kept.js';
import { Task } from './task.js';

const text = dictionary(words);

let state = null;

export async function enter(root) {
  const mine = { root };
  state = mine;
  const games = await api.games();
  if (state !== mine) return;
  state.games = games;
  await next();
}

export function leave() {
  state?.task?.leave();
  state = null;
}

async function next() {
  const { root, games } = state;
  state.task?.leave();
  const waiting = due();
  const [mistake] = waiting;
  if (!mistake) {
    root.replaceChildren(make('h1', {}, text('mistakes')), make('p', { id: 'said', class: 'about-line' }, text(all().length > 0 ? 'noneDue' : 'noMistakes', all().length)));
    return;
  }
  const task = new Task({ game: games.find(({ name }) => name === mistake.game), rules: mistake.rules, played: play });
  Object.assign(state, { task, mistake, missed: false, isDone: false });
  state.parts = {
    said: make('p', { id: 'said', class: 'said', role: 'status' }, text('findBetter', mistake.played)),
    buttons: make('div', { class: 'row' }, button({ id: 'give-up', word: text('showSolution'), press: () => finish(false) })),
  };
  root.replaceChildren(
    make('div', { class: 'practice' }, make('div', { class: 'practice-board' }, task.svg),
      make('aside', { class: 'beside' },
        make('section', { class: 'card pad' }, make('h1', {}, text('mistakes')),
          make('p', { class: 'facts', id: 'waiting' }, `${shared(mistake.game)} · ${text('waiting', waiting.length)}`),
          state.parts.said, state.parts.buttons))),
  );
  await task.show({ start: mistake.start, moves: mistake.moves });
}

async function play(move) {
  if (state.isDone) return;
  const { mistake, task } = state;
  if (move === mistake.best) return finish(!state.missed, move);
  state.missed = true;
  tell(text(move === mistake.played ? 'sameMistake' : 'notBest', move), 'wrong');
  await task.show({ start: mistake.start, moves: mistake.moves });
}

async function finish(found, move = state.mistake.best) {
  const { mistake, task } = state;
  state.isDone = true;
  tried(mistake, found);
  tell(text(found ? 'foundBetter' : 'bestWas', mistake.best), 'done');
  state.parts.buttons.replaceChildren(button({ id: 'next-mistake', kind: 'primary', picture: 'next', word: text('goOnStep'), press: next }));
  await task.show({ start: mistake.start, moves: [...mistake.moves, move], enabled: false });
}

function tell(said, kind) {
  state.parts.said.textContent = said;
  state.parts.said.className = `said ${kind}`;
}
