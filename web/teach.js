// Page Practise: `#teach` is the room of puzzles, `#teach/puzzle/GAME/NUMBER` one of them, `#teach/lessons` lists first
// steps and lessons, `#teach/lesson/GAME/NAME` is one to play through, `#teach/mistakes` has
// one's own mistakes, `#teach/opponents` those to play against.

import { dictionary } from './i18n.js';
import { rooms } from './parts/rooms.js';
import * as lesson from './teach/lesson.js';
import * as lessons from './teach/lessons.js';
import * as mistakes from './teach/mistakes.js';
import * as opponents from './teach/opponents.js';
import * as puzzles from './teach/puzzles.js';
import words from './words/teach.js';

const text = dictionary(words);

export const { enter, leave } = rooms('teach', text, { puzzles, lessons, mistakes, opponents }, { puzzle: puzzles, lesson });
