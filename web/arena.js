// Page Arena.

import { make } from './parts/html.js';

export function enter(root) {
  root.append(make('p', { class: 'notice' }, 'Arena'));
}

export function leave() {}
