// What stands beside the board: whose turn it is, what to do, the moves, the buttons.

import { forcedPass } from './input.js';
import { said, text } from './i18n.js';

const find = (id) => document.getElementById(id);
const other = (side) => (side === 'black' ? 'white' : 'black');

/** Brings everything beside the board up to date. */
export function show({ table, scene, notice }) {
  const { view } = table;
  for (const side of ['black', 'white']) showPlayer(side, view);
  find('status').textContent = view.status === counted(view) ? '' : said(view.status);
  find('rules').textContent = text('rulesAre', view.rules);
  showMessage(view, scene, notice);
  showMoves(view.moves);
  find('undo').disabled = view.moves.length === 0;
  find('redo').disabled = view.undone === 0;
}

const stonesOf = (side, view) => view.stones.filter((stone) => stone === side).length;

/** The status of games that only count stones, which stand beside the players anyway. */
const counted = (view) => `black ${stonesOf('black', view)}, white ${stonesOf('white', view)}`;

function showPlayer(side, view) {
  const player = find(`player-${side}`);
  player.classList.toggle('active', !view.end && view.to_move === side);
  player.classList.toggle('winner', view.end?.winner === side);
  player.querySelector('.count').textContent = stonesOf(side, view);
}

function showMessage(view, scene, notice) {
  const message = find('message');
  message.classList.toggle('ended', Boolean(view.end));
  find('again').hidden = !view.end;
  find('pass').hidden = !forcedPass(view.legal);
  const words = notice ?? prompt(view, scene);
  if (find('prompt').textContent !== words) find('prompt').textContent = words;
}

function prompt(view, { choice, options }) {
  const side = text(view.to_move);
  if (view.end) {
    const { winner, reason } = view.end;
    return `${winner ? text('wins', text(winner)) : text('draw')} – ${said(reason)}`;
  }
  if (forcedPass(view.legal)) return text('mustPass', side);
  if (options.removable.length > 0) {
    return text(choice.remove.length === 0 ? 'remove' : 'removeStone', text(other(view.to_move)));
  }
  if (choice.to.length > 0) return text('narrow');
  if (choice.from.length > 0) return text(view.legal.some((move) => move.from.length > 1) ? 'chooseMore' : 'choose');
  const played = view.moves.length > 0 ? `${text('played', text(other(view.to_move)), view.moves.at(-1))} ` : '';
  return played + text('turn', side);
}

function showMoves(moves) {
  const list = find('moves');
  if (list.dataset.shown === JSON.stringify(moves) && list.dataset.words === text('noMoves')) return;
  const rows = [];
  for (let ply = 0; ply < moves.length; ply += 2) rows.push(row(moves, ply));
  list.replaceChildren(...rows);
  if (moves.length === 0) list.append(span('li', 'none', text('noMoves')));
  list.scrollTop = list.scrollHeight;
  list.dataset.shown = JSON.stringify(moves);
  list.dataset.words = text('noMoves');
}

function row(moves, ply) {
  const item = document.createElement('li');
  const move = (at) => span('span', at === moves.length - 1 ? 'move now' : 'move', moves[at] ?? '');
  item.append(span('span', 'number', `${ply / 2 + 1}.`), move(ply), move(ply + 1));
  return item;
}

function span(tag, kind, words) {
  const made = document.createElement(tag);
  made.className = kind;
  made.textContent = words;
  return made;
}
