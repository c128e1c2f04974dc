// Page Learn: `#learn` lists training runs, `#learn/run/NAME` is one of them; `#learn/heuristics`, `#learn/studies`,
// `#learn/tournaments` and `#learn/tournament/NAME` are its other rooms.

import { dictionary } from './i18n.js';
import * as heuristics from './learn/heuristics.js';
import * as run from './learn/run.js';
import * as runs from './learn/runs.js';
import * as studies from './learn/studies.js';
import * as tournament from './learn/tournament.js';
import * as tournaments from './learn/tournaments.js';
import { rooms } from './parts/rooms.js';
import words from './words/learn.js';

const text = dictionary(words);

export const { enter, leave } = rooms('learn', text, { runs, heuristics, studies, tournaments }, { run, tournament });
