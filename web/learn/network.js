// The dialog for a network that learns: features, layers with nodes and activations, rates. Its weights begin by lot.

import * as api from '../api.js';
import { dictionary, text as shared } from '../i18n.js';
import { open } from '../parts/dialog.js';
import { button, field, make, select } from '../parts/html.js';
import { said } from '../said.js';
import words from '../words/network.js';

const text = dictionary(words);
const ACTIVATIONS = ['tanh', 'logistic', 'relu', 'linear'];
const MOST_LAYERS = 4;
const MOST_NODES = 256;

/** Asks for a network; `made()` is called when there is one. */
export function askNetwork(features, made) {
  const wish = {
    name: '',
    game: features[0].game,
    features: '',
    hidden: [{ nodes: 30, activation: 'tanh' }],
    spread: 0.1,
    rate: 0.05,
    momentum: 0,
    lambda: 0.7,
  };
  const body = make('div', { class: 'weights-form' });
  const fault = make('p', { class: 'fault', role: 'alert' });
  const close = open({ title: text('newNetwork'), kind: 'wide', body });
  const save = async () => {
    fault.textContent = '';
    const { name, game, features: set, hidden, spread, rate, momentum, lambda } = wish;
    try {
      await api.post('/api/learn/heuristics', { name: name.trim(), game, features: set, network: { hidden, spread, rate, momentum, lambda } });
      close();
      made();
    } catch (problem) {
      if (!(problem instanceof api.Fault)) throw problem;
      fault.textContent = problem.status === 0 ? shared('offline') : said(problem.message);
    }
  };
  const draw = () => body.replaceChildren(...form(features, wish, draw), fault, make(
    'div',
    { class: 'confirm' },
    button({ word: shared('cancel'), press: () => close() }),
    button({ id: 'save-network', kind: 'primary', word: text('create'), press: save }),
  ));
  draw();
}

function form(features, wish, draw) {
  const offered = features.find(({ game }) => game === wish.game);
  const set = offered.sets.find(({ name }) => name === wish.features) ?? offered.sets[0];
  wish.features = set.name;
  const name = make('input', { type: 'text', id: 'network-name', class: 'mono', maxlength: 40, value: wish.name, spellcheck: 'false', autocomplete: 'off', oninput: () => { wish.name = name.value; } });
  const put = (change) => {
    Object.assign(wish, change);
    draw();
  };
  return [
    make(
      'div',
      { class: 'two-fields' },
      field(text('name'), name, text('nameHint')),
      field(text('game'), select(features.map(({ game }) => [game, shared(game)]), wish.game, (game) => put({ game, features: '' }), { id: 'network-game' })),
      field(text('features'), select(offered.sets.map((one) => [one.name, `${one.name} (${one.terms.length})`]), set.name, (chosen) => put({ features: chosen }), { id: 'network-features' })),
    ),
    make('h3', {}, text('layers')),
    make('p', { class: 'about-line' }, text('layersAbout', set.terms.length)),
    make('ol', { class: 'layers', id: 'layers' }, wish.hidden.map((layer, at) => row(layer, () => put({ hidden: wish.hidden.filter((_, other) => other !== at) })))),
    button({ id: 'add-layer', kind: 'small', picture: 'new', word: text('addLayer'), disabled: wish.hidden.length >= MOST_LAYERS, press: () => put({ hidden: [...wish.hidden, { nodes: 10, activation: 'tanh' }] }) }),
    make('h3', {}, text('rates')),
    make(
      'div',
      { class: 'two-fields' },
      ...[['rate', 0, 10, 0.01], ['momentum', 0, 0.99, 0.01], ['lambda', 0, 1, 0.05], ['spread', 0, 10, 0.01]].map(([key, least, most, step]) =>
        field(text(key), amount(`network-${key}`, wish[key], least, most, step, (value) => { wish[key] = value; }), text(`${key}Hint`))),
    ),
  ];
}

function row(layer, remove) {
  return make(
    'li',
    {},
    amount(null, layer.nodes, 1, MOST_NODES, 1, (value) => { layer.nodes = Math.round(value); }, text('nodes')),
    select(ACTIVATIONS.map((one) => [one, text(one)]), layer.activation, (activation) => { layer.activation = activation; }, { 'aria-label': text('activation') }),
    button({ kind: 'small remove-layer', word: text('removeLayer'), press: remove }),
  );
}

function amount(id, value, min, max, step, change, label = null) {
  const input = make('input', { type: 'number', id, min, max, step, value, 'aria-label': label, oninput: () => { if (input.value !== '') change(Math.max(min, Math.min(max, Number(input.value)))); } });
  return input;
}

/** A training run that goes on with a network, in the words of its settings. */
export const trainingOf = ({ name, game, features, network: { hidden, rate, momentum, lambda } }) => `# Goes on with the network ${name}: it plays against itself and is taught by how the games end.

kind = "teaching"
game = "${game}"
seed = 1

[parameters]
begin = "heuristic:${name}"     # leave it out to begin with random weights
features = "${features}"
hidden = [${hidden.map(({ nodes }) => nodes).join(', ')}]
activation = "${hidden.length > 0 ? hidden.map(({ activation }) => activation).join(',') : 'tanh'}"
rate = ${real(rate)}
momentum = ${real(momentum)}
lambda = ${real(lambda)}        # how much of what the next position was taught
games = 400
depth = 2                       # plies that both players look ahead
plies = 120                     # games are drawn after so many
batch = 10
yardstick = "random"            # who is played against after every tenth of the run
yardstick_games = 20
final_games = 20
`;

/** A number that the settings read as one with a point. */
const real = (value) => (Number.isInteger(value) ? value.toFixed(1) : String(Math.round(value * 1e4) / 1e4));
