// Page Analyse: a position or a game, what it is worth, why, and what is known. `#analyse/ID` looks at a table's game,
// `#analyse/at/...` at what the address itself says.
//
// State is one object: the game with its variations (`tree`) and the node looked at (`node`). Views come from the server
// and are remembered. The address always says what is shown, so that it can be sent to somebody.

import { address, fromTable, read as readAddress, remembered } from './analyse/address.js';
import { advice, heat } from './analyse/advice.js';
import { Bar } from './analyse/bar.js';
import { curve, edge } from './analyse/curve.js';
import { Engine } from './analyse/engine.js';
import { MoveTree } from './analyse/movetree.js';
import { Known, Why } from './analyse/panels.js';
import { Review } from './analyse/review.js';
import { Editor } from './analyse/setup.js';
import { share } from './analyse/share.js';
import { askText, playHere, saveGame } from './analyse/sheets.js';
import { Tabs } from './analyse/tabs.js';
import { depth, isMain, leaves, path, Tree } from './analyse/tree.js';
import { few } from './analyse/worth.js';
import * as api from './api.js';
import { Playing } from './board/playing.js';
import { dictionary, number, rulesName, text as shared } from './i18n.js';
import * as keep from './keep.js';
import { Chart } from './parts/chart.js';
import { button, make, select } from './parts/html.js';
import { settle } from './parts/narrow.js';
import { steps } from './play/toolbar.js';
import { said } from './said.js';
import words from './words/analyse.js';

const text = dictionary(words);
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: 'first', ArrowDown: 'last', Home: 'first', End: 'last' };

let state = null;
let parts = null;

export async function enter(root, [first, ...rest]) {
  const mine = {
    root,
    games: null,
    flipped: keep.setting('analyse-flipped', false),
    views: new Map(),
    notice: '',
    editor: null,
  };
  state = mine;
  const games = await api.games();
  const begun = first === 'at' ? readAddress(rest) : first ? await fromTable(first) : remembered();
  if (state !== mine) return;
  state.games = games;
  const game = games.some(({ name }) => name === begun?.game) ? begun : { game: games[0].name };
  document.addEventListener('keydown', react, true);
  document.addEventListener('paste', pasted);
  build();
  take(game);
}

export function leave() {
  document.removeEventListener('keydown', react, true);
  document.removeEventListener('paste', pasted);
  state?.editor?.leave();
  for (const part of [parts?.playing, parts?.engine, parts?.review, parts?.why, parts?.known]) part?.leave();
  parts?.unsettle();
  [state, parts] = [null, null];
}

const offer = () => state.games.find(({ name }) => name === state.game);
const board = () => state.view?.board ?? offer().board;

function build() {
  const playing = new Playing({ play, changed: () => state?.view && draw() });
  parts = {
    playing,
    bar: new Bar(),
    stage: make('div', { class: 'stage-board' }, playing.svg),
    chart: new Chart({
      label: text('curve'),
      format: (value) => number(value, { maximumFractionDigits: 1 }),
      pick: home,
      width: 400,
      height: 90,
    }),
    moves: new MoveTree({
      look: (node) => look(node),
      value: valueOf,
      mark: (ply) => parts.review.marks()[ply],
      empty: shared('noMoves'),
      label: shared('moves'),
    }),
    engine: new Engine({ found, go: (moves) => look(state.tree.extend(state.node, moves)), changed: rethink }),
    review: new Review({ changed: reviewed, go: better, look: home }),
    why: new Why(() => state?.view && draw()),
    known: new Known((move) => play(move), () => state?.view && draw()),
    said: make('p', { class: 'said-row', id: 'said', role: 'status' }),
    facts: make('span', { id: 'status' }),
    opening: make('span', { class: 'opening', id: 'opening' }),
    back: button({ id: 'to-game', kind: 'small', word: text('toGame'), press: () => look(branch()) }),
    up: button({ id: 'promote', kind: 'small', word: text('promote'), press: promote }),
    gone: button({ id: 'remove-line', kind: 'small', word: text('remove'), press: remove }),
    comment: make('input', {
      type: 'text',
      id: 'comment',
      maxlength: 200,
      autocomplete: 'off',
      placeholder: text('comment'),
      'aria-label': text('comment'),
      onchange: () => comment(parts.comment.value.trim()),
    }),
    beside: make('aside', { class: 'beside' }),
    tools: make('div', { class: 'tools-row', role: 'toolbar', 'aria-label': text('tools') }),
  };
  const panels = ['review', 'why', 'known'].map((key) => ({ key, title: text(`${key}Tab`), element: parts[key].element }));
  parts.tabs = new Tabs(panels, text('panels'), opened);
  opened(parts.tabs.key);
  parts.scale = make('span', { class: 'curve-name' });
  parts.curve = make('div', { class: 'card curve-card', id: 'curve' }, parts.scale, parts.chart.element);
  const head = make('div', { class: 'record-head' }, parts.opening);
  const view = make('div', { class: 'view' }, make('div', { class: 'board-row' }, parts.bar.element, parts.stage));
  parts.unsettle = settle(steps(step), view, head);
  parts.record = make(
    'section',
    { class: 'card record', 'aria-label': shared('moves') },
    head,
    parts.moves.element,
    make('div', { class: 'row' }, parts.comment, parts.up, parts.gone, parts.back),
    make('div', { class: 'row facts-row' }, parts.facts),
  );
  state.root.replaceChildren(
    make(
      'div',
      { class: 'analysis' },
      make('h1', { class: 'heading' }, text('title')),
      view,
      parts.beside,
    ),
  );
}

/** All words anew; what is shown stays. */
export function redraw() {
  if (!state?.games) return;
  const { game, rules, start, tree, node } = state;
  for (const part of [parts.playing, parts.engine, parts.review, parts.why, parts.known]) part.leave();
  parts.unsettle();
  state.editor?.leave();
  [state.editor, state.view] = [null, null];
  build();
  take({ game, rules, start, tree, node });
}

function opened(key) {
  for (const name of ['why', 'known']) parts[name].open(name === key);
}

/** Shows another game or position from now on. */
function take({ game, rules = '', start = null, moves = [], tree = new Tree(moves), node, at }, notice = '') {
  const line = tree.line();
  const shown = node ?? (at === undefined ? line.at(-1) : line[at - 1]) ?? tree.root;
  Object.assign(state, { game, rules, start, tree, found: null, view: null, node: tree.root, notice });
  state.views.clear();
  parts.review.forget();
  parts.engine.build(offer());
  drawTools();
  dress();
  look(shown);
}

const question = (moves = path(state.node)) => {
  const asked = { game: state.game, rules: state.rules, moves };
  return state.start ? { ...asked, start: state.start } : asked;
};

/** The panels beside the board, or the editor. */
function dress() {
  const { editor } = state;
  parts.beside.replaceChildren(
    ...(editor
      ? [editor.element]
      : [parts.tools, parts.said, parts.engine.element, parts.curve, parts.record, parts.tabs.element]),
  );
  parts.stage.replaceChildren(editor ? editor.svg : parts.playing.svg);
  parts.bar.element.hidden = Boolean(editor);
}

function drawTools() {
  parts.tools.replaceChildren(
    select(
      state.games.map(({ name }) => [name, shared(name)]),
      state.game,
      (game) => take({ game }),
      { id: 'game', 'aria-label': text('game') },
    ),
    button({ id: 'paste', picture: 'load', word: text('paste'), tip: text('pasteTip'), press: () => askText(read) }),
    button({ id: 'set-up', picture: 'swap', word: text('setUp'), press: edit }),
    button({ id: 'flip', picture: 'flip', word: text('flip'), bare: true, press: flip }),
    button({ id: 'share', picture: 'share', word: text('share'), bare: true, press: give }),
    button({ id: 'play-here', picture: 'go', word: text('playHere'), press: () => playHere(state, complain) }),
  );
}

/** Looks at a node. */
async function look(node) {
  const mine = state;
  state.node = node;
  const moves = path(node);
  const key = moves.join(' ');
  parts.moves.show(state.tree, node);
  if (!state.views.has(key)) {
    try {
      const { view, opening } = await api.post('/api/look', question(moves));
      mine.views.set(key, { ...view, opening });
    } catch (fault) {
      if (!(fault instanceof api.Fault)) throw fault;
      if (state === mine) complain(fault.status === 0 ? shared('offline') : said(fault.message));
      if (state === mine && fault.status !== 0 && node.parent) look(state.tree.remove(node));
      return;
    }
  }
  if (state !== mine || state.node !== node) return;
  state.view = state.views.get(key);
  state.found = null;
  parts.engine.ask(question());
  explain();
  parts.known.side = state.view.to_move;
  parts.known.show(question());
  note();
  draw();
}

/** The address and this browser remember what is shown. */
function note() {
  const here = address(state);
  if (!here) return;
  keep.set('analysis', { address: here });
  history.replaceState(history.state, '', here);
}

/** Asks why by the evaluation that the engine thinks with. */
function explain() {
  const evaluation = parts.engine.evaluation();
  parts.why.show(evaluation ? { ...question(), eval: evaluation } : question());
}

function rethink() {
  if (!state?.view) return;
  explain();
  draw();
}

function step(by) {
  const { tree, node } = state;
  const last = tree.line(node).at(-1) ?? node;
  const next = by === 'first' ? tree.root : by === 'last' ? last : by < 0 ? node.parent : node.children[0];
  if (next && next !== node) look(next);
}

/** Plays on from what is shown; another move than the game's begins a variation. */
function play(move) {
  state.notice = '';
  look(state.tree.add(state.node, move));
}

/** The position of the game where the variation looked at leaves it. */
const branch = () => leaves(state.node)?.parent ?? state.node;

/** Back to the game, at a ply of it. */
const home = (ply) => look(state.tree.line()[ply - 1] ?? state.tree.root);

/** What would have been better after a ply of the game. */
const better = (ply, moves) => look(state.tree.extend(state.tree.line()[ply - 1] ?? state.tree.root, moves));

function promote() {
  state.tree.promote(state.node);
  parts.review.forget();
  look(state.node);
}

function remove() {
  if (state.node.parent) look(state.tree.remove(state.node));
}

function comment(words) {
  state.node.comment = words;
  note();
  draw();
}

function found(findings) {
  if (!state?.view) return;
  state.found = findings;
  const best = findings?.lines[0];
  if (best) {
    const value = best.proved ? edge(best, findings) : best.black_value;
    state.node.found = { value, unit: findings.unit };
  }
  draw();
}

function reviewed() {
  if (!state) return;
  parts.engine.pause(parts.review.runs);
  draw();
}

/** What a move led to is worth, by the review if there is one. */
function valueOf(node) {
  const reviewed = isMain(node) ? parts.review.values()[depth(node)]?.[1] : null;
  const unit = parts.review.report?.unit ?? node.found?.unit;
  const value = reviewed ?? node.found?.value ?? null;
  return value === null ? '' : few(value, unit);
}

function draw() {
  const { view, node, tree } = state;
  if (!view || state.editor) return;
  const inGame = isMain(node);
  const main = tree.main();
  parts.playing.show({ board: board(), view, flipped: state.flipped, valued: parts.known.valued(), ...advice(state.found, parts) });
  state.root.firstChild.style.setProperty('--ratio', parts.playing.board.ratio.toFixed(4));
  state.root.firstChild.classList.add('drawn');
  heat(parts);
  parts.bar.show(state.found, state.flipped);
  parts.moves.show(tree, node);
  [parts.back.hidden, parts.up.hidden] = [inGame, inGame];
  parts.gone.hidden = !node.parent;
  parts.comment.hidden = !node.parent;
  if (document.activeElement !== parts.comment) parts.comment.value = node.comment;
  parts.facts.textContent = [rulesName(state.rules), said(view.status), inGame ? null : text('variation')]
    .filter(Boolean)
    .join(' · ');
  parts.opening.textContent = view.opening ?? '';
  parts.said.textContent = state.notice || parts.playing.prompt() || '';
  parts.review.show({
    at: depth(node),
    count: main.length,
    isMain: inGame,
    start: () => parts.review.begin(question(main)),
  });
  curve(state, parts, main.length);
}

function flip() {
  state.flipped = !state.flipped;
  keep.set('analyse-flipped', state.flipped);
  draw();
}

function best() {
  const move = state.found?.lines[0]?.moves[0];
  if (move) play(move);
}

function react(event) {
  if (event.defaultPrevented || state?.editor || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector('dialog[open]') || event.target.closest('input, select, textarea')) return;
  // A cell that the keyboard walks on, the curve and the tabs have these keys for themselves.
  if (event.target.closest('.cell')?.matches(':focus-visible') || event.target.closest('.chart, [role=tab]')) return;
  const onButton = event.target.closest('button, a, summary');
  const act =
    event.key in STEPS
      ? () => step(STEPS[event.key])
      : event.key === ' ' && !onButton
        ? best
        : { f: flip, l: () => parts.engine.toggle() }[event.key.toLowerCase()];
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

/** What was pasted onto the page, outside of all fields. */
function pasted(event) {
  if (event.target.closest?.('input, textarea') || state?.editor) return;
  const content = event.clipboardData?.getData('text');
  if (content?.trim()) read(content);
}

function complain(words) {
  state.notice = words;
  parts.said.textContent = words;
}

/** Reads a text as whatever it is; gives what is wrong with it. */
async function read(content) {
  const mine = state;
  try {
    const game = await api.post('/api/import', { text: content, game: state.game });
    if (state !== mine) return null;
    const more = game.games > 1 ? `, ${text('moreGames', game.games)}` : '';
    take(game, `${text('readAs', game.format, shared(game.game))}${more}.`);
    return null;
  } catch (fault) {
    if (!(fault instanceof api.Fault)) throw fault;
    const words = fault.status === 0 ? shared('offline') : said(fault.message);
    if (state === mine) complain(words);
    return words;
  }
}

async function edit() {
  const close = () => {
    editor.leave();
    state.editor = null;
    parts.engine.pause(false);
    dress();
  };
  const editor = new Editor({
    game: { ...offer(), board: board() },
    rules: state.rules,
    flipped: state.flipped,
    done: (position) => {
      close();
      take({ game: state.game, rules: state.rules, start: position });
    },
    cancel: () => {
      close();
      look(state.node);
    },
  });
  state.editor = editor;
  parts.engine.pause(true);
  await editor.load(state.view?.position ?? null);
  dress();
}

/** The dialog that gives the analysis away. */
function give() {
  const here = address(state);
  share({
    link: here ? `${location.origin}${location.pathname}${here}` : null,
    game: state.game,
    scene: { board: board(), stones: state.view.stones, last: state.view.last, flipped: state.flipped },
    question: (ply) => question(path(state.node).slice(0, ply)),
    plies: depth(state.node),
    save: () => saveGame(question(), state.game),
  });
}
