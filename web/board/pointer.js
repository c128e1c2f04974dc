// Mouse, touch and keyboard on the board, told as: a cell was picked, an arrow was picked, a stone was dragged.
//
// Arrow keys walk over the cells only when the keyboard brought the focus there; after a click they are the page's.

import { towards } from './geometry.js';

const SLOP = 6;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Calls `pick(cell)`, `direct(text)` with an arrow's move, `drop(stone, cell)` and `cancel()`.
 * `carried(cell)` says which stones a drag from there takes along, none if it cannot be dragged. Gives a function
 * that stops listening.
 */
export function listen(board, { pick, direct, drop, cancel, carried }) {
  const { svg } = board;
  const until = new AbortController();
  const on = (target, kind, react) => target.addEventListener(kind, react, { signal: until.signal });
  const pieceOf = (target) => {
    const piece = target?.closest?.('.arrow, .cell') ?? null;
    return piece && svg.contains(piece) ? piece : null;
  };
  const cellOf = (piece) => (piece?.matches('.cell') ? Number(piece.dataset.cell) : null);
  let down = null;
  let drag = null;
  let handled = false;

  const act = (piece) => {
    const cell = cellOf(piece);
    if (cell === null) return direct(piece.dataset.move);
    board.beginAt(cell);
    return pick(cell);
  };

  on(document, 'pointerdown', (event) => {
    handled = false;
    down = event.button === 0 && event.isPrimary ? pieceOf(event.target) : null;
    const stone = cellOf(down);
    const stones = stone === null ? [] : carried(stone);
    drag = stones.length > 0 ? { stone, stones, x: event.clientX, y: event.clientY, moving: false } : null;
  });

  // A finger on a stone that can be dragged drags it; anywhere else it scrolls the page.
  svg.addEventListener(
    'touchstart',
    (event) => {
      const stone = cellOf(pieceOf(event.target));
      if (stone !== null && event.cancelable && carried(stone).length > 0) event.preventDefault();
    },
    { signal: until.signal, passive: false },
  );

  on(svg, 'pointermove', (event) => {
    if (!drag || !event.isPrimary) return;
    if (!drag.moving && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) <= SLOP) return;
    if (!drag.moving) svg.setPointerCapture(event.pointerId);
    drag.moving = true;
    const [from, to] = [board.spot(drag.x, drag.y), board.spot(event.clientX, event.clientY)];
    board.lift(drag.stones, to.x - from.x, to.y - from.y);
  });

  /** Not left to `click`: browsers swallow the tap that follows a swift drag by touch. */
  on(svg, 'pointerup', (event) => {
    if (!event.isPrimary) return;
    const [piece, dragged] = [down, drag];
    [down, drag] = [null, null];
    if (dragged?.moving) {
      handled = true;
      board.lift([]);
      const cell = board.cellAt(event.clientX, event.clientY);
      if (cell !== null && cell !== dragged.stone) drop(dragged.stone, cell);
    } else if (piece && piece === pieceOf(document.elementFromPoint(event.clientX, event.clientY))) {
      handled = true;
      act(piece);
    }
  });

  on(document, 'pointercancel', () => {
    if (drag?.moving) board.lift([]);
    [down, drag] = [null, null];
  });

  on(document, 'click', (event) => {
    const piece = pieceOf(event.target);
    if (handled) handled = false;
    else if (piece) act(piece);
    else if (!event.target.closest?.('button, a, input, select, dialog')) cancel();
  });

  on(svg, 'keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isWalking = event.key in ARROWS && event.target.matches(':focus-visible');
    if (isWalking) board.focusOn(towards(board.board.cells, board.focus, ...ARROWS[event.key]));
    else if (event.key === 'Enter' || event.key === ' ') pick(board.focus);
    else return;
    event.preventDefault();
  });

  on(document, 'keydown', (event) => {
    if (event.key === 'Escape') cancel();
  });

  return () => until.abort();
}
