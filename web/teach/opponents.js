// Opponents with a face: the ten levels by name and rating, one that adapts, perfect players, those of the published
// works, and what was learned at this home.

import * as api from '../api.js';
import { dictionary, text as shared } from '../i18n.js';
import * as keep from '../keep.js';
import { button, make, segments } from '../parts/html.js';
import words from '../words/teach.js';
import * as adaptive from './adaptive.js';
import * as practice from './practice.js';

const text = dictionary(words);

let state = null;

export async function enter(root) {
  const mine = { root };
  state = mine;
  const games = await api.games();
  if (state !== mine) return;
  state.games = games;
  await draw(practice.lastGame(games[0].name));
}

export function leave() {
  state = null;
}

async function draw(game) {
  const mine = state;
  practice.setGame(game);
  const offer = state.games.find(({ name }) => name === game) ?? state.games[0];
  const level = await adaptive.level(offer.name, offer.levels.length);
  if (state !== mine) return;
  state.fault = make('p', { class: 'said wrong', role: 'alert' });
  const section = (title, faces) => (faces.length > 0 ? make('section', { class: 'shelf' }, make('h2', {}, title), make('div', { class: 'faces' }, faces)) : '');
  const face = faces(offer);
  const learned = offer.evaluations.filter(({ name }) => /^(run|heuristic):/.test(name));
  state.root.replaceChildren(
    make('h1', {}, text('opponents')),
    make('p', { class: 'about-line' }, text('opponentsAbout')),
    segments('opponent-game', state.games.map(({ name }) => [name, shared(name)]), offer.name, draw, text('game')),
    state.fault,
    section(text('adapting'), [face('adaptive', text('adaptiveName'), text('adaptiveAbout', level), () => begin(offer, { level }, true))]),
    section(text('levels'), offer.levels.map((one) => face(`level-${one.number}`, text('faces')[one.number - 1], levelAbout(one), () => begin(offer, { level: one.number })))),
    ...[['perfect', 'perfectOnes'], ['published', 'published']].map(([shelf, title]) =>
      section(text(title), offer.faces.filter((one) => one.shelf === shelf).map(({ name, spec }) => face(name, text(`${name}Name`), text(`${name}About`), () => begin(offer, { spec }))))),
    section(text('learnedHere'), learned.map(({ name, about }) => face(name, name.split(':')[1], about, () => begin(offer, { depth: 4, eval: name })))),
  );
}

const faces = (offer) => (id, name, about, press) =>
  make('div', { class: 'card face', 'data-face': id }, make('strong', {}, name), make('span', { class: 'facts' }, about),
    button({ kind: 'small', picture: 'go', word: text('playFace'), press, 'aria-label': text('playAgainst', name, shared(offer.name)) }));

function levelAbout({ number, rating, depth, nodes }) {
  const look = number === 10 ? text('looksNodes', nodes) : text('looksPlies', depth);
  return [text('levelNumber', number), rating === null ? null : text('ratedAt', rating), text('styles')[number - 1], look].filter(Boolean).join(' · ');
}

/** A game against it; who begins is the person. */
async function begin(offer, strength, adapts = false) {
  const engine = { kind: 'engine', ...strength };
  const { first } = offer;
  const players = { [first]: { kind: 'human' }, [first === 'black' ? 'white' : 'black']: engine };
  try {
    const table = await api.post('/api/tables', { game: offer.name, players }, keep.account()?.token);
    keep.own(table);
    if (adapts) adaptive.begun(offer.name, table.id, first);
    location.hash = `#play/${table.id}`;
  } catch (fault) {
    if (!(fault instanceof api.Fault)) throw fault;
    if (state) state.fault.textContent = fault.status === 0 ? shared('offline') : fault.message;
  }
}
