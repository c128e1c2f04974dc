// Mouse, touch and keyboard on the board, told as: a cell was picked, an arrow was picked, a stone was dragged.

import { towards } from './geometry.js';

const SLOP = 6;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Calls `pick(cell)`, `direct(text)` with an arrow's move, `drop(stone, cell)` and `cancel()`.
 * `carried(cell)` says which stones a drag from there takes along, none if it cannot be dragged.
 */
export function listen(board, { pick, direct, drop, cancel, carried }) {
  const { svg } = board;
  const cellOf = (event) => event.target.closest?.('.cell');
  let drag = null;
  let wasDrag = false;

  svg.addEventListener('pointerdown', (event) => {
    wasDrag = false;
    const cell = cellOf(event);
    if (!cell || event.button !== 0) return;
    const stone = Number(cell.dataset.cell);
    const stones = carried(stone);
    if (stones.length > 0) drag = { stone, stones, x: event.clientX, y: event.clientY, id: event.pointerId };
  });

  svg.addEventListener('pointermove', (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > SLOP;
    if (!wasDrag && !far) return;
    if (!wasDrag) svg.setPointerCapture(drag.id);
    wasDrag = true;
    const [from, to] = [board.spot(drag.x, drag.y), board.spot(event.clientX, event.clientY)];
    board.lift(drag.stones, to.x - from.x, to.y - from.y);
  });

  const release = (event, cell) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { stone } = drag;
    drag = null;
    if (!wasDrag) return;
    setTimeout(() => { wasDrag = false; });
    board.lift([]);
    if (cell !== null && cell !== stone) drop(stone, cell);
  };
  svg.addEventListener('pointerup', (event) => release(event, board.cellAt(event.clientX, event.clientY)));
  svg.addEventListener('pointercancel', (event) => release(event, null));

  document.addEventListener('click', (event) => {
    if (wasDrag) return;
    const arrow = event.target.closest?.('.arrow');
    const cell = cellOf(event);
    if (arrow) direct(arrow.dataset.move);
    else if (cell) {
      board.focusOn(Number(cell.dataset.cell));
      pick(Number(cell.dataset.cell));
    } else if (!event.target.closest?.('button, a, input, select, dialog')) cancel();
  });

  svg.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in ARROWS) board.focusOn(towards(board.board.cells, board.focus, ...ARROWS[event.key]));
    else if (event.key === 'Enter' || event.key === ' ') pick(board.focus);
    else return;
    event.preventDefault();
  });

  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') cancel();
  });
}
