// Page Arena: `#arena` is the lobby; `#arena/ratings`, `#arena/archive`, `#arena/player/NAME` and `#arena/bots` its rooms.

import * as archive from './arena/archive.js';
import * as bots from './arena/bots.js';
import * as lobby from './arena/lobby.js';
import * as player from './arena/player.js';
import * as ratings from './arena/ratings.js';
import { dictionary } from './i18n.js';
import { rooms } from './parts/rooms.js';
import words from './words/arena.js';

const text = dictionary(words);

export const { enter, leave } = rooms('arena', text, { lobby, ratings, archive, bots }, { player });
