// Page Learn: `#learn` lists training runs, `#learn/run/NAME` is one of them; `#learn/heuristics`, `#learn/studies`,
// `#learn/tournaments` and `#learn/tournament/NAME` are its other rooms.
//
// A room is a module with `enter(root, args)` and, if it holds something open, `leave()`.

import { dictionary } from './i18n.js';
import * as heuristics from './learn/heuristics.js';
import * as run from './learn/run.js';
import * as runs from './learn/runs.js';
import * as studies from './learn/studies.js';
import * as tournament from './learn/tournament.js';
import * as tournaments from './learn/tournaments.js';
import { make } from './parts/html.js';
import words from './words/learn.js';

const text = dictionary(words);
const ROOMS = { runs, heuristics, studies, tournaments };
const INNER = { run, tournament };

let room = null;

export async function enter(root, [name = 'runs', ...args]) {
  room = ROOMS[name] ?? INNER[name] ?? runs;
  const link = (key) =>
    make(
      'a',
      {
        class: 'tab',
        href: key === 'runs' ? '#learn' : `#learn/${key}`,
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
