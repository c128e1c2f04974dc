// The list of lessons of each game: first steps, then ideas.

import * as api from '../api.js';
import { currentLanguage, dictionary, text as shared } from '../i18n.js';
import { make } from '../parts/html.js';
import words from '../words/teach.js';
import * as practice from './practice.js';

const text = dictionary(words);

export async function enter(root) {
  const games = await api.games();
  const all = await Promise.all(games.map(({ name }) => api.get(`/api/lessons/${name}`)));
  root.replaceChildren(
    make('h1', {}, text('lessons')),
    make('p', { class: 'about-line' }, text('lessonsAbout')),
    ...games.flatMap(({ name }, place) => (all[place].length > 0 ? [shelf(name, all[place])] : [])),
  );
}

function shelf(game, lessons) {
  const done = practice.of(game).lessons;
  return make(
    'section',
    { class: 'shelf', 'data-game': game },
    make('h2', {}, shared(game)),
    make('div', { class: 'lesson-cards' }, lessons.map((lesson) => card(game, lesson, Boolean(done[lesson.name])))),
  );
}

function card(game, { name, title, steps, puzzles }, isDone) {
  const count = (steps?.length ?? 0) + puzzles.length;
  return make(
    'a',
    { class: `card lesson-card ${isDone ? 'done' : ''}`.trim(), href: `#teach/lesson/${game}/${name}`, 'data-lesson': `${game}/${name}` },
    make('strong', {}, title[currentLanguage()]),
    make('span', { class: 'facts' }, isDone ? text('lessonDone') : text('stepCount', count)),
  );
}
