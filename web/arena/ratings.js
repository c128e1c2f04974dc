// The list of ratings of a game, best first.

import * as api from '../api.js';
import { dictionary, number, text as shared } from '../i18n.js';
import { make, segments } from '../parts/html.js';
import words from '../words/arena.js';
import { playerLink } from './terms.js';

const text = dictionary(words);

export async function enter(root, [chosen]) {
  const games = await api.games();
  const game = chosen ?? games[0].name;
  const rows = await api.get(`/api/ratings?game=${encodeURIComponent(game)}`);
  root.replaceChildren(
    make('h1', {}, text('ratings')),
    segments(
      'ratings-game',
      games.map(({ name }) => [name, shared(name)]),
      game,
      (name) => {
        location.hash = `#arena/ratings/${name}`;
      },
      text('game'),
    ),
    rows.length === 0 ? make('p', { class: 'none' }, text('noRatings')) : table(rows),
  );
}

function table(rows) {
  const head = ['rank', 'player', 'rating', 'deviation', 'games'].map((key) => make('th', { scope: 'col' }, text(key)));
  const whole = (value) => number(value, { maximumFractionDigits: 0, useGrouping: false });
  return make(
    'div',
    { class: 'card sheet' },
    make(
      'table',
      { class: 'list', id: 'rating-list' },
      make('thead', {}, make('tr', {}, head)),
      make(
        'tbody',
        {},
        rows.map((row, at) =>
          make(
            'tr',
            {},
            make('td', { class: 'number' }, at + 1),
            make('td', {}, playerLink({ name: row.name, bot: row.bot })),
            make('td', { class: 'number strong' }, whole(row.rating)),
            make('td', { class: 'number' }, whole(2 * row.deviation)),
            make('td', { class: 'number' }, row.games),
          ),
        ),
      ),
    ),
  );
}
