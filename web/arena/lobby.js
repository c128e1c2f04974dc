// The lobby: challenges to accept, games to watch, who is there; live over one socket.

import * as api from '../api.js';
import { dictionary, rulesName, text as shared } from '../i18n.js';
import * as keep from '../keep.js';
import { button, icon, make } from '../parts/html.js';
import * as presence from '../presence.js';
import { said } from '../said.js';
import words from '../words/arena.js';
import * as account from './account.js';
import { ask } from './challenge.js';
import { settle } from './news.js';
import { clockName, key, pair, playerLink } from './terms.js';

const text = dictionary(words);
const EMPTY = { challenges: [], tables: [], online: [] };

let state = null;

export function enter(root) {
  state = { root, lobby: EMPTY, leave: presence.visit() };
  build();
  state.stop = presence.listen(hear);
}

export function leave() {
  state?.stop();
  state?.leave();
  state = null;
}

function hear(message) {
  if (message.event === 'lobby') {
    state.lobby = message;
    draw();
  } else if (message.event === 'start' && message.challenge && message.token) location.hash = `#play/${message.table}`;
  else if (message.event === 'declined') say(text('declined'));
  else if (message.event === 'error') say(said(message.error));
  else if (message.event === 'live') state.lost.hidden = message.live;
}

function build() {
  state.lost = make('p', { class: 'lost', role: 'status', hidden: true }, text('lost'));
  state.said = make('p', { class: 'said', role: 'status', id: 'lobby-said' });
  state.challenges = make('div', { id: 'challenges' });
  state.tables = make('div', { id: 'running' });
  state.online = make('div', { id: 'online' });
  state.account = make('div');
  state.root.replaceChildren(
    make('h1', {}, text('lobby')),
    make(
      'div',
      { class: 'lobby' },
      make(
        'div',
        { class: 'main' },
        state.lost,
        make(
          'section',
          { class: 'card pad' },
          make(
            'div',
            { class: 'row head' },
            make('h2', {}, text('challenges')),
            button({
              id: 'new-challenge',
              picture: 'new',
              kind: 'primary',
              word: text('newChallenge'),
              press: challenge,
            }),
          ),
          state.said,
          state.challenges,
        ),
        make('section', { class: 'card pad' }, make('h2', {}, text('running')), state.tables),
      ),
      make(
        'div',
        { class: 'beside' },
        state.account,
        make('section', { class: 'card pad' }, make('h2', {}, text('online')), state.online),
      ),
    ),
  );
  draw();
}

function say(words) {
  state.said.textContent = words;
}

function challenge(to) {
  if (!keep.account()) {
    say(text('nameAsk'));
    state.root.querySelector('#name')?.focus();
    return;
  }
  ask(typeof to === 'string' ? to : null, () => state && say(text('sent')));
}

function draw() {
  const { challenges, tables, online } = state.lobby;
  const me = key(keep.account()?.name);
  const shown = state.account.dataset.name;
  if (shown !== (me ?? '')) {
    state.account.dataset.name = me ?? '';
    state.account.replaceChildren(account.card(changeAccount));
  }
  list(
    state.challenges,
    challenges.map((one) => offered(one, me)),
    text('noChallenges'),
  );
  list(
    state.tables,
    tables.map((one) => running(one, me)),
    text('noRunning'),
  );
  list(
    state.online,
    online.map((one) => present(one, me)),
    text('nobody'),
  );
}

function changeAccount() {
  say('');
  delete state.account.dataset.name;
  draw();
  presence.renew();
}

const list = (root, rows, empty) =>
  root.replaceChildren(rows.length > 0 ? make('ul', { class: 'rows' }, rows) : make('p', { class: 'none' }, empty));

function offered({ id, from, account: by, game, rules, clock, rated, colour, to }, me) {
  const act = (verb) =>
    button({
      word: text(verb),
      kind: verb === 'accept' ? 'primary' : '',
      'data-do': verb,
      press: () => answer(id, verb),
    });
  const mayAccept = me && (!to || to === me);
  return make(
    'li',
    { 'data-challenge': id },
    make(
      'span',
      { class: 'grow' },
      playerLink({ name: from }),
      to ? make('span', { class: 'badge' }, to === me ? text('forYou') : `→ ${to}`) : null,
      make(
        'span',
        { class: 'terms' },
        [
          shared(game),
          clockName(clock),
          text(rated ? 'rated' : 'casual'),
          colour === 'random' ? null : `${text('colour')}: ${shared(colour)}`,
          usual(rules) ? null : rulesName(rules),
        ]
          .filter(Boolean)
          .join(' · '),
      ),
    ),
    by === me ? act('withdraw') : mayAccept ? [act('accept'), to ? act('decline') : null] : null,
  );
}

const usual = (rules) => !rules || rules === 'standard';

async function answer(id, verb) {
  try {
    await settle(id, verb);
    if (state) say('');
  } catch (problem) {
    if (!(problem instanceof api.Fault)) throw problem;
    if (state) say(problem.status === 0 ? shared('offline') : said(problem.message));
  }
}

function running({ id, game, players, plies }, me) {
  const isMine = me && Object.values(players).some(({ account: name }) => name === me);
  return make(
    'li',
    { 'data-table': id },
    make(
      'span',
      { class: 'grow' },
      pair(players),
      make('span', { class: 'terms' }, [shared(game), text('moveCount', plies)].join(' · ')),
    ),
    make(
      'a',
      { class: `button ${isMine ? 'primary' : ''}`, href: `#play/${id}` },
      icon(isMine ? 'go' : 'watch'),
      text(isMine ? 'resume' : 'watch'),
    ),
  );
}

function present(name, me) {
  return make(
    'li',
    {},
    make('span', { class: 'grow' }, make('span', { class: 'presence here' }), playerLink({ name })),
    me && key(name) !== me ? button({ word: text('challenge'), 'data-ask': name, press: () => challenge(name) }) : null,
  );
}
