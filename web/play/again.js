// The same game once more, or another one with the same players.

import * as api from '../api.js';
import * as keep from '../keep.js';

const SIDES = ['black', 'white'];

/** People who sit elsewhere cannot be asked to start again by this page. */
export const canRepeat = ({ players }, mine) =>
  SIDES.every((side) => players[side].kind !== 'human' || mine.includes(side));

/** Who sat there, as wishes for a new table. */
function wishes({ players }) {
  const wish = ({ kind, spec }) => (spec ? { kind, spec } : { kind: 'human' });
  return Object.fromEntries(SIDES.map((side) => [side, wish(players[side])]));
}

async function open(wish) {
  const table = await api.lenient((token) => api.post('/api/tables', wish, token), keep.account()?.token);
  keep.own(table);
  location.hash = `#play/${table.id}`;
}

/** Opens a table like `table`, from where it began. */
export async function again(table) {
  const { game, rules } = table.view;
  const start = await api.get(`/api/tables/${table.id}/at/0`);
  const wish = { game, rules, position: start.view.position, players: wishes(table) };
  if (table.clock) wish.clock = { initial_ms: table.clock.initial_ms, increment_ms: table.clock.increment_ms };
  return open(wish);
}

/** Opens the game in `text` for the players of `table`. */
export const load = (text, table) => open({ text, players: wishes(table) });
