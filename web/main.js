// The frame of the app: the bar on top, and below it one page at a time, chosen by the address after `#`.
//
// A page is one module and one line in PAGES. `#play/ID` calls `enter(root, ['ID'])` of play.js with an empty <main>;
// `leave()` is called before the next page (or the same one with another address) takes its place. `redraw()`, if a
// page has it, is called when the language changes; else it is left and entered again. `enter` may be async; what it
// throws is shown. A page that is not `listed` can be reached by its address but not from the bar.

import { Fault, games } from './api.js';
import * as news from './arena/news.js';
import { keepShell, lookOnce } from './away.js';
import { currentLanguage, text, toggleLanguage } from './i18n.js';
import { button, make, reveal } from './parts/html.js';
import { said } from './said.js';
import { openSettings } from './settings.js';
import { moves, toggleMotion, toggleTheme } from './theme.js';

const PAGES = [
  { name: 'play', load: () => import('./play.js'), listed: true },
  { name: 'analyse', load: () => import('./analyse.js'), listed: true },
  { name: 'teach', load: () => import('./teach.js'), listed: true },
  { name: 'learn', load: () => import('./learn.js'), listed: true },
  { name: 'arena', load: () => import('./arena.js'), listed: true },
  { name: 'games', load: () => import('./games.js'), listed: true },
];

const root = document.getElementById('page');
let current = null;
let turn = 0;

const address = () => location.hash.slice(1).split('/').filter(Boolean).map(decodeURIComponent);

/** Leaves the page that is shown and enters the one that the address names. */
async function go() {
  const [name = PAGES[0].name, ...args] = address();
  const mine = ++turn;
  current?.module.leave?.();
  current = null;
  root.replaceChildren(make('p', { class: 'notice' }, text('loading')));
  const page = PAGES.find((one) => one.name === name);
  drawBar(page);
  if (!page) return tell(text('notFound'), make('a', { href: `#${PAGES[0].name}` }, text('home')));
  try {
    const module = await page.load();
    if (mine !== turn) return undefined;
    root.replaceChildren();
    root.className = `page ${name}`;
    document.title = `${text(name)} – Trilith`;
    // What games are called comes with them; without an answer their keys stand for themselves.
    await games().catch(() => []);
    if (mine !== turn) return undefined;
    current = { page, module };
    await module.enter(root, args);
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    if (mine === turn) tell(fault.status === 0 ? text('offline') : said(fault.message));
  }
  return undefined;
}

/** A page that cannot be shown says why, and where to go from there. */
function tell(words, ...more) {
  root.className = 'page';
  const link = make('a', { class: 'button', href: `#${PAGES[0].name}` }, text('home'));
  root.replaceChildren(
    make('div', { class: 'notice' }, make('h1', {}, 'Trilith'), make('p', { role: 'alert' }, words), more.length > 0 ? more : link),
  );
}

function drawBar(page) {
  const link = ({ name }) =>
    make(
      'a',
      { class: 'page-link', href: `#${name}`, 'data-page': name, 'aria-current': page?.name === name ? 'page' : null },
      text(name),
    );
  document.getElementById('skip').textContent = text('toContent');
  document.getElementById('pages').setAttribute('aria-label', text('pages'));
  document.getElementById('pages').replaceChildren(...PAGES.filter(({ listed }) => listed).map(link));
  reveal(document.getElementById('pages'));
  document.getElementById('tools').replaceChildren(
    button({
      id: 'motion',
      picture: moves() ? 'motion' : 'still',
      bare: true,
      kind: 'tool',
      word: text('motion'),
      tip: text(moves() ? 'motionOff' : 'motionOn'),
      'aria-pressed': String(moves()),
      press: still,
    }),
    button({ id: 'settings', picture: 'settings', bare: true, kind: 'tool', word: text('settings'), press: () => openSettings(redraw) }),
    button({ id: 'theme', picture: 'theme', bare: true, kind: 'tool', word: text('theme'), press: toggleTheme }),
    button({ id: 'language', bare: true, kind: 'tool word', word: text('language'), press: speak }),
  );
  document.getElementById('language').append(currentLanguage() === 'de' ? 'EN' : 'DE');
}

function still() {
  toggleMotion();
  drawBar(current?.page);
  document.getElementById('motion').focus();
}

function speak() {
  toggleLanguage();
  redraw();
  document.getElementById('language').focus();
}

/** Everything anew: another language, other looks. */
function redraw() {
  if (!current?.module.redraw) return go();
  drawBar(current.page);
  document.title = `${text(current.page.name)} – Trilith`;
  return current.module.redraw();
}

addEventListener('hashchange', go);
addEventListener('load', () => setTimeout(keepShell, 3000));
if (navigator.serviceWorker?.controller) lookOnce();
news.begin();
document.getElementById('skip').onclick = (event) => {
  event.preventDefault();
  root.focus();
};
go();
