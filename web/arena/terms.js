// The terms of a game in words, and links to players: what lobby, archive and profiles share.

import { dictionary, number, text as shared } from '../i18n.js';
import { make } from '../parts/html.js';
import words from '../words/arena.js';

const text = dictionary(words);

export const CLOCKS = [[1, 0], [3, 2], [5, 3], [10, 5], [20, 10]];

export function clockName(clock) {
  if (!clock) return text('noClock');
  return text('minutes', number(clock.initial_ms / 60000, { maximumFractionDigits: 1 }), clock.increment_ms / 1000);
}

export const ratingOf = (rating) => (rating ? number(rating.rating ?? rating, { maximumFractionDigits: 0, useGrouping: false }) : null);

/** A name that leads to its profile, with rating and kind if known. */
export function playerLink({ name, rating, bot }) {
  return make('span', { class: 'player-link' },
    name ? make('a', { href: `#arena/player/${encodeURIComponent(name)}` }, name) : '–',
    bot ? make('span', { class: 'badge' }, text('bot')) : null,
    rating ? make('span', { class: 'rating' }, ratingOf(rating)) : null);
}

/** A seat of a snapshot as a player. */
export const seated = (seat) => ({ name: seat.account ?? seat.name, rating: seat.rating, bot: seat.bot });

/** A pair of players with their colours. */
export const pair = (black, white) => make('span', { class: 'pair' }, [['black', black], ['white', white]].map(([side, player]) =>
  make('span', { class: 'one' }, make('span', { class: `pip ${side}`, role: 'img', 'aria-label': shared(side) }), playerLink(player))));

/** `all` and the games, as choices of a list. */
export const gameChoices = (games, all) => [...(all ? [['', all]] : []), ...games.map(({ name }) => [name, shared(name)])];
