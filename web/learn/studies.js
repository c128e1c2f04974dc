// Reports of studies that come with the program; each opens as a page of its own.

import * as api from '../api.js';
import { dictionary } from '../i18n.js';
import { make } from '../parts/html.js';
import words from '../words/learn.js';

const text = dictionary(words);

export async function enter(root) {
  const studies = await api.get('/api/studies');
  root.replaceChildren(
    make('h1', {}, text('studies')),
    make('p', { class: 'about-line' }, text('studiesAbout')),
    make(
      'div',
      { id: 'studies' },
      studies.length > 0 ? studies.map(entry) : make('p', { class: 'none' }, text('noStudies')),
    ),
  );
}

function entry({ title, about, source, scale, page, confirmed, refuted, open }) {
  const href = `/reports/${encodeURIComponent(page)}`;
  const there = { href, target: '_blank', rel: 'noopener' };
  return make(
    'div',
    { class: 'card entry' },
    make(
      'div',
      { class: 'grow' },
      make('a', { class: 'title', ...there }, title),
      ' ',
      make('span', { class: 'state' }, scale),
      make('div', { class: 'about' }, about),
      make('div', { class: 'about' }, [source, text('findings', confirmed, refuted, open)].join(' · ')),
    ),
    make('a', { class: 'button', ...there }, text('openReport')),
  );
}
