// One side's player in the form for a new game: who it is and, for computers, how strong and by which evaluation.
//
// A seat is `{ kind, name, strength, level, depth, time, evaluation, quiescence }`; `wish` turns it into what the server takes.

import { dictionary, text as shared } from '../i18n.js';
import { field, icon, make, segments, select } from '../parts/html.js';
import words from '../words/play.js';

const text = dictionary(words);

const KINDS = [
  ['human', 'person', 'person'],
  ['engine', 'engine', 'engine'],
  ['learning', 'learning', 'learning'],
  ['open', 'open', 'link'],
];
const TIMES = [100, 300, 1000, 3000, 10000, 30000];

export const usual = (kind) => ({
  kind,
  name: '',
  strength: 'level',
  level: 3,
  depth: 6,
  time: 1000,
  evaluation: '',
  quiescence: '',
});

const isProgram = ({ kind }) => kind === 'engine' || kind === 'learning';

/** What the server is asked for. */
export function wish(seat) {
  if (!isProgram(seat)) return seat.kind === 'human' && seat.name?.trim() ? { kind: 'human', name: seat.name.trim() } : { kind: seat.kind };
  const strength = { level: { level: seat.level }, depth: { depth: seat.depth }, time: { time_ms: seat.time } }[
    seat.strength
  ];
  const asked = { kind: seat.kind, ...strength };
  if (seat.evaluation) asked.eval = seat.evaluation;
  if (seat.quiescence !== '') asked.quiescence = Number(seat.quiescence);
  return asked;
}

/** The card of a side; `change(seat)` is called with what it becomes. */
export function card(side, seat, game, change) {
  const put = (more) => change({ ...seat, ...more });
  const kinds = KINDS.map(([kind, word, picture]) => [
    kind,
    [icon(picture), make('span', { class: 'kind-name' }, text(word))],
  ]);
  const about = { human: 'personAbout', engine: 'engineAbout', learning: 'learningAbout', open: 'openAbout' }[
    seat.kind
  ];
  return make(
    'fieldset',
    { class: 'seat', 'data-side': side },
    make('legend', {}, make('span', { class: `pip ${side}` }), shared(side)),
    segments(`kind-${side}`, kinds, seat.kind, (kind) => put({ kind }), shared(side)),
    make('p', { class: 'about' }, text(about)),
    isProgram(seat) ? [strength(side, seat, put), more(side, seat, game, put)] : null,
    seat.kind === 'human' ? named(side, seat) : null,
  );
}

/** What a person at this screen is called; nobody has to say. */
function named(side, seat) {
  const input = make('input', {
    type: 'text',
    id: `name-${side}`,
    maxlength: 20,
    autocomplete: 'off',
    spellcheck: 'false',
    value: seat.name ?? '',
    placeholder: text('nameless'),
    oninput: () => {
      seat.name = input.value;
    },
  });
  return field(text('seatName'), input);
}

function strength(side, seat, put) {
  if (seat.strength === 'depth')
    return slider(side, 'depth', seat.depth, 1, 20, text('byDepth'), (depth) => text('plies', depth), put);
  if (seat.strength === 'time') {
    const step = Math.max(0, TIMES.indexOf(seat.time));
    return slider(
      side,
      'time',
      step,
      0,
      TIMES.length - 1,
      text('byTime'),
      (at) => text('seconds', TIMES[at] / 1000),
      ({ time }) => put({ time: TIMES[time] }),
    );
  }
  return slider(
    side,
    'level',
    seat.level,
    1,
    10,
    text('byLevel'),
    (level) => `${level} · ${text('levels')[level]}`,
    put,
  );
}

/** A slider that says its value beside its name, and tells it once let go. */
function slider(side, key, value, min, max, name, say, put) {
  const shown = make('span', { class: 'slider-value' }, say(value));
  const input = make('input', {
    type: 'range',
    id: `${key}-${side}`,
    min,
    max,
    step: 1,
    value,
    'aria-valuetext': say(value),
    oninput: () => {
      shown.textContent = say(Number(input.value));
      input.setAttribute('aria-valuetext', shown.textContent);
    },
    onchange: () => put({ [key]: Number(input.value) }),
  });
  return make('label', { class: 'field slider' }, make('span', { class: 'field-name' }, name, shown), input);
}

function more(side, seat, game, put) {
  const evaluations = (game.evaluations ?? []).filter(({ needs_file: needsFile }) => !needsFile);
  const strengths = [
    ['level', text('byLevel')],
    ['depth', text('byDepth')],
    ['time', text('byTime')],
  ];
  const quiet = [
    ['', text('quiescenceUsual')],
    ...[0, 1, 2, 4, 6, 8].map((depth) => [String(depth), text('plies', depth)]),
  ];
  const opened = seat.strength !== 'level' || seat.evaluation || seat.quiescence !== '';
  return make(
    'details',
    {
      class: 'more',
      open: Boolean(opened || seat.opened),
      ontoggle: (event) => {
        seat.opened = event.target.open;
      },
    },
    make('summary', {}, text('more')),
    field(
      text('strength'),
      select(strengths, seat.strength, (value) => put({ strength: value }), { id: `strength-${side}` }),
    ),
    field(
      text('evaluation'),
      select(
        [['', text('usual')], ...evaluations.map(({ name }) => [name, name])],
        seat.evaluation,
        (evaluation) => put({ evaluation }),
        { id: `evaluation-${side}` },
      ),
      evaluations.find(({ name }) => name === seat.evaluation)?.about,
    ),
    field(
      text('quiescence'),
      select(quiet, seat.quiescence, (quiescence) => put({ quiescence }), { id: `quiescence-${side}` }),
    ),
  );
}
