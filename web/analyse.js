// Page Analyse: not there yet, and so not in the bar.

import { text } from './i18n.js';
import { make } from './parts/html.js';

export function enter(root) {
  root.append(make('p', { class: 'notice' }, text('notFound')));
}

export function leave() {}
