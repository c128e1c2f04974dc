// One lesson: steps on the board, each with something to do, then puzzles that practise it.

import * as api from '../api.js';
import { currentLanguage, dictionary, text as shared } from '../i18n.js';
import * as keep from '../keep.js';
import { button, make } from '../parts/html.js';
import words from '../words/teach.js';
import * as practice from './practice.js';
import { pause, Task } from './task.js';

const text = dictionary(words);
/** Before the other side replies. */
const REPLY = 500;
/** The level to play against after the first steps. */
const FIRST_LEVEL = 1;

let state = null;

const say = (both) => both[currentLanguage()];

export async function enter(root, [game, name]) {
  const mine = { root };
  state = mine;
  const [games, lessons] = await Promise.all([api.games(), api.get(`/api/lessons/${encodeURIComponent(game)}`)]);
  if (state !== mine) return;
  const lesson = lessons.find((one) => one.name === name);
  if (!lesson) throw new api.Fault(404, text('noLesson'));
  // Whoever changes the language or comes back goes on where the lesson was left.
  const left = keep.setting('lesson', null);
  const at = left?.game === game && left.name === name ? Math.min(left.at, lesson.steps.length) : 0;
  const task = new Task({ game: games.find((one) => one.name === game), played: play });
  Object.assign(state, { game, lesson, lessons, task, at });
  build();
  await begin();
}

export function leave() {
  state?.task?.leave();
  state = null;
}

function build() {
  const { lesson, task } = state;
  state.parts = {
    said: make('p', { id: 'said', class: 'said', role: 'status' }),
    prompt: make('p', { id: 'prompt', class: 'task-words' }),
    progress: make('progress', { max: Math.max(1, lesson.steps.length), value: 0, 'aria-label': text('progress') }),
    count: make('span', { id: 'step', class: 'facts' }),
    buttons: make('div', { class: 'row', id: 'lesson-buttons' }),
    board: make('div', { class: 'practice-board' }, task.svg),
    more: make('div', { id: 'practise' }),
  };
  const { said, prompt, progress, count, buttons, board, more } = state.parts;
  state.root.replaceChildren(
    make(
      'div',
      { class: 'practice', 'data-lesson': `${state.game}/${lesson.name}` },
      board,
      make(
        'aside',
        { class: 'beside' },
        make('a', { href: '#teach/lessons', class: 'back-link' }, `← ${text('lessons')}`),
        make(
          'section',
          { class: 'card pad' },
          make('h1', {}, `${shared(state.game)}: ${say(lesson.title)}`),
          make('p', { class: 'facts' }, say(lesson.about)),
          lesson.steps.length > 0 ? [progress, count] : null,
          prompt,
          said,
          buttons,
          more,
        ),
      ),
    ),
  );
}

const step = () => state.lesson.steps[state.at];

/** The step that is now to be done, or the end. */
async function begin() {
  const { parts, lesson } = state;
  keep.set('lesson', { game: state.game, name: lesson.name, at: state.at });
  parts.progress.value = state.at;
  parts.buttons.replaceChildren();
  parts.said.textContent = '';
  parts.said.className = 'said';
  if (!step()) return end();
  parts.count.textContent = text('stepOf', state.at + 1, lesson.steps.length);
  parts.prompt.textContent = say(step().say);
  state.isDone = false;
  await state.task.show({ start: step().position });
}

async function play(move) {
  if (state.isDone) return;
  const { accept, reply, position, done } = step();
  const mine = state;
  const { at } = state;
  if (accept.length > 0 && !accept.includes(move)) {
    tell(text('notAsked', move), 'wrong');
    await state.task.show({ start: position });
    return;
  }
  state.isDone = true;
  await state.task.show({ start: position, moves: [move], enabled: false });
  if (reply && move === (accept[0] ?? move)) {
    await pause(REPLY);
    if (state !== mine || state.at !== at) return;
    await state.task.show({ start: position, moves: [move, reply], enabled: false });
  }
  if (state !== mine || state.at !== at) return;
  tell(say(done), 'done');
  state.parts.buttons.replaceChildren(
    button({ id: 'next-step', kind: 'primary', picture: 'next', word: text('goOnStep'), press: advance }),
  );
  document.getElementById('next-step').focus({ preventScroll: true });
}

function tell(words_, kind) {
  state.parts.said.textContent = words_;
  state.parts.said.className = `said ${kind}`;
}

function advance() {
  state.at += 1;
  return begin();
}

/** All steps are done: what comes next. */
async function end() {
  const { parts, lesson, lessons, game } = state;
  // A lesson that has puzzles only is done when they are solved.
  if (lesson.steps.length > 0) practice.note(game, { lessons: { ...practice.of(game).lessons, [lesson.name]: true } });
  const solved = practice.practised(game, lesson.name);
  const isPractised = lesson.puzzles.length > 0 && lesson.puzzles.every((number) => solved.includes(number));
  keep.set('lesson', null);
  parts.count.textContent = '';
  const after = lessons[lessons.findIndex(({ name }) => name === lesson.name) + 1];
  parts.prompt.textContent = text(lesson.steps.length > 0 || isPractised ? 'lessonEnd' : 'practiseNow');
  parts.more.replaceChildren(
    make('div', { class: 'lesson-cards small' }, lesson.puzzles.map((number) =>
      make('a', { class: `button ${solved.includes(number) ? 'done' : ''}`.trim(), href: `#teach/puzzle/${game}/${number}/${lesson.name}` }, text('puzzleNumber', number)))),
  );
  parts.buttons.replaceChildren(
    ...(lesson.name === 'first-steps'
      ? [button({ id: 'play-level', kind: 'primary', picture: 'go', word: text('playLevel', FIRST_LEVEL), press: challenge })]
      : []),
    ...(after ? [make('a', { class: 'button', id: 'next-lesson', href: `#teach/lesson/${game}/${after.name}` }, say(after.title))] : []),
  );
  await state.task.show({ enabled: false });
}

/** A game against the weakest level; who begins is the person. */
async function challenge() {
  const { view } = state.task;
  const engine = { kind: 'engine', level: FIRST_LEVEL };
  const other = view.to_move === 'black' ? 'white' : 'black';
  const players = { [view.to_move]: { kind: 'human' }, [other]: engine };
  const table = await api.post('/api/tables', { game: state.game, players }, keep.account()?.token);
  keep.own(table);
  location.hash = `#play/${table.id}`;
}
