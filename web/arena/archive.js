// Finished games, newest first; each opens at its table, where it can be replayed.

import * as api from '../api.js';
import { dictionary, moment, text as shared } from '../i18n.js';
import { button, field, make, select } from '../parts/html.js';
import { said } from '../said.js';
import words from '../words/arena.js';
import { gameChoices, pair } from './terms.js';

const text = dictionary(words);
const PAGE = 30;

let state = null;

export async function enter(root, [game = '', player = '']) {
  state = { game: game === 'all' ? '' : game, player };
  const mine = state;
  const games = await api.games();
  if (state !== mine) return;
  const go = () => {
    location.hash = `#arena/archive/${state.game || 'all'}${state.player ? `/${encodeURIComponent(state.player)}` : ''}`;
  };
  const name = make('input', {
    type: 'text',
    id: 'archive-player',
    value: player,
    spellcheck: 'false',
    onchange: () => {
      state.player = name.value.trim();
      go();
    },
  });
  state.body = make('div');
  root.replaceChildren(
    make('h1', {}, text('archive')),
    make(
      'div',
      { class: 'filters' },
      field(
        text('game'),
        select(
          gameChoices(games, text('allGames')),
          state.game,
          (chosen) => {
            state.game = chosen;
            go();
          },
          { id: 'archive-game' },
        ),
      ),
      field(text('player'), name),
    ),
    state.body,
  );
  await fill([]);
}

export function leave() {
  state = null;
}

async function fill(before) {
  const mine = state;
  const query = new URLSearchParams({ limit: PAGE });
  if (state.game) query.set('game', state.game);
  if (state.player) query.set('player', state.player);
  if (before.length > 0) query.set('before', before.at(-1).finished);
  const { games: fresh } = await api.get(`/api/archive?${query}`);
  if (state !== mine) return;
  const all = [...before, ...fresh];
  state.body.replaceChildren(
    all.length === 0 ? make('p', { class: 'none' }, text('noGames')) : table(all),
    fresh.length === PAGE ? button({ id: 'older', word: text('older'), press: () => fill(all) }) : '',
  );
}

/** Games as a table; also for profiles. */
export function table(games) {
  const head = ['game', 'player', 'result', 'moves', 'when'].map((key) => make('th', { scope: 'col' }, text(key)));
  return make(
    'div',
    { class: 'card sheet' },
    make(
      'table',
      { class: 'list', id: 'game-list' },
      make('thead', {}, make('tr', {}, head, make('th', {}))),
      make('tbody', {}, games.map(row)),
    ),
  );
}

function row({ id, game, players, result: { winner, reason }, plies, finished }) {
  const result = `${winner ? text('wins', shared(winner)) : text('draw')} – ${said(reason)}`;
  return make(
    'tr',
    {},
    make('td', {}, shared(game)),
    make('td', {}, pair(players)),
    make('td', {}, result),
    make('td', { class: 'number' }, plies),
    make('td', { class: 'when' }, moment(finished)),
    make('td', {}, make('a', { class: 'button', href: `#play/${id}` }, text('replay'))),
  );
}
