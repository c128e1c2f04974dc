// What stands on the board beside the stones: arrows and values of the engine's lines, and what each cell adds.

import { circle } from '../board/svg.js';
import { number } from '../i18n.js';
import { onCell } from './worth.js';

/** The engine's lines as arrows and values on cells. */
export function advice(findings, { engine, why }) {
  if (!findings || !engine.options.arrows || !engine.options.on) return { pointers: [], notes: notes([], why) };
  const first = findings.lines.filter(({ actions }) => actions.length > 0);
  const pointers = first.map(({ actions }, rank) => ({ ...actions[0], kind: `line-${rank + 1}` })).reverse();
  const taken = new Set();
  const values = [];
  for (const line of first) {
    const cell = line.actions[0].to.find((one) => !line.actions[0].from.includes(one)) ?? line.actions[0].to[0];
    if (cell === undefined || taken.has(cell)) continue;
    taken.add(cell);
    values.push({ cell, text: onCell(line, findings.unit, findings.toMove), kind: 'rank' });
  }
  return { pointers, notes: notes(values, why) };
}

/** Values of lines where there are some, else what the cell adds to the evaluation. */
function notes(values, why) {
  const cells = why.cells();
  const most = Math.max(...cells.map(Math.abs), 0);
  const taken = new Set(values.map(({ cell }) => cell));
  const digits = most < 1 ? 2 : most < 10 ? 1 : 0;
  const added = cells
    .map((value, cell) => ({ cell, value }))
    .filter(({ cell, value }) => !taken.has(cell) && Math.abs(value) > most / 4)
    .map(({ cell, value }) => ({
      cell,
      text: number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
      kind: value > 0 ? 'good' : 'bad',
    }));
  return [...values, ...added];
}

/** What each cell adds, as a glow under the stones. */
export function heat({ playing, why }) {
  const cells = why.cells();
  const most = Math.max(...cells.map(Math.abs), 0);
  if (most === 0) return;
  const { board } = playing;
  const glows = cells.map((value, number) => {
    const { x, y } = board.board.cells[number];
    const glow = circle(x, y, 0.5, `heat ${value > 0 ? 'plus' : 'minus'}`);
    glow.setAttribute('fill-opacity', Math.min(0.85, Math.abs(value) / most).toFixed(2));
    return glow;
  });
  board.layers.under.append(...glows);
}
