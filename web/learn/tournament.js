// One tournament: standings and cross table, looked at again while games are played.

import * as api from '../api.js';
import { dictionary, number, text as shared } from '../i18n.js';
import { make } from '../parts/html.js';
import { evidence } from './evidence.js';
import { crew } from './workers.js';
import words from '../words/learn.js';

const text = dictionary(words);
const PAUSE = 3000;

let state = null;

export async function enter(root, [name]) {
  state = { root, name };
  await refresh();
}

export function leave() {
  clearTimeout(state?.timer);
  state = null;
}

async function refresh() {
  const mine = state;
  const tournament = await api.get(`/api/tournaments/${encodeURIComponent(state.name)}`);
  if (state !== mine) return;
  draw(tournament);
  const again = () =>
    refresh().catch((fault) => {
      if (!(fault instanceof api.Fault)) throw fault;
      if (state === mine) state.timer = setTimeout(again, PAUSE);
    });
  if (tournament.running) state.timer = setTimeout(again, PAUSE);
}

function draw({ running, age, standings }) {
  const { tournament, game, games, planned, players, cross, tests = [], workers = [] } = standings;
  const speed = standings.games_per_second;
  const order = players.map((_, place) => place).sort((a, b) => players[b].elo - players[a].elo);
  const round = (value) => number(value, { maximumFractionDigits: 0 });
  const head = ['player', 'points', 'won', 'drawnGames', 'lostGames', 'elo', 'faults'].map((key) =>
    make('th', { scope: 'col' }, text(key)),
  );
  const row = (place) => {
    const { name, player, points, wins, draws, losses, elo, error, faults } = players[place];
    return make(
      'tr',
      {},
      make('th', { scope: 'row', title: player }, name),
      [number(points), wins, draws, losses, `${round(elo)} ± ${round(error)}`, faults].map((cell) =>
        make('td', {}, cell),
      ),
    );
  };
  state.root.replaceChildren(
    make(
      'div',
      { class: 'run-head' },
      make('a', { href: '#learn/tournaments' }, `← ${text('allTournaments')}`),
      make(
        'div',
        { class: 'row' },
        make('h1', {}, tournament),
        running ? make('span', { class: 'state running' }, text('live')) : null,
      ),
      make(
        'div',
        { class: 'run-facts' },
        make('span', {}, shared(game)),
        make('span', {}, text('played', games, planned)),
        running && speed ? make('span', {}, text('speed', number(speed, { maximumFractionDigits: 1 }))) : null,
      ),
      running ? make('progress', { max: planned, value: games }) : '',
    ),
    make('h2', {}, text('standings')),
    make(
      'div',
      { class: 'card cross-sheet' },
      make(
        'table',
        { class: 'cross', id: 'standings' },
        make('thead', {}, make('tr', {}, head)),
        make('tbody', {}, order.map(row)),
      ),
    ),
    ...(running ? crew(workers, age) : []),
    ...evidence(tests),
    make('h2', {}, text('crossTable')),
    make('div', { class: 'card cross-sheet' }, crossTable(order, players, cross)),
  );
}

function crossTable(order, players, cross) {
  const score = ({ wins, draws, losses }) => [wins + draws / 2, wins + draws + losses];
  const cell = (row, column) => {
    if (row === column) return make('td', { class: 'self' });
    const [points, games] = score(cross[row][column]);
    return make(
      'td',
      { class: points > games / 2 ? 'ahead' : '', title: text('versus', players[row].name, players[column].name) },
      games > 0 ? `${number(points)}/${number(games)}` : '–',
    );
  };
  return make(
    'table',
    { class: 'cross', id: 'cross' },
    make(
      'thead',
      {},
      make(
        'tr',
        {},
        make('th'),
        order.map((place, at) => make('th', { scope: 'col', title: players[place].name }, at + 1)),
      ),
    ),
    make(
      'tbody',
      {},
      order.map((row, at) =>
        make(
          'tr',
          {},
          make('th', { scope: 'row' }, `${at + 1} ${players[row].name}`),
          order.map((column) => cell(row, column)),
        ),
      ),
    ),
  );
}
