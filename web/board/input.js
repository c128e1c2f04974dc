// From clicks to a move, for any game: no rules here, only the legal moves the server sent.
//
// A choice is what has been picked so far: stones to take up (`from`), cells to put them down (`to`), opposing stones
// to take off (`remove`). Picking goes on until one legal move is left. `picked` are the stones that were clicked
// themselves: both ends of a row bring along what lies between them.

export const nothing = () => ({ from: [], to: [], remove: [], picked: [] });

export const isEmpty = (choice) => choice.from.length + choice.to.length + choice.remove.length === 0;

const holds = (all, some) => some.every((cell) => all.includes(cell));
const same = (a, b) => a.length === b.length && holds(a, b);
const union = (lists) => [...new Set(lists.flat())];

/** The legal moves that take up exactly the chosen stones and do what has been picked so far. */
const candidates = (legal, choice) => legal.filter((move) =>
  same(move.from, choice.from) && holds(move.to, choice.to) && holds(move.remove, choice.remove));

/** What a click can add: `targets` to move to, `removable` stones, and the `left` moves. */
export function options(legal, choice) {
  const left = candidates(legal, choice);
  const landed = choice.to.length > 0 && left.every((move) => same(move.to, left[0].to));
  if (landed) {
    const removable = union(left.map((move) => move.remove)).filter((cell) => !choice.remove.includes(cell));
    return { left, landed, targets: [], removable };
  }
  const open = (cell, move) => !move.from.includes(cell) && !choice.to.includes(cell);
  const splits = (cell) => choice.to.length === 0 || !left.every((move) => move.to.includes(cell));
  const targets = union(left.map((move) => move.to.filter((cell) => open(cell, move)))).filter(splits);
  return { left, landed, targets, removable: [] };
}

/** The choice after it grew: the move to play if only one is left, else what to pick from. */
function settle(legal, choice) {
  const { left } = options(legal, choice);
  const decided = choice.to.length > 0 && left.length > 0
    && left.every((move) => same(move.to, left[0].to) && same(move.remove, left[0].remove));
  return decided ? { choice: nothing(), move: left[0] } : { choice };
}

/** Adds a stone to those taken up, takes it out again, or starts anew with it. */
function toggle(legal, choice, cell) {
  const movable = (stones) => legal.some((move) => holds(move.from, stones));
  const exact = (stones) => legal.some((move) => same(move.from, stones));
  const take = (from, picked = from) => ({ choice: { ...nothing(), from, picked } });
  const group = (picked) => take(exact(picked) ? picked : completed(legal, picked), picked);
  if (choice.from.includes(cell)) {
    // A stone that came along is confirmed by a click, one that was clicked is let go.
    if (!choice.picked.includes(cell)) return { choice: { ...choice, picked: [...choice.picked, cell] } };
    const rest = choice.picked.filter((stone) => stone !== cell);
    return rest.length > 0 && movable(rest) ? group(rest) : take([]);
  }
  const grown = [...choice.picked, cell];
  if (choice.from.length === 0 || !movable(grown)) return take(movable([cell]) ? [cell] : []);
  return group(grown);
}

/** Both ends of a row stand for the row: the smallest legal group around `stones`, if there is only one. */
function completed(legal, stones) {
  const groups = legal.map((move) => move.from).filter((from) => holds(from, stones));
  const least = Math.min(...groups.map((from) => from.length));
  const smallest = groups.filter((from) => from.length === least);
  return smallest.every((from) => same(from, smallest[0])) ? smallest[0] : stones;
}

/**
 * What a click on `cell` does: a new choice, and the move if that decides it. A click that does nothing says why in
 * `refused`: a wrong stone to remove leaves everything as it is, any other wrong cell lets go of what was chosen.
 */
export function click(legal, choice, cell) {
  const { targets, removable } = options(legal, choice);
  if (removable.includes(cell)) return settle(legal, { ...choice, remove: [...choice.remove, cell] });
  if (targets.includes(cell)) return settle(legal, { ...choice, to: [...choice.to, cell] });
  const canTakeUp = choice.to.length === 0 && legal.some((move) => move.from.includes(cell));
  if (canTakeUp) return toggle(legal, choice, cell);
  if (removable.length > 0) return { choice, refused: 'notRemovable' };
  if (legal.length === 0) return { choice: nothing() };
  return { choice: nothing(), refused: choice.from.length > 0 ? 'notThere' : 'notLegal' };
}

/** The stones that move along when `stone` is dragged. */
export const carried = (choice, stone) =>
  choice.to.length === 0 && choice.from.includes(stone) ? choice.from : [stone];

/** What dropping `stone` on `cell` does; null if no legal move carries it there. */
export function drop(legal, choice, stone, cell) {
  const group = carried(choice, stone);
  const lands = (move) => move.to[move.from.indexOf(stone)] === cell;
  const alone = (move) => move.from.length === 1 || (!move.to.includes(stone) && move.to.some((to) => move.from.includes(to)));
  const fits = (move) => move.from.includes(stone) && lands(move)
    && (group.length > 1 ? same(move.from, group) : alone(move));
  const move = legal.find(fits);
  return move ? settle(legal, { ...nothing(), from: move.from, to: move.to }) : null;
}

/** The directions in which the chosen stones can go as one: a move and how far its first stone goes. */
export function directions(legal, choice, cells) {
  if (choice.to.length > 0 || choice.from.length === 0 || !legal.some((move) => move.from.length > 1)) return [];
  return candidates(legal, choice).map((move) => {
    const [from, to] = [cells[move.from[0]], cells[move.to[0]]];
    return { move, dx: to.x - from.x, dy: to.y - from.y };
  });
}

/** The legal move that does nothing at all, if passing is all there is. */
export const forcedPass = (legal) =>
  legal.length === 1 && isEmpty(legal[0]) ? legal[0] : null;
