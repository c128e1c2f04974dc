// A game with its variations: nodes with a move, a comment and what was played or tried next. The first child goes on
// with the line, the others leave it.
//
//   const tree = new Tree(['f5', 'd6']);
//   const tried = tree.add(tree.root.children[0], 'f6');     // the node of that move, new or known
//   tree.text()                                              // 'f5_d6_(f6)': fits into an address, `Tree.parse` reads it

const node = (move, parent) => ({ move, parent, children: [], comment: '', found: null });

export class Tree {
  constructor(moves = []) {
    this.root = node(null, null);
    this.extend(this.root, moves);
  }

  /** The node of `move` after `from`. */
  add(from, move) {
    const known = from.children.find((child) => child.move === move);
    if (known) return known;
    const made = node(move, from);
    from.children.push(made);
    return made;
  }

  /** The last node of `moves` after `from`. */
  extend(from, moves) {
    return moves.reduce((at, move) => this.add(at, move), from);
  }

  /** The nodes of the line that goes on with first children after `from`. */
  line(from = this.root) {
    const found = [];
    for (let at = from.children[0]; at; [at] = at.children) found.push(at);
    return found;
  }

  /** The moves of the game itself. */
  main() {
    return this.line().map(({ move }) => move);
  }

  /** Takes a node and all after it away; gives where it was tried. */
  remove(gone) {
    gone.parent.children = gone.parent.children.filter((child) => child !== gone);
    return gone.parent;
  }

  /** Makes the line of a node the game itself. */
  promote(up) {
    for (let at = up; at.parent; at = at.parent) {
      const { children } = at.parent;
      at.parent.children = [at, ...children.filter((child) => child !== at)];
    }
  }

  text() {
    return written(this.root).replace(/^_/, '');
  }

  static parse(text) {
    const tree = new Tree();
    const stack = [];
    let at = tree.root;
    for (const [token] of text.matchAll(/\(|\)|[^_()]+/g)) {
      if (token === '(') {
        stack.push(at);
        at = at.parent ?? at;
      } else if (token === ')') at = stack.pop() ?? tree.root;
      else {
        const [move, ...comment] = token.split('~');
        at = tree.add(at, move);
        if (comment.length > 0) at.comment = unescape(comment.join('~'));
      }
    }
    return tree;
  }
}

/** Moves from the start to a node. */
export function path(at) {
  const moves = [];
  for (let one = at; one.parent; one = one.parent) moves.unshift(one.move);
  return moves;
}

export const depth = (at) => path(at).length;

/** Whether a node belongs to the game itself. */
export const isMain = (at) => !at.parent || (at.parent.children[0] === at && isMain(at.parent));

/** The first move that leaves the game on the way to a node; null on the game itself. */
export function leaves(at) {
  let left = null;
  for (let one = at; one.parent; one = one.parent) if (one.parent.children[0] !== one) left = one;
  return left;
}

const escape = (comment) => encodeURIComponent(comment).replace(/[_()~.!*']/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

function unescape(comment) {
  try {
    return decodeURIComponent(comment);
  } catch {
    return comment;
  }
}

/** As in game texts: a move, then in brackets what could be played in its place, then how the line goes on. */
function written(from) {
  const [first, ...others] = from.children;
  if (!first) return '';
  const one = ({ move, comment }) => `_${move}${comment ? `~${escape(comment)}` : ''}`;
  const tried = others.map((other) => `_(${(one(other) + written(other)).slice(1)})`);
  return one(first) + tried.join('') + written(first);
}
