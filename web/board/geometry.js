// Plane geometry for boards: frames, hulls, the next cell in a direction. One unit is the distance of neighbours.

/** Left, top, right and bottom of some places. */
export function bounds(places) {
  const xs = places.map((place) => place.x);
  const ys = places.map((place) => place.y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** The board as seen from the other side: everything turned by half round the middle of the cells. */
export function turned(board) {
  const { left, top, right, bottom } = bounds(board.cells);
  const turn = (place) => ({ ...place, x: left + right - place.x, y: top + bottom - place.y });
  return { ...board, cells: board.cells.map(turn), labels: board.labels.map(turn) };
}

/** The corners of the smallest convex shape around some places, in order (monotone chain). */
export function hull(places) {
  const sorted = [...places].sort((a, b) => a.x - b.x || a.y - b.y);
  const bends = (o, a, b) => (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x) > 1e-6;
  const half = (list) => {
    const chain = [];
    for (const place of list) {
      while (chain.length > 1 && !bends(chain.at(-2), chain.at(-1), place)) chain.pop();
      chain.push(place);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** The number of the nearest cell from `start` towards (dx, dy); `start` itself if there is none. */
export function towards(cells, start, dx, dy) {
  const from = cells[start];
  let best = start;
  let least = Infinity;
  cells.forEach((cell, number) => {
    const [x, y] = [cell.x - from.x, cell.y - from.y];
    const along = x * dx + y * dy;
    const across = Math.abs(x * dy - y * dx);
    const cost = along + 2 * across;
    if (along > 0.2 && across <= 1.2 * along && cost < least - 1e-6) [best, least] = [number, cost];
  });
  return best;
}

export const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
