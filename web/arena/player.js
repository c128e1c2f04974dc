// A player's profile: ratings in each game, latest games, and a challenge.

import * as api from '../api.js';
import { dictionary, number, text as shared } from '../i18n.js';
import * as keep from '../keep.js';
import { button, make } from '../parts/html.js';
import words from '../words/arena.js';
import { table } from './archive.js';
import { ask } from './challenge.js';
import { key } from './terms.js';

const text = dictionary(words);

export async function enter(root, [name = '']) {
  const player = await api.get(`/api/accounts/${encodeURIComponent(name)}`).catch((fault) => {
    throw fault.status === 404 ? new api.Fault(404, text('noPlayer')) : fault;
  });
  const said = make('p', { class: 'said', role: 'status' });
  const me = keep.account();
  const canAsk = me && key(me.name) !== player.account;
  const games = player.games.filter(({ result }) => result);
  root.replaceChildren(
    make(
      'div',
      { class: 'row head' },
      make('h1', {}, player.name, player.bot ? make('span', { class: 'badge' }, text('bot')) : null),
      canAsk
        ? button({
            kind: 'primary',
            word: text('challengeThem', player.name),
            press: () =>
              ask(player.name, () => {
                said.textContent = text('sent');
                location.hash = '#arena';
              }),
          })
        : null,
    ),
    said,
    make(
      'div',
      { class: 'stats' },
      Object.entries(player.ratings).map(([game, one]) =>
        make(
          'div',
          { class: 'card pad stat' },
          make('span', { class: 'stat-name' }, shared(game)),
          make('span', { class: 'stat-value' }, number(one.rating, { maximumFractionDigits: 0, useGrouping: false })),
          make(
            'span',
            { class: 'stat-more' },
            `± ${number(2 * one.deviation, { maximumFractionDigits: 0, useGrouping: false })} · ${text('games')}: ${one.games}`,
          ),
        ),
      ),
    ),
    make('h2', {}, text('recent')),
    games.length > 0 ? table(games) : make('p', { class: 'none' }, text('noGames')),
  );
}
