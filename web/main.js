// The page: state in one object, one function that draws it, and what happens on each event.

import * as api from './api.js';
import { Board } from './board.js';
import { currentLanguage, text, toggleLanguage, translate } from './i18n.js';
import * as input from './input.js';
import * as panel from './panel.js';
import { listen } from './pointer.js';
import * as setup from './setup.js';
import { toggleTheme } from './theme.js';

const LONGEST_FILE = 60000;
const STONES = { squares: 'disc', lines: 'stone', hollows: 'marble' };
const find = (id) => document.getElementById(id);

const state = { games: [], table: null, choice: input.nothing(), flipped: false, notice: null, busy: false };
const board = new Board(find('board'), describe);

/** What the board shows: the stones, with the chosen move as far as it is decided. */
function scene() {
  const { table: { board: geometry, view }, choice, flipped } = state;
  const options = input.options(view.legal, choice);
  const stones = view.stones.map((colour) => (colour ? { colour, provisional: false } : null));
  if (options.landed) {
    for (const cell of choice.from) stones[cell] = null;
    for (const cell of options.left[0].to) stones[cell] = { colour: view.to_move, provisional: true };
  }
  const shownChoice = options.landed ? { ...choice, from: [] } : choice;
  return {
    board: geometry, flipped, stones, options, last: view.last, choice: shownChoice,
    ghosts: options.landed ? [] : choice.to,
    arrows: input.directions(view.legal, choice, geometry.cells),
    movable: new Set(view.legal.flatMap((move) => move.from)),
  };
}

/** The words for a cell, and whether a click there does something. */
function describe(cell, { board: geometry, stones, options, choice, last, movable }) {
  const stone = stones[cell];
  const words = [geometry.cells[cell].name, stone ? `${text(stone.colour)} ${text(STONES[geometry.ground])}` : text('empty')];
  const [isTarget, isRemovable] = [options.targets.includes(cell), options.removable.includes(cell)];
  const canMove = choice.to.length === 0 && movable.has(cell);
  if (choice.from.includes(cell)) words.push(text('chosen'));
  else if (isTarget) words.push(text('target'));
  else if (isRemovable) words.push(text('removable'));
  else if (canMove) words.push(text('movable'));
  if (last.includes(cell)) words.push(text('isLast'));
  return { text: words.join(', '), active: isTarget || isRemovable || canMove };
}

function draw() {
  const { table } = state;
  const shown = scene();
  board.show(shown);
  panel.show({ table, scene: shown, notice: state.notice });
  translate(document);
  const name = text(table.view.game);
  document.title = `${name} – Trilith`;
  find('board').setAttribute('aria-label', text('boardOf', name));
  find('language').textContent = currentLanguage() === 'de' ? 'EN' : 'DE';
  find('save').href = api.textAddress(table.id);
  drawGames();
}

function drawGames() {
  const buttons = state.games.map(({ name }) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'game';
    button.dataset.game = name;
    button.textContent = text(name);
    if (name === state.table.view.game) button.setAttribute('aria-current', 'page');
    button.onclick = () => enter(name);
    return button;
  });
  find('games').replaceChildren(...buttons);
}

/** Sits down at a table: everything that was chosen at the last one is forgotten. */
function sit(table, notice = null) {
  const sameTable = state.table?.id === table.id;
  const geometry = sameTable ? state.table.board : table.board;
  state.table = { ...table, board: geometry };
  state.choice = input.nothing();
  state.notice = notice;
  sessionStorage.setItem(`table-${table.view.game}`, table.id);
  if (location.hash !== `#${table.id}`) history.replaceState(null, '', `#${table.id}`);
  draw();
}

/** One request at a time; what goes wrong is said, and a table that has gone on is shown as it is. */
async function ask(work) {
  if (state.busy) return;
  setBusy(true);
  try {
    await work();
  } catch (fault) {
    if (!(fault instanceof api.Fault)) throw fault;
    await recover(fault);
  } finally {
    setBusy(false);
  }
}

function setBusy(busy) {
  state.busy = busy;
  find('board').setAttribute('aria-busy', busy);
}

async function recover(fault) {
  if (fault.status === 409) sit(await api.look(state.table.id), text('stale'));
  else if (fault.status === 404) sit(await api.open(state.table?.view.game ?? state.games[0].name, ''), text('lost'));
  else {
    state.notice = fault.status === 0 ? text('offline') : fault.message;
    if (state.table) draw();
    else find('prompt').textContent = state.notice;
  }
}

const ply = () => state.table.view.moves.length;
const play = (move) => ask(async () => sit(await api.play(state.table.id, move, ply())));

/** Takes over what a click or a drop did, and plays if that decided a move. */
function choose({ choice, move }) {
  state.notice = null;
  if (move) {
    play(move.text);
  } else {
    state.choice = choice;
    draw();
  }
}

/** Opens a game's table: the one left before, or a new one. */
const enter = (name) => ask(async () => {
  const left = sessionStorage.getItem(`table-${name}`);
  const known = left ? await api.look(left).catch(() => null) : null;
  sit(known ?? await api.open(name, ''));
});

const onBoard = {
  pick: (cell) => choose(input.click(state.table.view.legal, state.choice, cell)),
  direct: (move) => play(move),
  drop: (stone, cell) => {
    const done = input.drop(state.table.view.legal, state.choice, stone, cell);
    if (done) choose(done);
  },
  cancel: () => {
    if (state.table && !input.isEmpty(state.choice)) choose({ choice: input.nothing() });
  },
  carried: (cell) => {
    const { legal } = state.table.view;
    const movable = state.choice.to.length === 0 && legal.some((move) => move.from.includes(cell));
    return movable ? input.carried(state.choice, cell) : [];
  },
};

function newGame() {
  const game = state.games.find(({ name }) => name === state.table.view.game);
  setup.ask(game, async (rules) => sit(await api.open(game.name, rules)));
}

async function loadFile(file) {
  if (!file) return;
  await ask(async () => {
    if (file.size > LONGEST_FILE) throw new api.Fault(413, text('tooLong'));
    sit(await api.load(await file.text()));
  });
}

const undo = () => ask(async () => sit(await api.undo(state.table.id, ply())));
const redo = () => ask(async () => sit(await api.redo(state.table.id, ply())));

function flip() {
  state.flipped = !state.flipped;
  draw();
}

function wire() {
  listen(board, onBoard);
  find('undo').onclick = undo;
  find('redo').onclick = redo;
  find('flip').onclick = flip;
  find('new').onclick = newGame;
  find('again').onclick = () => ask(async () => sit(await api.open(state.table.view.game, state.table.view.rules)));
  find('pass').onclick = () => play(input.forcedPass(state.table.view.legal).text);
  find('load').onclick = () => find('file').click();
  find('file').onchange = async ({ target }) => {
    await loadFile(target.files[0]);
    target.value = '';
  };
  find('theme').onclick = toggleTheme;
  find('language').onclick = () => {
    toggleLanguage();
    state.notice = null;
    draw();
  };
  document.addEventListener('keydown', shortcut);
  addEventListener('hashchange', () => ask(async () => sit(await api.look(location.hash.slice(1)))));
  addEventListener('focus', refresh);
}

function shortcut(event) {
  if (!(event.ctrlKey || event.metaKey) || find('setup').open) return;
  const key = event.key.toLowerCase();
  const action = key === 'y' || (key === 'z' && event.shiftKey) ? redo : key === 'z' ? undo : null;
  if (!action) return;
  event.preventDefault();
  action();
}

/** A table may have gone on in another tab. Never in the way of a click: what is played meanwhile counts. */
async function refresh() {
  const before = state.table;
  const table = await api.look(before.id).catch(() => null);
  const changed = table && JSON.stringify(table.view) !== JSON.stringify(before.view);
  if (changed && !state.busy && state.table === before) sit(table);
}

async function begin() {
  state.games = await api.games();
  const id = location.hash.slice(1);
  sit(id ? await api.look(id) : await api.open(state.games[0].name, ''));
}

await ask(begin);
if (state.table) wire();
