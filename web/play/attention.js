// What calls a person back to a table: sounds, the title of the tab, a notification where the browser may show one.

import { dictionary, text as shared } from '../i18n.js';
import * as keep from '../keep.js';
import { play as sound } from '../sound.js';
import words from '../words/play.js';
import { outcome } from './ended.js';
import { isLow, left } from './clock.js';
import { nameOf } from './players.js';

const text = dictionary(words);
const other = (side) => (side === 'black' ? 'white' : 'black');

/** Whether notifications are wanted and may be shown. */
export const mayNotify = () =>
  keep.setting('notifications', false) && 'Notification' in window && Notification.permission === 'granted';

/** Asks the browser for leave; true if it was given. */
export async function wishNotifications(on) {
  const granted = on && 'Notification' in window && (await Notification.requestPermission()) === 'granted';
  keep.set('notifications', granted);
  return granted;
}

function notify(title, body) {
  if (!document.hidden || !mayNotify()) return;
  const note = new Notification(title, { body, icon: '/assets/icon.svg', tag: location.hash });
  note.onclick = () => {
    window.focus();
    note.close();
  };
}

const isMine = (table, mine) => !table.result && mine.includes(table.view.to_move);

/** The title of the tab says whose turn it is. */
export function title(table, mine) {
  const game = shared(table.view.game);
  const waits = mine.length === 1 && isMine(table, mine);
  const state = table.result ? outcome(table.result) : waits ? `● ${text('yourTurnShort')}` : null;
  document.title = [state, game, 'Trilith'].filter(Boolean).join(' – ');
}

/** What has just happened, for ears: `before` and `table` are two snapshots in a row. */
export function hear(before, table, mine) {
  if (!before) return;
  const isNew = table.view.moves.length > before.view.moves.length;
  if (table.result && !before.result) ended(table, mine);
  else if (isNew) moved(before, table, mine);
}

function ended({ result, view }, mine) {
  const alone = mine.length === 1;
  sound(!alone || !result.winner ? 'ended' : result.winner === mine[0] ? 'won' : 'lost');
  if (mine.length > 0) notify(`${shared(view.game)} – Trilith`, outcome(result));
}

function moved(before, table, mine) {
  const stones = ({ view }) => view.stones.filter(Boolean).length;
  sound(stones(table) < stones(before) ? 'capture' : 'move');
  if (mine.length !== 1 || !isMine(table, mine)) return;
  const side = other(mine[0]);
  notify(
    `${text('yourTurnShort')} – ${shared(table.view.game)}`,
    text('played', nameOf(table.players[side], side, mine), table.view.moves.at(-1)),
  );
}

/** A beep, once, when one's own time gets short. */
export function clock(state, reading, mine) {
  const low = mine.length === 1 && reading.running === mine[0] && isLow(left(reading, mine[0]));
  if (low && !state.wasLow) sound('low');
  state.wasLow = low;
}
