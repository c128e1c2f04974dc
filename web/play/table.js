// A table: board, players, moves and everything that can be done there. State in one object, one function draws it.
//
// Commands are HTTP requests; what others do comes over the table's socket. Every answer and event is a whole snapshot,
// so a connection that was lost only has to come back. Earlier positions are asked for one by one and remembered.

import * as api from '../api.js';
import { Playing } from '../board/playing.js';
import { dictionary, text as shared } from '../i18n.js';
import * as keep from '../keep.js';
import { confirm } from '../parts/dialog.js';
import { make } from '../parts/html.js';
import { settle } from '../parts/narrow.js';
import { MoveList } from '../parts/moves.js';
import { said } from '../said.js';
import { connect } from '../socket.js';
import { play as sound } from '../sound.js';
import words from '../words/play.js';
import * as another from './again.js';
import * as attention from './attention.js';
import { Certain } from './certain.js';
import { reading } from './clock.js';
import { listen } from './keys.js';
import { Message, openSide } from './message.js';
import { canAbort, entry, hasOther, heading, isPlainCount, mayKnow, mayPickAhead, rulesLine } from './facts.js';
import { Strip } from './players.js';
import { Replay } from './replay.js';
import { linkBox, share, showKeys } from './sheets.js';
import * as talk from './talk.js';
import { Thinking } from './thinking.js';
import { steps, Toolbar } from './toolbar.js';
import { worth } from './value.js';

const text = dictionary(words);
const TICK = 100;
const HINT_TIME = 2000;
const at = (id) => `/api/tables/${encodeURIComponent(id)}`;
const other = (side) => (side === 'black' ? 'white' : 'black');

let state = null;
let parts = null;

export async function enter(root, id) {
  state = {
    id,
    root,
    table: null,
    hint: null, thought: null, notice: null,
    busy: false,
    live: true,
    flipped: false,
    isTurned: false,
    clock: null,
  };
  const mine = state;
  const table = await api
    .lenient((token) => api.get(at(id), token), anyToken())
    .catch((fault) => {
      if (fault.status === 404) keep.forget(id);
      throw fault.status === 404 ? new api.Fault(404, text('gone')) : fault;
    });
  if (state !== mine) return;
  state.board = table.board;
  state.replay = new Replay(at(id), () => state === mine && complain(null));
  state.flipped = seatsHeld(table).length === 1 && seatsHeld(table)[0] === 'white';
  // White sees Abalone from its own side; squares and points are called the same for both.
  state.isTurned = state.flipped && state.board.ground === 'hollows';
  build();
  take(table);
  state.socket = connect(`${at(id)}/live`, { hello, event: hear, state: noteLive });
  state.timer = setInterval(tick, TICK);
  addEventListener('online', noteBack);
}

export function leave() {
  state?.socket?.close();
  clearInterval(state?.timer);
  removeEventListener('online', noteBack);
  parts?.playing.leave();
  parts?.message.leave();
  parts?.unlisten();
  parts?.unsettle();
  [state, parts] = [null, null];
}

/** All words anew; what is shown stays. */
export function redraw() {
  if (!state?.table) return;
  parts.playing.leave();
  parts.message.leave();
  parts.unlisten();
  parts.unsettle();
  build();
  draw();
}

const seatsHeld = (table) => {
  const held = keep.seats(state.id);
  return ['black', 'white'].filter(
    (side) => table.players[side].kind === 'human' && (held[side] || table.seats?.includes(side)),
  );
};

const tokenOf = (side) => keep.seats(state.id)[side] ?? anyToken();
const anyToken = () => keep.tokenFor(state.id);
const hello = () => [anyToken()].filter(Boolean).map((token) => ({ token }));

function build() {
  const look = (ply) => state.replay.look(ply);
  const step = (by) => state.replay.step(by);
  const playing = new Playing({
    play,
    changed: () => {
      state.notice = null;
      draw();
    },
  });
  const acts = {
    undo: () => command(hasOther(state.table, seatsHeld(state.table)) ? 'takeback' : 'undo', { ply: ply() }),
    redo: () => command('redo', { ply: ply() }),
    hint,
    draw: offerDraw,
    resign: () => (canAbort(state.table, seatsHeld(state.table)) ? abort() : resign()),
    flip,
    analyse: () => {
      location.hash = `#analyse/${state.id}`;
    },
    fresh: () => {
      location.hash = '#play';
    },
    load,
    print: () => print(),
    share: () => share(state.id, openSide(state.table)),
    keys: showKeys,
    pause: () => command(state.table.paused ? 'continue' : 'pause', {}),
    thinking: () => parts.thinking.toggle(),
    certain: () => parts.certain.toggle(),
    back: () => look(null),
    accept: () => command('draw', { ply: ply() }, other(state.table.offer)),
    decline: () => command('decline', {}, other(state.table.offer)),
    grant: () => command('takeback', { ply: ply() }, other(state.table.takeback)),
    refuse: () => command('decline', {}, other(state.table.takeback)),
    join,
    resume: () => command('continue', {}),
    pass: () => play(parts.playing.forcedPass()),
    link: () => linkBox(state.id),
    step,
  };
  parts = {
    acts,
    playing,
    strips: [new Strip(), new Strip()],
    message: new Message(() => draw()),
    thinking: new Thinking(),
    certain: new Certain(() => state?.table && draw()),
    toolbar: null,
    moves: new MoveList({ look, empty: shared('noMoves'), label: shared('moves') }),
    steps: steps(step),
    talk: new talk.Talk(say),
    facts: make('p', { class: 'status', id: 'status' }),
    rules: make('p', { class: 'rules', id: 'rules' }),
    heading: make('h1', { class: 'heading print-only' }),
    live: make('p', { class: 'lost', role: 'status', id: 'lost', hidden: true }, text('lost')),
    unlisten: listen(acts),
  };
  parts.toolbar = new Toolbar(acts, state.id, parts.talk.button);
  const stage = make('div', { class: 'stage' }, parts.strips[1].element, playing.svg, parts.strips[0].element);
  const record = make(
    'section',
    { class: 'card record', 'aria-label': shared('moves') },
    parts.moves.element,
    parts.facts,
    parts.rules,
  );
  parts.unsettle = settle(parts.steps, stage, record);
  state.root.replaceChildren(
    make(
      'div',
      { class: 'table', 'data-id': state.id },
      parts.heading,
      stage,
      make(
        'aside',
        { class: 'side' },
        parts.live,
        parts.message.element,
        parts.thinking.element,
        parts.certain.element,
        record,
        parts.toolbar.element,
        parts.talk.list,
      ),
    ),
  );
}

/** Takes over a snapshot that is not older than what is shown. */
function take(table) {
  const before = state.table;
  if (before && table.event !== undefined && table.event < before.event) return;
  const moved =
    !before || before.view.moves.length !== table.view.moves.length || before.view.position !== table.view.position;
  if (moved) state.hint = null;
  // What was said is about what was: an end, an answer, a new move say more.
  if (moved || ['offer', 'takeback', 'paused'].some((key) => before[key] !== table[key])) state.notice = null;
  if (!before?.result && complete(table).result) state.notice = null;
  state.table = complete(table);
  state.clock = reading(table.clock);
  state.replay.know(table.view);
  if (Object.keys(keep.seats(state.id)).length > 0)
    keep.visit(entry(state.id, state.table, seatsHeld(state.table)));
  attention.hear(before, state.table, seatsHeld(state.table));
  draw();
  if (state.table.next && !before?.next && state.wantsNext) another.goOn(state.table);
}

/** The ending by the rules counts as the result if there is no other. */
const complete = (table) => ({ ...table, result: table.result ?? table.view.end });

const ply = () => state.table.view.moves.length;

function draw() {
  const { table, replay } = state;
  const [view, lookedAt] = [replay.view(), replay.at];
  const mine = seatsHeld(table);
  const enabled =
    lookedAt === null && !table.result && !table.paused && mine.includes(view.to_move) && !openSide(table);
  parts.certain.show({ table, isOpen: mayKnow(table, mine) });
  parts.playing.show({
    board: state.board,
    view,
    flipped: state.isTurned,
    enabled,
    waits: lookedAt === null && mayPickAhead(table, mine),
    decisive: table.view.end && lookedAt === null ? view.last : [],
    pointers: lookedAt === null ? state.hint?.pointers : [],
    valued: lookedAt === null ? parts.certain.valued() : null,
  });
  state.root.firstChild.style.setProperty('--ratio', parts.playing.board.ratio.toFixed(4));
  const sides = state.flipped ? ['white', 'black'] : ['black', 'white'];
  parts.strips.forEach((strip, number) => strip.show({ side: sides[number], table, view, mine, clock: state.clock }));
  const asked = parts.playing.prompt();
  const acts = {
    ...parts.acts,
    again: mine.length > 0 || keep.seats(state.id).owner ? again : null,
    goOn: mine.length > 0 || keep.seats(state.id).owner ? () => another.goOn(table) : null,
  };
  parts.message.show({
    table,
    view,
    at: lookedAt,
    mine,
    asked,
    notice: state.notice,
    hint: state.hint?.words,
    pass: parts.playing.forcedPass(),
    acts,
  });
  const engines = ['black', 'white'].some((side) => ['engine', 'learning'].includes(table.players[side].kind));
  parts.thinking.element.hidden = !engines;
  // On one's own turn nobody thinks aloud.
  parts.thinking.show(table.thinking ? state.thought : null);
  parts.talk.show({ isWanted: hasOther(table, mine), isFree: table.chat });
  parts.moves.show({ moves: table.view.moves, at: lookedAt ?? ply() });
  parts.facts.textContent = isPlainCount(view) || view.counts ? '' : said(view.status);
  parts.rules.textContent = rulesLine(table);
  parts.toolbar.show({
    table,
    mine,
    enabled,
    at: lookedAt,
    isOwner: Boolean(keep.seats(state.id).owner),
    canAbort: canAbort(table, mine),
    hasOther: hasOther(table, mine),
  });
  parts.live.hidden = state.live;
  parts.heading.textContent = heading(table, mine);
  attention.title(table, mine);
}

function tick() {
  if (!state?.clock || state.table.result) return;
  for (const strip of parts.strips) strip.tick(state.clock);
  attention.clock(state, state.clock, seatsHeld(state.table));
}

function noteLive(isLive) {
  const isBack = isLive && !state.live;
  state.live = isLive;
  parts.live.hidden = isLive;
  if (isBack) noteBack();
}

/** The server answers again: what was said about that is over, and something may have been missed. */
function noteBack() {
  complain(null);
  refresh();
}

/** How the table stands, for those who may have missed something. */
const refresh = () => quietly(async () => take(await api.lenient((token) => api.get(at(state.id), token), anyToken())));

function hear(message) {
  if (!state) return;
  if (message.event === 'table') take(message.table);
  else if (message.event === 'thinking') {
    state.thought = message;
    parts.thinking.show(message);
  } else if (message.event === 'said') {
    parts.strips.find(({ side }) => side === message.side)?.say(talk.saying(message));
    sound('said');
  }
}

function complain(words) {
  state.notice = words;
  draw();
}

/** One request at a time; what goes wrong is said, and a table that has gone on is shown as it is. */
async function ask(work) {
  if (state.busy) {
    parts.playing.settle();
    return;
  }
  const mine = state;
  setBusy(true);
  try {
    await work(() => state === mine);
  } catch (fault) {
    if (!(fault instanceof api.Fault)) throw fault;
    if (state === mine) await recover(fault);
  } finally {
    if (state === mine) {
      setBusy(false);
      parts.playing.settle();
    }
  }
}

function setBusy(busy) {
  state.busy = busy;
  parts.playing.svg.setAttribute('aria-busy', busy);
}

async function recover(fault) {
  const before = ply();
  if (fault.status === 409) await refresh();
  if (!state) return;
  if (fault.status === 409 && ply() !== before) complain(text('stale'));
  else complain(fault.status === 0 ? text('offline') : said(fault.message));
}

async function quietly(work) {
  try {
    await work();
  } catch (fault) {
    if (!(fault instanceof api.Fault)) throw fault;
  }
}

/** Asks the table to do something for a side; by default for the one to move, or the only one held. */
const command = (what, body, side = actor()) =>
  ask(async (still) => {
    const table = await api.post(`${at(state.id)}/${what}`, body, tokenOf(side));
    if (!still()) return;
    state.replay.leave();
    if (table?.view) take(table);
  });

function actor() {
  const held = seatsHeld(state.table);
  return held.includes(state.table.view.to_move) ? state.table.view.to_move : held[0];
}

const play = (move) => command('moves', { move, ply: ply() });

/** Asks for a good move; playing on meanwhile makes the answer void. */
async function hint() {
  if (state.hint?.isWaiting) return;
  const [mine, asked] = [state, ply()];
  state.replay.leave();
  state.hint = { isWaiting: true, words: text('hinting'), pointers: [] };
  draw();
  const isStill = () => state === mine && ply() === asked && state.hint?.isWaiting;
  try {
    const found = await api.post(`${at(state.id)}/hint`, { ply: asked, time_ms: HINT_TIME }, tokenOf(actor()));
    if (!isStill()) return;
    const move = state.table.view.legal.find((one) => one.text === found.move);
    state.hint = {
      words: text('hintIs', found.move, worth(found.value, found.unit, state.table.view.to_move)),
      pointers: move ? [{ ...move, kind: 'hint' }] : [],
    };
    draw();
  } catch (fault) {
    if (!(fault instanceof api.Fault)) throw fault;
    if (!isStill()) return;
    state.hint = null;
    await recover(fault);
  }
}

async function offerDraw() {
  if (state.table.offer && seatsHeld(state.table).some((side) => side !== state.table.offer)) parts.acts.accept();
  else if (await confirm({ question: text('sureDraw'), yes: text('offerYes'), no: shared('cancel') }))
    command('draw', { ply: ply() });
}

async function resign() {
  const side = actor();
  if (await confirm({ question: text('sureResign'), yes: text('resign'), no: shared('cancel'), danger: true }))
    command('resign', { as: side }, side);
}

const join = (side) =>
  ask(async (still) => {
    const name = keep.account() ? '' : keep.setting('name', '');
    const sit = (token) => api.post(`${at(state.id)}/join`, name ? { seat: side, name } : { seat: side }, token);
    const table = await api.lenient(sit, keep.account()?.token);
    keep.takeSeats(state.id, { [side]: table.token });
    if (!still()) return;
    state.flipped = side === 'white';
    state.isTurned = state.flipped && state.board.ground === 'hollows';
    state.socket.send({ token: table.token });
    take(table);
  });

function flip() {
  state.flipped = !state.flipped;
  state.isTurned = !state.isTurned;
  draw();
}

async function abort() {
  if (await confirm({ question: text('sureAbort'), yes: text('abort'), no: shared('cancel'), danger: true }))
    command('abort', {});
}

async function say(words) {
  const wrong = await talk.send(at(state.id), words, tokenOf(actor()));
  if (wrong && state) complain(wrong);
}

const load = (file) => ask(() => another.load(file, state.table));

/** Wants a rematch; goes there as soon as the other does too. */
function again() {
  state.wantsNext = true;
  command('rematch', {}, seatsHeld(state.table)[0]);
}
