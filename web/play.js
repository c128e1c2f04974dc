// Page Play: `#play` is the form for a new game, `#play/ID` a table.

import * as start from './play/start.js';
import * as table from './play/table.js';

let shown = null;

/** Shows the form or the table that the address names. */
export function enter(root, [id]) {
  shown = id ? table : start;
  return shown.enter(root, id);
}

export function leave() {
  shown?.leave();
}

export function redraw() {
  return shown.redraw();
}
