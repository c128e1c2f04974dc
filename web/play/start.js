// The form for a new game: game, players of both sides, rules, start position, clock; or a game from a file.

import * as api from '../api.js';
import { Picture } from '../board/playing.js';
import { choiceName, dictionary, groupName } from '../i18n.js';
import * as keep from '../keep.js';
import { textFile } from '../parts/file.js';
import { button, field, icon, make, select } from '../parts/html.js';
import { said } from '../said.js';
import words from '../words/play.js';
import { card, usual, wish } from './seat.js';

const text = dictionary(words);
const CLOCKS = [
  [1, 0],
  [3, 2],
  [5, 3],
  [10, 5],
  [20, 10],
  [30, 0],
];

let page = null;

export async function enter(root) {
  page = { root, games: null, fault: '' };
  const mine = page;
  const games = await api.games();
  if (page !== mine) return;
  const last = keep.setting('form', null);
  const known = last && games.some(({ name }) => name === last.game);
  page.games = games;
  page.form = known
    ? last
    : {
        game: games[0].name,
        seats: { black: usual('human'), white: usual('engine') },
        choices: {},
        position: '',
        clock: '',
      };
  redraw();
}

export function leave() {
  page = null;
}

const game = () => page.games.find(({ name }) => name === page.form.game);

/** Takes over a change and draws the form anew, the focus where it was. */
function put(more) {
  page.form = { ...page.form, ...more };
  keep.set('form', { ...page.form, position: '' });
  const focus = document.activeElement;
  const key = focus?.id
    ? `#${CSS.escape(focus.id)}`
    : focus?.name
      ? `[name="${focus.name}"][value="${focus.value}"]`
      : null;
  redraw();
  if (key) page.root.querySelector(key)?.focus();
}

export function redraw() {
  if (!page?.form) return;
  const { form } = page;
  const change = (side) => (seat) => put({ seats: { ...form.seats, [side]: seat } });
  page.root.replaceChildren(
    make(
      'div',
      { class: 'start' },
      make('h1', {}, text('newGame')),
      make('div', { class: 'tiles', role: 'radiogroup', 'aria-label': text('whichGame') }, page.games.map(tile)),
      make(
        'div',
        { class: 'seats' },
        card('black', form.seats.black, game(), change('black')),
        button({
          id: 'swap',
          picture: 'swap',
          bare: true,
          word: text('swap'),
          press: () => put({ seats: { black: form.seats.white, white: form.seats.black } }),
        }),
        card('white', form.seats.white, game(), change('white')),
      ),
      options(),
      make('p', { class: 'fault', role: 'alert', id: 'start-fault' }, page.fault),
      make(
        'div',
        { class: 'start-row' },
        button({ id: 'start', kind: 'primary large', word: text('start'), press: () => open() }),
        loader(),
      ),
      recent(),
    ),
  );
}

function tile({ name, board, stones }) {
  const picture = new Picture('board tile-board');
  picture.show({ board: { ...board, labels: [] }, stones: stones ?? board.cells.map(() => null), label: '' });
  picture.svg.setAttribute('aria-hidden', 'true');
  return make(
    'label',
    { class: 'tile', 'data-game': name },
    make('input', {
      type: 'radio',
      name: 'game',
      value: name,
      checked: name === page.form.game,
      onchange: () => put({ game: name }),
    }),
    picture.svg,
    make('span', { class: 'tile-name' }, text(name)),
  );
}

function options() {
  const { form } = page;
  const chosen = form.choices[form.game] ?? [];
  const lists = game().choices.map((group) => {
    const value = group.find((word) => chosen.includes(word)) ?? group[0];
    const take = (word) =>
      put({ choices: { ...form.choices, [form.game]: [...chosen.filter((old) => !group.includes(old)), word] } });
    return field(
      groupName(group),
      select(
        group.map((word) => [word, choiceName(word)]),
        value,
        take,
        { 'data-choice': group[0], id: `choice-${group[0]}` },
      ),
    );
  });
  const clocks = [
    ['', text('correspondence')],
    ...CLOCKS.map(([minutes, increment]) => [`${minutes}+${increment}`, text('minutes', minutes, increment)]),
  ];
  const position = make('input', {
    type: 'text',
    id: 'position',
    class: 'mono',
    value: form.position,
    spellcheck: 'false',
    autocomplete: 'off',
    oninput: () => {
      page.form.position = position.value;
    },
  });
  const isOpen =
    chosen.some((word) => !game().choices.some((group) => group[0] === word)) ||
    form.clock ||
    form.position ||
    page.optionsOpen;
  return make(
    'details',
    {
      class: 'card options',
      open: Boolean(isOpen),
      ontoggle: (event) => {
        page.optionsOpen = event.target.open;
      },
    },
    make('summary', {}, text('options')),
    make(
      'div',
      { class: 'fields' },
      lists,
      field(
        text('clock'),
        select(clocks, form.clock, (clock) => put({ clock }), { id: 'clock' }),
      ),
      make('div', { class: 'wide' }, field(text('startPosition'), position, text('startPositionHint'))),
    ),
  );
}

function loader() {
  const file = textFile({ id: 'file', take: open, refuse: () => complain(text('tooLong')) });
  return [button({ id: 'load', picture: 'load', word: text('loadFile'), press: () => file.click() }), file];
}

function complain(words) {
  page.fault = words;
  page.root.querySelector('#start-fault').textContent = words;
}

/** What the server is asked to open. */
function request(file) {
  const { form } = page;
  const players = { black: wish(form.seats.black), white: wish(form.seats.white) };
  const [minutes, increment] = form.clock.split('+').map(Number);
  const clock = form.clock ? { clock: { initial_ms: minutes * 60000, increment_ms: increment * 1000 } } : {};
  if (file !== undefined) return { text: file, players, ...clock };
  const rules = game()
    .choices.map((group) => group.find((word) => form.choices[form.game]?.includes(word)) ?? group[0])
    .join(',');
  const position = form.position.trim() ? { position: form.position.trim() } : {};
  return { game: form.game, rules, players, ...position, ...clock };
}

async function open(file) {
  try {
    const table = await api.lenient((token) => api.post('/api/tables', request(file), token), keep.account()?.token);
    keep.own(table);
    location.hash = `#play/${table.id}`;
  } catch (fault) {
    if (!(fault instanceof api.Fault)) throw fault;
    complain(fault.status === 0 ? text('offline') : said(fault.message));
  }
}

/** Tables that this browser has sat at and may go on with. */
function recent() {
  const tables = keep
    .visited()
    .filter(({ ended }) => !ended)
    .slice(0, 4);
  if (tables.length === 0) return null;
  return make(
    'section',
    { class: 'recent' },
    make('h2', {}, text('goOn')),
    make(
      'ul',
      {},
      tables.map(({ id, game: name, moves, turn }) =>
        make(
          'li',
          {},
          make(
            'a',
            { href: `#play/${id}` },
            icon('go'),
            [text(name), `${text('moves')}: ${moves}`, turn ? text('yourTurnShort') : null].filter(Boolean).join(' · '),
          ),
        ),
      ),
      make('li', {}, make('a', { href: '#games' }, text('allGames'))),
    ),
  );
}
