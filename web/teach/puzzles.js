// Puzzles: one at a time, about as hard as the player is strong; the puzzle of the day; any one by its number.

import * as api from '../api.js';
import { dictionary, number as shown, text as shared } from '../i18n.js';
import * as keep from '../keep.js';
import { button, make, segments, select } from '../parts/html.js';
import words from '../words/teach.js';
import * as practice from './practice.js';
import { pause, Task } from './task.js';

const text = dictionary(words);
/** Before the other side replies. */
const REPLY = 350;

let state = null;

export async function enter(root, [game, number, lesson] = []) {
  const mine = { root };
  state = mine;
  const [games, offered] = await Promise.all([api.games(), api.get('/api/puzzles')]);
  if (state !== mine) return;
  const names = games.map(({ name }) => name).filter((name) => offered.some((one) => one.game === name));
  if (names.length === 0) {
    root.replaceChildren(make('h1', {}, text('puzzles')), make('p', { class: 'about-line' }, text('noPuzzles')));
    return;
  }
  const chosen = [game, practice.lastGame(names[0]), names[0]].find((one) => names.includes(one));
  const lessons = lesson ? await api.get(`/api/lessons/${encodeURIComponent(chosen)}`) : [];
  if (state !== mine) return;
  state.lesson = lessons.find(({ name }) => name === lesson) ?? null;
  Object.assign(state, { games, names, offered, theme: keep.setting('theme', '') });
  build(chosen);
  if (number) await load(`/api/puzzles/${encodeURIComponent(chosen)}/${encodeURIComponent(number)}`);
  else await again();
}

export function leave() {
  state?.task?.leave();
  state = null;
}

const offer = () => state.offered.find(({ game }) => game === state.game);

function build(game) {
  state.task?.leave();
  practice.setGame(game);
  const task = new Task({ game: state.games.find(({ name }) => name === game), played: play });
  const themes = Object.entries(state.offered.find((one) => one.game === game).themes);
  if (!themes.some(([theme]) => theme === state.theme)) state.theme = '';
  Object.assign(state, { game, task });
  state.parts = {
    goal: make('h1', { id: 'goal', class: 'goal' }),
    said: make('p', { id: 'said', class: 'said', role: 'status' }),
    facts: make('p', { id: 'facts', class: 'facts' }),
    proof: make('div', { id: 'proof', class: 'proof' }),
    score: make('dl', { id: 'score', class: 'score' }),
    buttons: make('div', { class: 'row', id: 'puzzle-buttons' }),
  };
  const { parts } = state;
  const choose = (name) => {
    build(name);
    next();
  };
  state.root.replaceChildren(
    make(
      'div',
      { class: 'practice' },
      make('div', { class: 'practice-board' }, task.svg),
      make(
        'aside',
        { class: 'beside' },
        segments('puzzle-game', state.names.map((name) => [name, shared(name)]), game, choose, text('game')),
        make('section', { class: 'card pad' }, parts.goal, parts.said, parts.facts, parts.buttons, parts.proof),
        make(
          'section',
          { class: 'card pad' },
          parts.score,
          make(
            'label',
            { class: 'field' },
            make('span', { class: 'field-name' }, text('theme')),
            select([['', text('anyTheme')], ...themes.map(([theme, count]) => [theme, `${themeName(theme)} (${count})`])], state.theme, pickTheme, { id: 'theme-choice' }),
          ),
          make('div', { class: 'row' }, button({ id: 'daily', picture: 'hint', word: text('daily'), press: daily })),
        ),
      ),
    ),
  );
}

const themeName = (theme) => text('themes')?.[`${state.game}/${theme}`] ?? theme;

function pickTheme(theme) {
  state.theme = theme;
  keep.set('theme', theme);
  next();
}

/** The puzzle that was left unfinished, or the next one. */
function again() {
  const open = keep.setting('puzzle', null);
  return open?.game === state.game ? load(`/api/puzzles/${open.game}/${open.number}`) : next();
}

function next() {
  const { rating, seen } = practice.of(state.game);
  const asked = new URLSearchParams({ game: state.game, not: seen.join(',') });
  if (rating) asked.set('rating', Math.round(rating.rating));
  if (state.theme) asked.set('theme', state.theme);
  return load(`/api/puzzles/next?${asked}`);
}

const daily = () => load(`/api/puzzles/daily?game=${state.game}`);

async function load(path) {
  const mine = state;
  const puzzle = await api.get(path);
  if (state !== mine) return;
  Object.assign(state, { puzzle, moves: [], spoilt: false, done: false, busy: false, verdict: '', solution: null });
  state.task.side = null;
  keep.set('puzzle', { game: puzzle.game, number: puzzle.number });
  await look();
}

/** Shows where the puzzle stands. */
async function look(enabled = !state.done) {
  const mine = state;
  const drawn = await state.task.show({ start: state.puzzle.position, moves: state.moves, enabled });
  if (drawn && state === mine) draw();
}

function draw() {
  const { puzzle, parts, task, moves } = state;
  const side = shared(task.side);
  parts.goal.textContent = goal(puzzle, side);
  parts.said.textContent = state.verdict || text('find', side);
  parts.said.className = `said ${state.done ? 'done' : state.spoilt ? 'wrong' : ''}`.trim();
  const found = Math.ceil(moves.length / 2);
  parts.facts.textContent = [
    text('puzzleNumber', puzzle.number),
    state.done ? themeName(puzzle.theme) : null,
    text('ratedAt', puzzle.rating),
    puzzle.moves > 1 ? text('movesFound', found, puzzle.moves) : null,
    puzzle.day === undefined ? null : text('daily'),
  ].filter(Boolean).join(' · ');
  parts.buttons.replaceChildren(
    ...(state.done
      ? [onward()]
      : [button({ id: 'give-up', word: text('showSolution'), press: giveUp })]),
  );
  drawProof();
  drawScore();
}

/** Where it goes on: the next puzzle of the lesson, the lesson itself after the last one, or any other puzzle. */
function onward() {
  const { lesson, game } = state;
  if (!lesson) return button({ id: 'next-puzzle', kind: 'primary', picture: 'next', word: text('nextPuzzle'), press: next });
  const solved = practice.practised(game, lesson.name);
  const open = lesson.puzzles.find((number) => number !== state.puzzle.number && !solved.includes(number));
  const href = open === undefined ? `#teach/lesson/${game}/${lesson.name}` : `#teach/puzzle/${game}/${open}/${lesson.name}`;
  return make('a', { id: 'next-puzzle', class: 'button primary', href }, text(open === undefined ? 'backToLesson' : 'nextPuzzle'));
}

function goal({ goal: kind, plies, is_length: isLength }, side) {
  if (kind === 'gain') return text('goalGain', side, Math.ceil(plies / 2));
  if (kind === 'draw') return text('goalDraw', side);
  return isLength ? text('goalWinIn', side, Math.ceil(plies / 2)) : text('goalWin', side);
}

function drawProof() {
  const { solution, parts } = state;
  parts.proof.replaceChildren();
  if (!solution) return;
  parts.proof.append(
    make('p', {}, text('solution'), ' ', make('span', { class: 'mono', id: 'solution' }, solution.line.join(' '))),
    make('p', { class: 'facts' }, text('worth', solution.right, solution.next)),
    make('details', {}, make('summary', {}, text('provedBy')), make('code', { class: 'command' }, solution.command)),
  );
}

function drawScore() {
  const { rating, streak, best, seen } = practice.of(state.game);
  const pair = (name, id, value) => [make('dt', {}, name), make('dd', { id }, value)];
  state.parts.score.replaceChildren(
    ...pair(text('yourRating'), 'rating', rating ? `${shown(Math.round(rating.rating))} ± ${shown(Math.round(2 * rating.deviation))}` : '–'),
    ...pair(text('streak'), 'streak', `${streak} (${text('bestStreak', best)})`),
    ...pair(text('solvedOf'), 'solved-of', text('seenOf', seen.length, offer().count)),
  );
}

/** A move was played on the board: right or wrong, the server knows. */
async function play(move) {
  if (state.done || state.busy) return;
  const mine = state;
  state.busy = true;
  const tried = [...state.moves, move];
  const { game, number } = state.puzzle;
  const answer = await api.post(`/api/puzzles/${game}/${number}/try`, { moves: tried });
  if (state !== mine) return;
  state.busy = false;
  if (!answer.right) return miss(move);
  state.moves = tried;
  state.verdict = answer.solved ? '' : text('goOn');
  if (answer.solved) return solved(answer.solution);
  await look(false);
  await pause(REPLY);
  if (state !== mine || state.moves !== tried) return;
  state.moves = [...tried, answer.reply];
  await look();
}

async function miss(move) {
  state.verdict = text('wrong', move);
  if (!state.spoilt) await settle(false);
  await look();
}

async function solved(solution) {
  Object.assign(state, { done: true, solution, verdict: text(state.spoilt ? 'solvedLate' : 'solved') });
  if (state.lesson) practice.practise(state.game, state.lesson, state.puzzle.number);
  if (!state.spoilt) await settle(true);
  await look();
}

async function giveUp() {
  const { game, number } = state.puzzle;
  const mine = state;
  const { solution } = await api.post(`/api/puzzles/${game}/${number}/try`, { moves: state.moves, give_up: true });
  if (state !== mine) return;
  Object.assign(state, { done: true, solution, moves: solution.line, verdict: text('givenUp') });
  if (!state.spoilt) await settle(false);
  await look();
}

/** Only the first try counts for rating and streak. */
async function settle(isSolved) {
  const { game, number } = state.puzzle;
  state.spoilt = !isSolved;
  const player = practice.of(game).rating;
  const rating = await api.post(`/api/puzzles/${game}/${number}/rate`, { ...(player ? { player } : {}), solved: isSolved });
  practice.finished(game, number, isSolved, rating);
  keep.set('puzzle', null);
}
