// The terms of a game in words, and links to players: what lobby, archive and profiles share.

import { dictionary, number, text as shared } from '../i18n.js';
import { make } from '../parts/html.js';
import words from '../words/arena.js';

const text = dictionary(words);

export const CLOCKS = [
  [1, 0],
  [3, 2],
  [5, 3],
  [10, 5],
  [20, 10],
];
/** Without a clock people may take days. */
export const NO_CLOCK = '';

export function clockName(clock) {
  if (!clock) return text('noClock');
  return text('minutes', number(clock.initial_ms / 60000, { maximumFractionDigits: 1 }), clock.increment_ms / 1000);
}

/** A name, marked if it is a bot's; accounts lead to their profile. Without one the side stands for the player. */
export function playerLink({ name, account = name, bot }, side) {
  return make(
    'span',
    { class: 'player-link' },
    account ? make('a', { href: `#arena/player/${encodeURIComponent(account)}` }, name) : name || shared(side),
    bot ? make('span', { class: 'badge' }, text('bot')) : null,
  );
}

/** Both players, by side, with their colours. */
export const pair = (players) =>
  make(
    'span',
    { class: 'pair' },
    Object.entries(players).map(([side, player]) =>
      make(
        'span',
        { class: 'one' },
        make('span', { class: `pip ${side}`, role: 'img', 'aria-label': shared(side) }),
        playerLink({ ...player, account: player.account ?? null }, side),
      ),
    ),
  );

/** `all` and the games, as choices of a list. */
export const gameChoices = (games, all) => [
  ...(all ? [['', all]] : []),
  ...games.map(({ name }) => [name, shared(name)]),
];

/** An account's name as the server compares it. */
export const key = (name) => name?.toLowerCase() ?? null;
