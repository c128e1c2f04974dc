// Reports of studies that come with the program; each opens as a page of its own.

import * as api from '../api.js';
import { dictionary } from '../i18n.js';
import { make } from '../parts/html.js';
import words from '../words/learn.js';

const text = dictionary(words);

export async function enter(root) {
  const index = await api.get('/api/studies');
  const studies = Array.isArray(index) ? index : index.reports ?? index.studies ?? [];
  root.replaceChildren(make('h1', {}, text('studies')), make('p', { class: 'about-line' }, text('studiesAbout')),
    make('div', { id: 'studies' }, studies.length > 0 ? studies.map(entry) : make('p', { class: 'none' }, text('noStudies'))));
}

function entry(study) {
  const { name, title = name, about = study.summary ?? study.source ?? '' } = typeof study === 'string' ? { name: study } : study;
  const href = `/reports/${encodeURIComponent(name)}.html`;
  return make('div', { class: 'card entry' },
    make('div', { class: 'grow' }, make('a', { class: 'title', href, target: '_blank', rel: 'noopener' }, title), make('div', { class: 'about' }, about)),
    make('a', { class: 'button', href, target: '_blank', rel: 'noopener' }, text('openReport')));
}
