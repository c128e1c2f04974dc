// The address of an analysis: `#analyse/at/GAME/RULES/START/MOVES/PLY`, with `-` for what is usual. It holds the moves, the
// variations and their comments, so that whoever opens it sees the same.

import * as api from '../api.js';
import * as keep from '../keep.js';
import { depth, isMain, path, Tree } from './tree.js';

const USUAL = '-';
/** Longer addresses are cut by some programs that send them. */
const LONGEST = 6000;

const part = (text) => (text ? encodeURIComponent(text) : USUAL);

/** The address of what is shown; null if it would be too long. */
export function address({ game, rules, start, tree, node }) {
  const at = isMain(node) ? depth(node) : path(node).join('_');
  const hash = `#analyse/at/${[game, rules, start, tree.text(), String(at)].map(part).join('/')}`;
  return hash.length > LONGEST ? null : hash;
}

/** What an address says, from its parts after `at`; null if it says nothing. */
export function read([game, rules = USUAL, start = USUAL, moves = USUAL, at = USUAL]) {
  if (!game) return null;
  const given = (text) => (text === USUAL ? '' : text);
  const tree = Tree.parse(given(moves));
  const line = tree.line();
  const node = /^\d+$/.test(at) ? (line[Math.min(Number(at), line.length) - 1] ?? tree.root) : seek(tree, given(at).split('_'));
  return { game, rules: given(rules), start: given(start) || null, tree, node };
}

/** The node after `moves`, as far as the tree has them. */
function seek(tree, moves) {
  let node = tree.root;
  for (const move of moves) {
    const next = node.children.find((child) => child.move === move);
    if (!next) return node;
    node = next;
  }
  return node;
}

/** The game of a table. */
export async function fromTable(id) {
  const { view, start } = await api.get(`/api/tables/${encodeURIComponent(id)}`, Object.values(keep.seats(id))[0]);
  return { game: view.game, rules: view.rules, start, moves: view.moves };
}

/** What was last looked at here. */
export function remembered() {
  const last = keep.setting('analysis', null);
  return last?.address ? read(last.address.split('/').slice(2).map(decodeURIComponent)) : last;
}
