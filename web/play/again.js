// The same game once more with the colours changed, or another one with the same players.

import * as api from '../api.js';
import * as keep from '../keep.js';

const SIDES = ['black', 'white'];
const other = (side) => (side === 'black' ? 'white' : 'black');

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

/** Goes to the game after `table`: whoever held a seat there holds the other one here, by the same token. */
export function goOn(table) {
  const held = keep.seats(table.id);
  const moved = Object.fromEntries(SIDES.filter((side) => held[side]).map((side) => [other(side), held[side]]));
  keep.takeSeats(table.next, { ...moved, owner: held.owner });
  location.hash = `#play/${table.next}`;
}

/** Opens the game in `text` for the players of `table`. */
export const load = (text, table) => open({ text, players: wishes(table) });
