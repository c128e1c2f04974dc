// The dialog for a challenge: game, rules, clock, rated or not, colour, and for whom.

import * as api from '../api.js';
import { choiceName, dictionary, groupName, text as shared } from '../i18n.js';
import * as keep from '../keep.js';
import { open } from '../parts/dialog.js';
import { button, field, make, segments, select } from '../parts/html.js';
import { said } from '../said.js';
import words from '../words/arena.js';
import { CLOCKS, gameChoices, NO_CLOCK } from './terms.js';

const text = dictionary(words);

/** Asks for the terms and sends them; `sent()` after the server has taken the challenge. */
export async function ask(to, sent) {
  const games = await api.games();
  const last = keep.setting('challenge', {});
  const terms = {
    game: games[0].name,
    clock: '5+3',
    colour: 'random',
    rated: true,
    choices: {},
    ...last,
    to: to ?? '',
  };
  const body = make('div', { class: 'challenge-form' });
  const close = open({ title: text('newChallenge'), body });
  draw(
    body,
    terms,
    games,
    async (fault) => {
      try {
        await api.post('/api/challenges', request(terms, games), keep.account()?.token);
        keep.set('challenge', { ...terms, to: '' });
        close();
        sent();
      } catch (problem) {
        if (!(problem instanceof api.Fault)) throw problem;
        fault.textContent = problem.status === 0 ? shared('offline') : said(problem.message);
      }
    },
    () => close(),
  );
}

function request(terms, games) {
  const [minutes, increment] = terms.clock.split('+').map(Number);
  const clock = terms.clock === NO_CLOCK ? {} : { clock: { initial_ms: minutes * 60000, increment_ms: increment * 1000 } };
  const { choices } = games.find(({ name }) => name === terms.game);
  const rules = choices.map((group) => group.find((word) => terms.choices[word]) ?? group[0]).join(',');
  const wish = {
    game: terms.game,
    rules,
    ...clock,
    rated: terms.rated,
    colour: terms.colour,
  };
  return terms.to.trim() ? { ...wish, to: terms.to.trim() } : wish;
}

function draw(body, terms, games, send, cancel) {
  const again = () => draw(body, terms, games, send, cancel);
  const put = (key) => (value) => {
    terms[key] = value;
  };
  const fault = make('p', { class: 'fault', role: 'alert' });
  const to = make('input', {
    type: 'text',
    id: 'challenge-to',
    value: terms.to,
    spellcheck: 'false',
    autocomplete: 'off',
    oninput: () => put('to')(to.value),
  });
  const rated = make('input', {
    type: 'checkbox',
    id: 'challenge-rated',
    checked: terms.rated,
    onchange: () => put('rated')(rated.checked),
  });
  const rules = games
    .find(({ name }) => name === terms.game)
    .choices.map((group) => {
      const value = group.find((word) => terms.choices[word]) ?? group[0];
      return field(
        groupName(group),
        select(
          group.map((word) => [word, choiceName(word)]),
          value,
          (word) => {
            for (const old of group) delete terms.choices[old];
            terms.choices[word] = true;
          },
        ),
      );
    });
  body.replaceChildren(
    field(
      text('game'),
      select(
        gameChoices(games),
        terms.game,
        (game) => {
          terms.game = game;
          again();
          body.querySelector('#challenge-game').focus();
        },
        { id: 'challenge-game' },
      ),
    ),
    field(
      text('clock'),
      select(
        [
          ...CLOCKS.map(([minutes, increment]) => [`${minutes}+${increment}`, text('minutes', minutes, increment)]),
          [NO_CLOCK, text('correspondence')],
        ],
        terms.clock,
        put('clock'),
        { id: 'challenge-clock' },
      ),
    ),
    segments(
      'challenge-colour',
      [
        ['black', shared('black')],
        ['random', text('random')],
        ['white', shared('white')],
      ],
      terms.colour,
      put('colour'),
      text('colour'),
    ),
    field(text('toWhom'), to, text('toWhomHint')),
    make('label', { class: 'check' }, rated, text('rated')),
    make('details', { class: 'more' }, make('summary', {}, shared('rules')), make('div', { class: 'fields' }, rules)),
    fault,
    make(
      'div',
      { class: 'confirm' },
      button({ word: shared('cancel'), press: cancel }),
      button({ id: 'challenge-send', kind: 'primary', word: text('challenge'), press: () => send(fault) }),
    ),
  );
}
