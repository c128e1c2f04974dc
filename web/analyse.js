// Page Analyse: a position or a game, what it is worth, why, and what is known. `#analyse/ID` looks at a table's game.
//
// State is one object: the game (`main`), the moves looked at (`line`, which leaves the game where a person tries
// something else) and how many of them have been played (`at`). Views come from the server and are remembered.

import { Engine } from './analyse/engine.js';
import { Known, Why } from './analyse/panels.js';
import { Review } from './analyse/review.js';
import { Editor } from './analyse/setup.js';
import { brief, onCell } from './analyse/worth.js';
import * as api from './api.js';
import { Playing } from './board/playing.js';
import { circle } from './board/svg.js';
import { dictionary, rulesName, text as shared } from './i18n.js';
import * as keep from './keep.js';
import { Chart } from './parts/chart.js';
import { open } from './parts/dialog.js';
import { LONGEST_FILE, textFile } from './parts/file.js';
import { button, make, select } from './parts/html.js';
import { MoveList } from './parts/moves.js';
import { steps } from './play/toolbar.js';
import { said } from './said.js';
import words from './words/analyse.js';

const text = dictionary(words);
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: 'first', ArrowDown: 'last', Home: 'first', End: 'last' };
/** The most a curve shows of log odds: 99 in a hundred. */
const EDGE = 4.6;

let state = null;
let parts = null;

export async function enter(root, [table]) {
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
  const begun = table ? await fromTable(table) : keep.setting('analysis', null);
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
  [state, parts] = [null, null];
}

async function fromTable(id) {
  const { view, start } = await api.get(`/api/tables/${encodeURIComponent(id)}`, Object.values(keep.seats(id))[0]);
  return { game: view.game, rules: view.rules, start, moves: view.moves, at: view.moves.length };
}

const offer = () => state.games.find(({ name }) => name === state.game);

function build() {
  const playing = new Playing({ play, changed: () => heat() });
  parts = {
    playing,
    stage: make('div', { class: 'stage-board' }, playing.svg),
    chart: new Chart({ label: text('curve'), format: (value) => brief(value, ''), pick: (ply) => lookAt(ply) }),
    moves: new MoveList({ look: (ply) => lookAt(ply), empty: shared('noMoves'), label: shared('moves') }),
    engine: new Engine({ found, go: (moves) => follow(state.at, moves), changed: rethink }),
    review: new Review({ changed: reviewed, go: follow, look: (ply) => home(ply) }),
    why: new Why(() => draw()),
    known: new Known((move) => play(move)),
    said: make('p', { class: 'said-row', id: 'said', role: 'status' }),
    facts: make('span', { id: 'status' }),
    back: button({
      id: 'to-game',
      kind: 'small',
      word: text('toGame'),
      press: () => home(Math.min(state.at, state.left)),
    }),
    beside: make('aside', { class: 'beside' }),
    tools: make('div', { class: 'tools-row', role: 'toolbar', 'aria-label': text('tools') }),
  };
  parts.curve = make(
    'div',
    { class: 'card curve-card', id: 'curve' },
    make('span', { class: 'curve-name' }, text('forBlack')),
    parts.chart.element,
  );
  parts.record = make(
    'section',
    { class: 'card record', 'aria-label': shared('moves') },
    steps(step),
    parts.moves.element,
    make('div', { class: 'row' }, parts.facts, parts.back),
  );
  state.root.replaceChildren(
    make('div', { class: 'analysis' }, make('div', { class: 'view' }, parts.stage, parts.curve), parts.beside),
  );
}

/** Shows another game or position from now on. */
function take({ game, rules = '', start = null, moves = [], at = moves.length }, notice = '') {
  Object.assign(state, {
    game,
    rules,
    start,
    main: moves,
    line: moves,
    left: moves.length,
    at,
    found: null,
    view: null,
    notice,
    values: new Map(),
  });
  state.views.clear();
  parts.review.forget();
  parts.engine.build(offer());
  drawTools();
  dress();
  lookAt(at, true);
}

const question = (moves = state.line.slice(0, state.at)) => {
  const asked = { game: state.game, rules: state.rules, moves };
  return state.start ? { ...asked, start: state.start } : asked;
};

/** The panels beside the board, or the editor. */
function dress() {
  const { editor } = state;
  parts.beside.replaceChildren(
    ...(editor
      ? [editor.element]
      : [
          parts.tools,
          parts.said,
          parts.engine.element,
          parts.record,
          parts.review.element,
          parts.why.element,
          parts.known.element,
          make('p', { class: 'said-row keys-line' }, text('keysAbout')),
        ]),
  );
  parts.stage.replaceChildren(editor ? editor.svg : parts.playing.svg);
  parts.curve.hidden = Boolean(editor);
}

function drawTools() {
  parts.tools.replaceChildren(
    select(
      state.games.map(({ name }) => [name, shared(name)]),
      state.game,
      (game) => take({ game }),
      { id: 'game', 'aria-label': text('game') },
    ),
    button({ id: 'paste', picture: 'load', word: text('paste'), tip: text('pasteTip'), press: () => askText() }),
    button({ id: 'set-up', picture: 'swap', word: text('setUp'), press: edit }),
    button({ id: 'flip', picture: 'flip', word: text('flip'), bare: true, press: flip }),
    button({ id: 'save', picture: 'save', word: text('save'), bare: true, press: save }),
    button({ id: 'play-here', picture: 'go', word: text('playHere'), press: playHere }),
  );
}

/** Looks at the position after `ply` moves of the line. */
async function lookAt(ply, isNew = false) {
  const at = Math.max(0, Math.min(ply, state.line.length));
  if (at === state.at && !isNew && state.view) return;
  const mine = state;
  state.at = at;
  const moves = state.line.slice(0, at);
  const key = moves.join(' ');
  parts.moves.show({ moves: state.line, at, marks: marks() });
  if (!state.views.has(key)) {
    try {
      const { view } = await api.post('/api/look', question(moves));
      mine.views.set(key, view);
    } catch (fault) {
      if (!(fault instanceof api.Fault)) throw fault;
      if (state !== mine) return;
      state.notice = fault.status === 0 ? shared('offline') : fault.message;
      parts.said.textContent = state.notice;
      return;
    }
  }
  if (state !== mine || state.line.slice(0, state.at).join(' ') !== key) return;
  state.view = state.views.get(key);
  state.found = null;
  parts.engine.ask(question());
  explain();
  parts.known.show(question());
  keep.set('analysis', {
    game: state.game,
    rules: state.rules,
    start: state.start,
    moves: state.main,
    at: Math.min(at, state.main.length),
  });
  draw();
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
  lookAt(by === 'first' ? 0 : by === 'last' ? state.line.length : state.at + by);
}

/** Plays on from what is shown; another move than the game's begins a line of one's own. */
const play = (move) => follow(state.at, [move]);

function follow(ply, moves) {
  const line = [...(ply <= state.left ? state.main : state.line).slice(0, ply), ...moves];
  const before = state.line.slice(0, ply);
  const whole = before.join(' ') === line.slice(0, ply).join(' ') ? line : [...before, ...moves];
  const isMain = whole.every((move, number) => state.main[number] === move);
  const isKnown = whole.every((move, number) => state.line[number] === move);
  if (isMain) Object.assign(state, { line: state.main, left: state.main.length });
  else if (!isKnown) {
    const left = whole.findIndex((move, number) => state.main[number] !== move);
    // A line that goes on after the last move makes the game longer.
    if (left === state.main.length && state.line === state.main) {
      parts.review.forget();
      Object.assign(state, { main: whole, line: whole, left: whole.length });
    } else Object.assign(state, { line: whole, left });
  }
  state.notice = '';
  lookAt(whole.length, true);
}

/** Back to the game, at a ply of it. */
function home(ply) {
  Object.assign(state, { line: state.main, left: state.main.length });
  lookAt(ply, true);
}

function found(findings) {
  if (!state?.view) return;
  state.found = findings;
  const best = findings?.lines[0];
  if (best && state.line === state.main)
    state.values.set(state.at, { value: best.proved ? edge(best, findings) : best.black_value, unit: findings.unit });
  draw();
}

/** Proved ends at the edge of the curve. */
function edge({ proved }, { unit, toMove }) {
  const sign = (proved === 'win') === (toMove === 'black') ? 1 : -1;
  return sign * (unit === 'discs' ? 64 : EDGE);
}

function reviewed() {
  if (!state) return;
  parts.engine.pause(parts.review.runs);
  draw();
}

const marks = () => (state.line === state.main ? parts.review.marks() : {});

function draw() {
  const { view } = state;
  if (!view || state.editor) return;
  const isMain = state.line === state.main;
  parts.playing.show({ board: offer().board, view, flipped: state.flipped, ...advice() });
  heat();
  parts.moves.show({ moves: state.line, at: state.at, marks: marks() });
  parts.back.hidden = isMain;
  parts.facts.textContent = [rulesName(state.rules), said(view.status), isMain ? null : text('variation')]
    .filter(Boolean)
    .join(' · ');
  parts.said.textContent = state.notice || parts.playing.prompt() || '';
  parts.review.show({
    at: state.at,
    count: state.main.length,
    isMain,
    start: () => parts.review.begin(question(state.main)),
  });
  curve();
}

/** The engine's lines as arrows and values on cells. */
function advice() {
  const findings = state.found;
  if (!findings || !parts.engine.options.arrows || !parts.engine.options.on) return { pointers: [], notes: notes([]) };
  const first = findings.lines.filter(({ actions }) => actions.length > 0);
  const pointers = first.map(({ actions }, rank) => ({ ...actions[0], kind: `line-${rank + 1}` })).reverse();
  const taken = new Set();
  const values = [];
  for (const line of first) {
    const cell = line.actions[0].to.find((one) => !line.actions[0].from.includes(one)) ?? line.actions[0].to[0];
    if (cell === undefined || taken.has(cell)) continue;
    taken.add(cell);
    values.push({ cell, text: onCell(line, findings.unit, findings.toMove), kind: 'rank' });
  }
  return { pointers, notes: notes(values) };
}

/** Values of lines where there are some, else what the cell adds to the evaluation. */
function notes(values) {
  const cells = parts.why.cells();
  const most = Math.max(...cells.map(Math.abs), 0);
  const taken = new Set(values.map(({ cell }) => cell));
  const digits = most < 1 ? 2 : most < 10 ? 1 : 0;
  const added = cells
    .map((value, cell) => ({ cell, value }))
    .filter(({ cell, value }) => !taken.has(cell) && Math.abs(value) > most / 4)
    .map(({ cell, value }) => ({ cell, text: value.toFixed(digits), kind: value > 0 ? 'good' : 'bad' }));
  return [...values, ...added];
}

/** What each cell adds, as a glow under the stones. */
function heat() {
  const cells = parts.why.cells();
  const most = Math.max(...cells.map(Math.abs), 0);
  if (most === 0) return;
  const { board } = parts.playing;
  const glows = cells.map((value, number) => {
    const { x, y } = board.board.cells[number];
    const glow = circle(x, y, 0.5, `heat ${value > 0 ? 'plus' : 'minus'}`);
    glow.setAttribute('fill-opacity', Math.min(0.85, Math.abs(value) / most).toFixed(2));
    return glow;
  });
  board.layers.under.append(...glows);
}

/** The review's values if there are any, else those the engine has found on the way. */
function curve() {
  const reviewed = parts.review.values().filter(([, value]) => value !== null);
  const isOdds = /odds/.test(parts.review.report?.unit ?? [...state.values.values()][0]?.unit ?? '');
  const cut = (value) => (isOdds ? Math.max(-EDGE, Math.min(EDGE, value)) : value);
  const live = [...state.values].sort(([a], [b]) => a - b).map(([ply, { value }]) => [ply, value]);
  const points = (reviewed.length > 0 ? reviewed : live).map(([ply, value]) => [ply, cut(value)]);
  parts.curve.hidden = state.main.length === 0;
  parts.chart.show({
    series: [{ name: 'value', points }],
    left: 0,
    right: state.main.length,
    at: state.line === state.main ? state.at : Math.min(state.left, state.main.length),
    zero: true,
    low: isOdds ? -1 : -4,
    high: isOdds ? 1 : 4,
    marks:
      reviewed.length > 0 ? Object.entries(parts.review.marks()).map(([ply, kind]) => ({ x: Number(ply), kind })) : [],
  });
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
  // A cell that the keyboard walks on, and the curve, have these keys for themselves.
  if (event.target.closest('.cell')?.matches(':focus-visible') || event.target.closest('.chart')) return;
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
    const words = fault.status === 0 ? shared('offline') : fault.message;
    if (state === mine) {
      state.notice = words;
      parts.said.textContent = words;
    }
    return words;
  }
}

function askText() {
  const area = make('textarea', {
    id: 'paste-text',
    class: 'mono',
    rows: 8,
    spellcheck: 'false',
    'aria-label': text('pasteTitle'),
    maxlength: LONGEST_FILE,
  });
  const fault = make('p', { class: 'fault', role: 'alert' });
  const done = async () => {
    const wrong = await read(area.value);
    if (wrong) fault.textContent = wrong;
    else close();
  };
  const file = textFile({
    id: 'paste-file',
    accept: '.txt,.pgn,.sgf,.ggf,.obf,text/plain',
    take: (content) => {
      area.value = content;
    },
  });
  const close = open({
    title: text('pasteTitle'),
    kind: 'wide',
    body: make(
      'div',
      { class: 'paste-form' },
      make('p', { class: 'said-row' }, text('pasteAbout')),
      area,
      file,
      fault,
      make(
        'div',
        { class: 'confirm' },
        button({ word: text('file'), picture: 'load', press: () => file.click() }),
        button({ word: shared('cancel'), press: () => close() }),
        button({ id: 'read', kind: 'primary', word: text('read'), press: done }),
      ),
    ),
  });
  area.focus();
}

async function edit() {
  const close = () => {
    editor.leave();
    state.editor = null;
    parts.engine.pause(false);
    dress();
  };
  const editor = new Editor({
    game: offer(),
    rules: state.rules,
    flipped: state.flipped,
    done: (position) => {
      close();
      take({ game: state.game, rules: state.rules, start: position });
    },
    cancel: () => {
      close();
      lookAt(state.at, true);
    },
  });
  state.editor = editor;
  parts.engine.pause(true);
  await editor.load(state.view?.position ?? null);
  dress();
}

async function save() {
  const answer = await fetch('/api/save', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question(state.line)),
  });
  if (!answer.ok) return;
  const link = make('a', { href: URL.createObjectURL(await answer.blob()), download: `${state.game}.txt` });
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A table against the computer that begins with what is shown. */
async function playHere() {
  const { view } = state;
  const engine = { kind: 'engine', level: 5 };
  const players = { [view.to_move]: { kind: 'human' }, [view.to_move === 'black' ? 'white' : 'black']: engine };
  try {
    const table = await api.post(
      '/api/tables',
      { game: state.game, rules: state.rules, position: view.position, players },
      keep.account()?.token,
    );
    keep.own(table);
    location.hash = `#play/${table.id}`;
  } catch (fault) {
    if (!(fault instanceof api.Fault)) throw fault;
    state.notice = fault.message;
    draw();
  }
}
