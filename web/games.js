// Page My games: every game of this browser and of the account, with filter and search. What is remembered here can be
// read while the server is away.

import * as api from './api.js';
import { dictionary, moment, text as shared } from './i18n.js';
import * as keep from './keep.js';
import { button, field, make, segments } from './parts/html.js';
import { said } from './said.js';
import words from './words/games.js';

const text = dictionary(words);
const PAGE = 100;
const SHOWN = 60;
const FILTERS = ['all', 'running', 'won', 'lost', 'drawn'];

let state = null;

export async function enter(root) {
  state = { root, filter: 'all', query: '', entries: keep.visited().map(own), shown: SHOWN, isAway: false };
  const mine = state;
  redraw();
  const account = keep.account();
  if (!account) return;
  try {
    const { games } = await api.get(`/api/me/games?limit=${PAGE}`, account.token);
    if (state !== mine) return;
    state.entries = merged(state.entries, games.map((game) => theirs(game, account)));
  } catch (fault) {
    if (!(fault instanceof api.Fault)) throw fault;
    if (state !== mine) return;
    state.isAway = fault.status === 0;
  }
  redraw();
}

export function leave() {
  state = null;
}

/** A game that this browser remembers. */
function own({ id, game, moves, ended, result = null, players = {}, mine = [], turn = false, at = 0 }) {
  return { id, game, plies: moves, result: ended ? (result ?? { winner: null, reason: '' }) : null, players, mine, turn, at };
}

/** A game that the server knows of the account. */
function theirs({ id, game, plies, players, result, created, finished }, { name }) {
  const key = name.toLowerCase();
  const mine = ['black', 'white'].filter((side) => players[side].account === key);
  return { id, game, plies, result, players, mine, turn: false, at: finished ?? created };
}

/** Both lists, each game once, the latest first; what the server says about an end counts. */
function merged(local, remote) {
  const all = new Map(remote.map((entry) => [entry.id, entry]));
  for (const entry of local) {
    const known = all.get(entry.id);
    const mine = entry.mine.length > 0 ? entry.mine : (known?.mine ?? []);
    all.set(entry.id, known ? { ...entry, result: known.result ?? entry.result, plies: Math.max(known.plies, entry.plies), mine } : entry);
  }
  return [...all.values()].sort((a, b) => b.at - a.at);
}

function called({ kind, name, account, spec } = {}) {
  if (kind === 'learning') return text('learning');
  const level = spec?.match(/[:,]level=(\d+)/)?.[1];
  if (kind === 'engine') return level ? text('levelName', level) : text('computer');
  return name || account || text('guest');
}

/** Against whom, from the side of whoever looks. */
function opponent({ players, mine }) {
  if (mine.length === 2) return text('here');
  if (mine.length === 0) return `${called(players.black)} – ${called(players.white)}`;
  return called(players[mine[0] === 'black' ? 'white' : 'black']);
}

/** `won`, `lost` or `drawn` for who held one seat; `over` else; `running` before the end. */
function outcomeOf({ result, mine }) {
  if (!result) return 'running';
  if (!result.winner) return 'drawn';
  if (mine.length !== 1) return 'over';
  return result.winner === mine[0] ? 'won' : 'lost';
}

function resultOf(entry) {
  const kind = outcomeOf(entry);
  if (kind === 'running') return text(entry.turn ? 'yourTurn' : 'theirTurn');
  const word = { won: 'resultWon', lost: 'resultLost', drawn: 'resultDrawn' }[kind];
  const head = word ? text(word) : shared('wins', shared(entry.result.winner));
  return entry.result.reason ? `${head} – ${said(entry.result.reason)}` : head;
}

const line = (entry) => [shared(entry.game), opponent(entry), resultOf(entry), entry.at ? moment(entry.at) : ''].join(' ');

function found() {
  const query = state.query.trim().toLowerCase();
  return state.entries
    .filter((entry) => state.filter === 'all' || outcomeOf(entry) === state.filter)
    .filter((entry) => !query || line(entry).toLowerCase().includes(query));
}

export function redraw() {
  if (!state) return;
  const search = make('input', {
    type: 'text',
    id: 'search',
    value: state.query,
    placeholder: text('searchHint'),
    spellcheck: 'false',
    oninput: () => {
      state.query = search.value;
      list();
    },
  });
  state.body = make('div', { id: 'my-games' });
  state.root.replaceChildren(
    make(
      'div',
      { class: 'my-games' },
      make(
        'div',
        { class: 'row head' },
        make('h1', {}, text('title')),
        make('a', { class: 'button primary', href: '#play' }, text('newGame')),
      ),
      make('p', { class: 'none' }, text('about')),
      state.isAway ? make('p', { class: 'fault', role: 'status' }, text('away')) : null,
      make(
        'div',
        { class: 'games-filter' },
        segments(
          'which',
          FILTERS.map((one) => [one, text(one)]),
          state.filter,
          (one) => {
            state.filter = one;
            list();
          },
          text('which'),
        ),
        field(text('search'), search),
      ),
      state.body,
    ),
  );
  list();
}

function list() {
  const all = found();
  const none = make('p', { class: 'none' }, text(state.entries.length > 0 ? 'noneSuch' : 'none'));
  const more = button({
    id: 'more-games',
    word: text('more'),
    press: () => {
      state.shown += SHOWN;
      list();
    },
  });
  state.body.replaceChildren(
    all.length === 0 ? none : make('ul', { class: 'card games-list' }, all.slice(0, state.shown).map(row)),
    all.length > state.shown ? more : '',
  );
}

function row(entry) {
  const kind = outcomeOf(entry);
  const side = entry.mine.length === 1 ? entry.mine[0] : null;
  return make(
    'li',
    { class: kind, 'data-table': entry.id },
    side ? make('span', { class: `pip ${side}`, role: 'img', 'aria-label': shared(side) }) : make('span', { class: 'pip none' }),
    make(
      'span',
      { class: 'grow' },
      make('b', {}, opponent(entry)),
      make('span', { class: 'terms' }, [shared(entry.game), `${text('moves')}: ${entry.plies}`, entry.at ? moment(entry.at) : null].filter(Boolean).join(' · ')),
    ),
    make('span', { class: `games-result ${entry.turn ? 'turn' : ''}` }, resultOf(entry)),
    make('a', { class: 'button', href: `#play/${entry.id}` }, text(entry.result ? 'replay' : 'open')),
    entry.result ? make('a', { class: 'button', href: `#analyse/${entry.id}` }, text('analyse')) : null,
  );
}
