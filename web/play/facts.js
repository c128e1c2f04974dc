// What a snapshot of a table says about those who sit there: who may do what, and what lists remember of it.

import { dictionary, rulesName, text as shared } from '../i18n.js';
import * as keep from '../keep.js';
import words from '../words/play.js';
import { outcome } from './ended.js';
import { openSide } from './message.js';
import { stonesOf } from './pieces.js';
import { nameOf } from './players.js';

const text = dictionary(words);
const SIDES = ['black', 'white'];
const other = (side) => (side === 'black' ? 'white' : 'black');

/** Whether another person sits at the other side: then moves are asked back, and words are said. */
export const hasOther = (table, mine) => mine.length === 1 && table.players[other(mine[0])].kind === 'human';

/** Before both have moved a game with somebody else can be left without a loser. */
export const canAbort = (table, mine) => hasOther(table, mine) && !table.result && table.view.moves.length < 2;

/** Whether what is known may be seen: not by who plays against another person, or for a rating. */
export const mayKnow = (table, mine) => !table.rated && !hasOther(table, mine);

/** Whether cells may be picked for a move to come. */
export const mayPickAhead = (table, mine) =>
  keep.setting('premoves', true) &&
  mine.length === 1 &&
  table.view.to_move !== mine[0] &&
  !table.result &&
  !table.paused &&
  !openSide(table);

/** Whether the status only counts stones, which stand beside the players anyway. */
export const isPlainCount = (view) =>
  view.status === `black ${stonesOf('black', view)}, white ${stonesOf('white', view)}`;

/** Game, rules, whether it is rated, and how many watch. */
export const rulesLine = ({ view, rated, spectators }) =>
  [
    shared(view.game),
    rulesName(view.rules),
    rated ? text('rated') : null,
    spectators > 0 ? text('spectators', spectators) : null,
  ]
    .filter(Boolean)
    .join(' · ');

/** The table in one line, for print and for screen readers. */
export function heading(table, mine) {
  const names = SIDES.map((side) => [shared(side), nameOf(table.players[side], side, mine)])
    .filter(([side, name]) => side !== name)
    .map((pair) => pair.join(': '));
  return [shared(table.view.game), ...names, table.result ? outcome(table.result) : null].filter(Boolean).join(' · ');
}

/** What the list of one's games remembers. */
export function entry(id, table, mine) {
  const player = ({ kind, name, account, spec }) => ({ kind, name, account, spec });
  return {
    id,
    game: table.view.game,
    moves: table.view.moves.length,
    ended: Boolean(table.result),
    result: table.result ? { winner: table.result.winner, reason: table.result.reason } : null,
    players: Object.fromEntries(SIDES.map((side) => [side, player(table.players[side])])),
    mine,
    turn: !table.result && mine.length === 1 && mine[0] === table.view.to_move,
    at: Date.now(),
  };
}
