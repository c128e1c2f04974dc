// A level that adapts: one up after a game won, one down after a game lost, so that about half are won.

import * as api from '../api.js';
import * as keep from '../keep.js';
import * as practice from './practice.js';

const FIRST = 3;

/** Remembers a game against the level that adapts; its result is looked at before the next one. */
export function begun(game, id, side) {
  const { adaptive = {} } = practice.of(game);
  practice.note(game, { adaptive: { level: adaptive.level ?? FIRST, open: [...(adaptive.open ?? []), { id, side }].slice(-5) } });
}

/** The level for the next game, after what has happened in the earlier ones. */
export async function level(game, most) {
  const { adaptive = {} } = practice.of(game);
  let now = adaptive.level ?? FIRST;
  const open = [];
  for (const { id, side } of adaptive.open ?? []) {
    const ended = await result(id);
    if (ended === null) open.push({ id, side });
    else if (ended.winner) now += ended.winner === side ? 1 : -1;
  }
  now = Math.max(1, Math.min(most, now));
  if (adaptive.open?.length > 0) practice.note(game, { adaptive: { level: now, open } });
  return now;
}

/** How a game has ended; null while it goes on, nothing won if it cannot be found. */
async function result(id) {
  try {
    const { result: ended } = await api.get(`/api/tables/${id}`, Object.values(keep.seats(id))[0]);
    return ended ?? null;
  } catch (fault) {
    if (!(fault instanceof api.Fault)) throw fault;
    return fault.status === 0 ? null : {};
  }
}
