// The curve of a game's values: the review's if there are any, else those the engine has found on the way.

import { scale, told } from '../perspective.js';
import { depth, leaves } from './tree.js';

/** The most a curve shows of log odds: 99 in a hundred. */
const EDGE = 4.6;

/** What a proved end is worth for Black: the edge of the curve. */
export function edge({ proved }, { unit, toMove }) {
  const sign = (proved === 'win') === (toMove === 'black') ? 1 : -1;
  return sign * (unit === 'discs' ? 64 : EDGE);
}

export function curve({ tree, node, found }, { review, curve: card, scale: words, chart }, plies) {
  const reviewed = review.values().filter(([, value]) => value !== null);
  const live = [tree.root, ...tree.line()]
    .map((one, ply) => [ply, one.found?.value ?? null])
    .filter(([, value]) => value !== null);
  const isOdds = /odds/.test(review.report?.unit ?? found?.unit ?? '');
  const cut = (value) => told(isOdds ? Math.max(-EDGE, Math.min(EDGE, value)) : value);
  const out = leaves(node);
  card.hidden = plies === 0;
  words.textContent = scale();
  chart.show({
    series: [{ name: 'value', points: (reviewed.length > 0 ? reviewed : live).map(([ply, value]) => [ply, cut(value)]) }],
    left: 0,
    right: plies,
    at: out ? depth(out) - 1 : depth(node),
    zero: true,
    low: isOdds ? -1 : -4,
    high: isOdds ? 1 : 4,
    marks: reviewed.length > 0 ? Object.entries(review.marks()).map(([ply, kind]) => ({ x: Number(ply), kind })) : [],
  });
}
