// What is known of moves, as notes on the cells that can be picked next. No rules: only the legal moves of the server.
//
// `valued` is a map from a move's text to `{ text, kind, rank }`; of the moves that a cell leads to the one of the
// highest rank stands there.

/** Notes for what can be picked after `choice`; `options` are those of input.js. */
export function valuedNotes(valued, legal, choice, options) {
  if (!valued || valued.size === 0) return [];
  const best = new Map();
  const put = (move, cells) => {
    const known = valued.get(move.text);
    if (!known) return;
    for (const cell of cells) if (!(best.get(cell)?.rank >= known.rank)) best.set(cell, known);
  };
  for (const move of options.left)
    put(move, (options.landed ? move.remove : move.to).filter((cell) => (options.landed ? options.removable : options.targets).includes(cell)));
  const isFresh = choice.from.length + choice.to.length === 0;
  if (isFresh) for (const move of legal.filter(({ from }) => from.length === 1)) put(move, move.from);
  return [...best].map(([cell, { text, kind }]) => ({ cell, text, kind: `known ${kind}` }));
}
