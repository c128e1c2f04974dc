// What was learned, put to use: a table against it, or an analysis with it.

import * as api from '../api.js';
import { dictionary } from '../i18n.js';
import * as keep from '../keep.js';
import { button } from '../parts/html.js';
import words from '../words/learn.js';
import networkWords from '../words/network.js';

const text = dictionary(words);
const about = dictionary(networkWords);
/** Plies such an opponent looks ahead: quick with any evaluation. */
const DEPTH = 4;

async function play(game, evaluation, kind = 'engine') {
  const { first } = (await api.games()).find(({ name }) => name === game);
  const engine = { kind, depth: DEPTH, eval: evaluation };
  const players = { black: engine, white: engine, [first]: { kind: 'human' } };
  const table = await api.post('/api/tables', { game, players }, keep.account()?.token);
  keep.own(table);
  location.hash = `#play/${table.id}`;
}

function analyse(game, evaluation) {
  const engine = keep.setting('engine', {});
  keep.set('engine', { ...engine, evaluation: { ...engine.evaluation, [game]: evaluation } });
  if (keep.setting('analysis', null)?.game !== game) keep.set('analysis', { game });
  location.hash = '#analyse';
}

/** The buttons that do it; `complain(words)` hears what is wrong. What `learns` can also be taught by playing. */
export const buttons = (game, evaluation, complain, learns = false) => [
  learns
    ? button({ picture: 'learning', kind: 'teach-it', word: about('teachIt'), tip: about('teachItTip'), press: () => play(game, evaluation, 'learning').catch(complain) })
    : null,
  button({ picture: 'go', kind: 'play-it', word: text('playIt'), press: () => play(game, evaluation).catch(complain) }),
  button({
    picture: 'analyse',
    kind: 'analyse-it',
    word: text('analyseIt'),
    press: () => {
      api.refreshGames();
      analyse(game, evaluation);
    },
  }),
];
