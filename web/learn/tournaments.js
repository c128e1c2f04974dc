// The tournaments in the data folder.

import * as api from '../api.js';
import { dictionary, text as shared } from '../i18n.js';
import { make } from '../parts/html.js';
import words from '../words/learn.js';

const text = dictionary(words);
const COMMAND = 'trilith tournament PLAN.toml --out "$TRILITH_HOME/tournaments"';

export async function enter(root) {
  const all = await api.get('/api/tournaments');
  root.replaceChildren(
    make('h1', {}, text('tournaments')),
    make('p', { class: 'about-line' }, text('tournamentsAbout')),
    make(
      'div',
      { id: 'tournaments' },
      all.length > 0
        ? all.map(entry)
        : [make('p', { class: 'none' }, text('noTournaments')), make('pre', { class: 'command mono' }, COMMAND)],
    ),
  );
}

function entry({ name, title, game, games, planned, running }) {
  const href = `#learn/tournament/${name}`;
  return make(
    'div',
    { class: 'card entry' },
    make(
      'div',
      { class: 'grow' },
      make('a', { class: 'title', href }, title || name),
      ' ',
      running ? make('span', { class: 'state running' }, text('live')) : null,
      make('div', { class: 'about' }, [shared(game), text('played', games, planned)].join(' · ')),
    ),
    make('a', { class: 'button', href }, text('watch')),
  );
}
