// Heuristics: evaluations that people make by weighing features; the dialog, and the list of those that are kept.

import * as api from '../api.js';
import { dictionary, text as shared } from '../i18n.js';
import { confirm, open } from '../parts/dialog.js';
import { button, field, make, select } from '../parts/html.js';
import { said, termName } from '../said.js';
import words from '../words/learn.js';
import networkWords from '../words/network.js';
import { buttons } from './opponent.js';
import { askNetwork, trainingOf } from './network.js';
import { ask as askRun } from './start.js';

const text = dictionary(words);
const about = dictionary(networkWords);
const MOST = 10;

let state = null;

export async function enter(root) {
  state = { root, list: make('div', { id: 'heuristics' }), fault: make('p', { class: 'fault', role: 'alert' }) };
  const mine = state;
  const [heuristics, features] = await Promise.all([api.get('/api/learn/heuristics'), api.get('/api/learn/features')]);
  if (state !== mine) return;
  state.features = features;
  root.replaceChildren(
    make(
      'div',
      { class: 'row head' },
      make('h1', {}, text('heuristics')),
      make(
        'div',
        { class: 'row' },
        button({ id: 'new-network', picture: 'learning', word: about('newNetwork'), press: () => askNetwork(state.features, refresh) }),
        button({ id: 'new-heuristic', picture: 'new', kind: 'primary', word: text('newHeuristic'), press: () => edit() }),
      ),
    ),
    make('p', { class: 'about-line' }, text('heuristicsAbout')),
    state.fault,
    state.list,
  );
  draw(heuristics);
}

async function refresh() {
  api.refreshGames();
  const heuristics = await api.get('/api/learn/heuristics');
  if (state) draw(heuristics);
}

export function leave() {
  state = null;
}

const complain = (fault) => {
  if (!(fault instanceof api.Fault)) throw fault;
  if (state) state.fault.textContent = fault.status === 0 ? shared('offline') : said(fault.message);
};

function draw(heuristics) {
  state.list.replaceChildren(
    ...(heuristics.length > 0 ? heuristics.map(entry) : [make('p', { class: 'none' }, text('noHeuristics'))]),
  );
}

function entry(heuristic) {
  const { name, game, features, terms, network, eval: evaluation } = heuristic;
  const drop = async () => {
    if (
      !(await confirm({ question: text('sureRemove', name), yes: text('remove'), no: shared('cancel'), danger: true }))
    )
      return;
    try {
      draw(await api.post(`/api/learn/heuristics/${name}/delete`, {}));
      api.refreshGames();
    } catch (fault) {
      complain(fault);
    }
  };
  return make(
    'div',
    { class: 'card entry', 'data-heuristic': name },
    make(
      'div',
      { class: 'grow' },
      make('span', { class: 'title' }, name),
      make('div', { class: 'about' }, [shared(game), features, ...(network ? kept(network) : [text('weighed', Object.keys(terms).length)])].join(' · ')),
    ),
    buttons(game, evaluation, complain, Boolean(network)),
    button({
      kind: 'train-it',
      picture: 'learning',
      word: network ? about('trainNetwork') : text('trainIt'),
      press: () => askRun({ name, config: network ? trainingOf(heuristic) : training(game, features) }),
    }),
    network ? null : button({ kind: 'edit-it', word: text('edit'), press: () => edit(heuristic) }),
    button({ kind: 'danger', word: text('remove'), press: drop }),
  );
}

/** A network in few words: its layers, and how much it has learned. */
const kept = ({ hidden, games }) => [
  about('networkOf', hidden.map(({ nodes, activation }) => `${nodes} ${about(activation)}`).join(' → ')),
  about('gamesLearned', games),
];

/** A small run that learns weights of its own for the same features. Where random games do not end it plays itself. */
const training = (game, features) =>
  !state.features.find((offered) => offered.game === game).random_games_end
    ? `# Learns weights for ${features} by playing against itself.

kind = "risk-td"
game = "${game}"
seed = 1

[parameters]
features = "${features}"
games = 200
`
    : `# Learns weights for ${features} from how random games end.

kind = "outcomes"
game = "${game}"
seed = 1

[parameters]
features = "${features}"
games = 1500
batch = 10
rate = 0.002            # how far a weight moves towards what was seen
yardstick = "random"    # who is played against after every tenth of the run
yardstick_games = 20
`;

/** The dialog: name, game, features, a weight for each. */
function edit(given = null) {
  const made = {
    name: given?.name ?? '',
    game: given?.game ?? state.features[0].game,
    features: given?.features ?? '',
    terms: { ...given?.terms },
    margin: given?.margin ?? 1,
  };
  const body = make('div', { class: 'weights-form' });
  const close = open({ title: text('newHeuristic'), kind: 'wide', body });
  const fault = make('p', { class: 'fault', role: 'alert' });
  const save = async (replace) => {
    fault.textContent = '';
    const terms = Object.fromEntries(Object.entries(made.terms).filter(([, weight]) => weight !== 0));
    try {
      await api.post('/api/learn/heuristics', { ...made, name: made.name.trim(), terms, replace });
      api.refreshGames();
      close();
      draw(await api.get('/api/learn/heuristics'));
    } catch (problem) {
      if (!(problem instanceof api.Fault)) throw problem;
      if (
        problem.status === 409 &&
        !replace &&
        (await confirm({ question: text('exists'), yes: text('over'), no: shared('cancel') }))
      )
        return save(true);
      fault.textContent = problem.status === 0 ? shared('offline') : said(problem.message);
    }
    return undefined;
  };
  const again = () => form(body, made, fault, save, () => close(), again);
  again();
}

function form(body, made, fault, save, cancel, again) {
  const offered = state.features.find(({ game }) => game === made.game);
  const set = offered.sets.find(({ name }) => name === made.features) ?? offered.sets[0];
  made.features = set.name;
  const name = make('input', {
    type: 'text',
    id: 'heuristic-name',
    class: 'mono',
    maxlength: 40,
    value: made.name,
    spellcheck: 'false',
    autocomplete: 'off',
    oninput: () => {
      made.name = name.value;
    },
  });
  const rows = set.terms.map((term) =>
    weight(term, termName(term), made.terms[term] ?? 0, (value) => {
      made.terms[term] = value;
    }),
  );
  const find = make('input', {
    type: 'text',
    id: 'find-feature',
    placeholder: text('filter'),
    'aria-label': text('filter'),
    oninput: () => {
      rows.forEach((row, at) => {
        row.hidden = !`${set.terms[at]} ${termName(set.terms[at])}`.toLowerCase().includes(find.value.toLowerCase());
      });
    },
  });
  body.replaceChildren(
    make(
      'div',
      { class: 'two-fields' },
      field(text('name'), name, text('nameHint')),
      field(
        text('game'),
        select(
          state.features.map(({ game }) => [game, shared(game)]),
          made.game,
          (game) => {
            Object.assign(made, { game, features: '', terms: {} });
            again();
          },
          { id: 'heuristic-game' },
        ),
      ),
      field(
        text('features'),
        select(
          offered.sets.map((one) => [one.name, `${one.name} (${one.terms.length})`]),
          set.name,
          (features) => {
            Object.assign(made, { features, terms: {} });
            again();
          },
          { id: 'heuristic-features' },
        ),
      ),
    ),
    weight('margin', text('material'), made.margin, (value) => {
      made.margin = value;
    }),
    set.terms.length > 8 ? find : '',
    make('div', { class: 'weights' }, rows),
    fault,
    make(
      'div',
      { class: 'confirm' },
      button({ word: shared('cancel'), press: cancel }),
      button({ id: 'save-heuristic', kind: 'primary', word: text('create'), press: () => save(false) }),
    ),
  );
}

/** A weight by slider and by number; both say the same. */
function weight(key, words, value, change) {
  const put = (number) => {
    const next = Number.isFinite(number) ? Math.max(-1000, Math.min(1000, number)) : 0;
    row.classList.toggle('used', next !== 0);
    change(next);
    return next;
  };
  const slider = make('input', {
    type: 'range',
    min: -MOST,
    max: MOST,
    step: 0.1,
    value,
    'aria-label': text('weightOf', words),
    oninput: () => {
      field.value = put(Number(slider.value));
    },
  });
  const field = make('input', {
    type: 'number',
    step: 0.1,
    value,
    'data-term': key,
    'aria-label': text('weightOf', words),
    oninput: () => {
      slider.value = put(Number(field.value));
    },
  });
  const row = make('div', { class: `weight ${value === 0 ? '' : 'used'}` }, make('span', {}, words), slider, field);
  return row;
}
