// Page Arena: `#arena` is the lobby; `#arena/ratings`, `#arena/archive`, `#arena/player/NAME` and `#arena/bots` its rooms.
//
// A room is a module with `enter(root, args)` and, if it holds something open, `leave()`.

import * as archive from './arena/archive.js';
import * as bots from './arena/bots.js';
import * as lobby from './arena/lobby.js';
import * as player from './arena/player.js';
import * as ratings from './arena/ratings.js';
import { dictionary } from './i18n.js';
import { make } from './parts/html.js';
import words from './words/arena.js';

const text = dictionary(words);
const ROOMS = { lobby, ratings, archive, bots };

let room = null;

export async function enter(root, [name = 'lobby', ...args]) {
  room = name === 'player' ? player : (ROOMS[name] ?? lobby);
  const link = (key) =>
    make(
      'a',
      {
        class: 'tab',
        href: key === 'lobby' ? '#arena' : `#arena/${key}`,
        'aria-current': ROOMS[key] === room ? 'page' : null,
      },
      text(key),
    );
  const body = make('div', { class: 'room' });
  root.append(make('nav', { class: 'tabs', 'aria-label': text('sections') }, Object.keys(ROOMS).map(link)), body);
  await room.enter(body, args);
}

export function leave() {
  room?.leave?.();
  room = null;
}
