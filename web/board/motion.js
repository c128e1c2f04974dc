// Which stone went where between two pictures of the board, so that stones can glide. Only looks, no rules.

import { distance } from './geometry.js';

const MOST = 3;

/** Pairs [from, to] of stones that seem to have moved. */
export function moved(before, after, cells) {
  const pairs = [];
  for (const colour of new Set(before.filter(Boolean))) {
    const gone = numbers(before, (stone, cell) => stone === colour && after[cell] !== colour);
    const come = numbers(after, (stone, cell) => stone === colour && before[cell] !== colour);
    if (come.length === 0 || come.length > gone.length || gone.length > MOST) continue;
    const still = (cell) => before[cell] === colour && after[cell] === colour;
    for (const [from, to] of shortest(gone, come, cells)) pairs.push(...shifted(from, to, cells, still));
  }
  return pairs;
}

const numbers = (stones, wanted) => stones.map((_, cell) => cell).filter((cell) => wanted(stones[cell], cell));

/** Gives each place in `come` a stone from `gone` so that the ways are short. */
function shortest(gone, come, cells) {
  if (come.length === 0) return [];
  const [to, ...rest] = come;
  const ways = gone.map((from) => {
    const others = shortest(gone.filter((cell) => cell !== from), rest, cells);
    return [[from, to], ...others];
  });
  const cost = (way) => way.reduce((sum, [a, b]) => sum + distance(cells[a], cells[b]) ** 2, 0);
  return ways.reduce((best, way) => (cost(way) < cost(best) ? way : best));
}

/** A row that moved on by one looks like its last stone jumping to the front: show every stone of it going one step. */
function shifted(from, to, cells, still) {
  const steps = Math.round(distance(cells[from], cells[to]));
  const chain = [from];
  for (let step = 1; step < steps; step += 1) {
    const x = cells[from].x + ((cells[to].x - cells[from].x) * step) / steps;
    const y = cells[from].y + ((cells[to].y - cells[from].y) * step) / steps;
    const between = cells.findIndex((cell) => distance(cell, { x, y }) < 0.1);
    if (between < 0 || !still(between)) return [[from, to]];
    chain.push(between);
  }
  chain.push(to);
  return chain.slice(1).map((cell, step) => [chain[step], cell]);
}
