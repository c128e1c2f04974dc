// The board: draws ground, stones and marks from plain data. Knows cells and looks, no rules and no server.

import { turned } from './geometry.js';
import * as ground from './ground.js';
import { moved } from './motion.js';
import { circle, element } from './svg.js';

const FADE = 260;

/** Draws into `svg` whatever `show` is given; `label(cell, scene)` names a cell for screen readers. */
export class Board {
  constructor(svg, label) {
    this.svg = svg;
    this.label = label;
    this.layers = {};
    for (const name of ['ground', 'under', 'stones', 'marks', 'cells', 'arrows']) {
      this.layers[name] = element('g', { class: name });
    }
    svg.append(element('defs', {}, ground.paints()), ...Object.values(this.layers));
    this.focus = 0;
  }

  /** Shows a scene: `{ board, flipped, stones, last, choice, options, arrows, ghosts }`. */
  show(scene) {
    const isNew = this.scene?.board !== scene.board || this.scene.flipped !== scene.flipped;
    if (isNew) this.lay(scene);
    this.place(scene.stones, isNew);
    this.scene = scene;
    this.mark();
    this.point();
    this.name();
  }

  /** Everything that only changes with the board itself. */
  lay({ board, flipped }) {
    this.board = flipped ? turned(board) : board;
    const { x, y, width, height } = ground.frame(this.board);
    this.svg.setAttribute('viewBox', `${x} ${y} ${width} ${height}`);
    this.svg.dataset.ground = board.ground;
    this.layers.ground.replaceChildren(...ground.draw(this.board));
    this.layers.stones.replaceChildren();
    this.stones = [];
    this.shown = [];
    this.focus = Math.min(this.focus, board.cells.length - 1);
    this.cells = this.board.cells.map((cell, number) => this.hit(cell, number));
    this.layers.cells.replaceChildren(...this.cells);
  }

  hit({ name, x, y }, number) {
    const shape = this.board.ground === 'squares'
      ? element('rect', { x: x - 0.5, y: y - 0.5, width: 1, height: 1, class: 'hit' })
      : circle(x, y, 0.5, 'hit');
    const ring = circle(x, y, 0.46, 'focus-ring');
    return element('g', { class: 'cell', role: 'button', 'data-cell': number, 'data-name': name }, [shape, ring]);
  }

  /** Brings the stones from what is shown to `stones`, gliding where that can be seen. */
  place(stones, isNew) {
    const colours = stones.map((stone) => stone?.colour ?? null);
    const turns = this.board.ground === 'squares';
    const pairs = isNew || turns ? [] : moved(this.shown, colours, this.board.cells);
    const next = [];
    for (const [from, to] of pairs) next[to] = this.stones[from];
    const left = new Set(pairs.map(([from]) => from));
    this.stones.forEach((stone, cell) => {
      if (left.has(cell)) return;
      const stays = colours[cell] && !next[cell] && (turns || this.shown[cell] === colours[cell]);
      if (stays) next[cell] = stone;
      else fade(stone);
    });
    colours.forEach((colour, cell) => {
      if (!colour) return;
      next[cell] ??= this.bring(colour, isNew);
      const { x, y } = this.board.cells[cell];
      next[cell].style.transform = `translate(${x}px, ${y}px)`;
      next[cell].setAttribute('class', `stone ${colour}${stones[cell].provisional ? ' provisional' : ''}`);
      next[cell].dataset.at = cell;
    });
    this.stones = next;
    this.shown = colours;
  }

  bring(colour, isNew) {
    const stone = element('g', {}, [ground.stone(this.board.ground, colour)]);
    if (!isNew) stone.firstChild.setAttribute('class', 'come');
    this.layers.stones.append(stone);
    return stone;
  }

  mark() {
    const { last, choice, options, ghosts } = this.scene;
    const at = (cells, r, kind) => cells.map((cell) => {
      const { x, y } = this.board.cells[cell];
      return circle(x, y, r, kind);
    });
    this.layers.under.replaceChildren(...at(last, 0.48, 'last'));
    const targets = options.targets.filter((cell) => !this.shown[cell]);
    const pushed = options.targets.filter((cell) => this.shown[cell]);
    this.layers.marks.replaceChildren(
      ...at(last.filter((cell) => this.shown[cell]), 0.09, 'last-dot'),
      ...at(targets, 0.15, 'target'),
      ...at(pushed, 0.44, 'pushed'),
      ...at(options.removable, 0.44, 'removable'),
      ...at(choice.from, 0.44, 'chosen'),
      ...at(ghosts, 0.44, 'chosen'),
    );
  }

  /** Arrow heads between the chosen stones and where they can go. */
  point() {
    this.layers.arrows.replaceChildren(...this.scene.arrows.map(({ move, dx, dy }) => {
      const turn = this.scene.flipped ? -1 : 1;
      const { x, y } = this.front(move, dx * turn, dy * turn);
      const angle = (Math.atan2(dy * turn, dx * turn) * 180) / Math.PI;
      return element('g', { class: 'arrow', 'data-move': move.text, transform: `translate(${x} ${y}) rotate(${angle})` }, [
        circle(0, 0, 0.28, 'arrow-hit'),
        circle(0, 0, 0.19, 'arrow-disc'),
        element('path', { d: 'M-0.1 0H0.1M0.01 -0.09 0.1 0 0.01 0.09', class: 'arrow-head' }),
      ]);
    }));
  }

  /** In front of the first stone of a row, or beside the middle of stones that go broadside. */
  front(move, dx, dy) {
    const places = move.from.map((cell) => this.board.cells[cell]);
    const inRow = move.to.some((cell) => move.from.includes(cell));
    const ahead = (place) => place.x * dx + place.y * dy;
    const [x, y] = inRow
      ? places.map((place) => [place.x, place.y, ahead(place)]).reduce((a, b) => (b[2] > a[2] ? b : a))
      : [mean(places.map((place) => place.x)), mean(places.map((place) => place.y))];
    return { x: x + 0.55 * dx, y: y + 0.55 * dy };
  }

  name() {
    this.cells.forEach((cell, number) => {
      const { active, text } = this.label(number, this.scene);
      cell.setAttribute('aria-label', text);
      cell.setAttribute('tabindex', number === this.focus ? 0 : -1);
      cell.setAttribute('aria-pressed', this.scene.choice.from.includes(number));
      cell.classList.toggle('active', active);
    });
  }

  /** Moves the keyboard's place to a cell. */
  focusOn(number, how = {}) {
    this.cells[this.focus].setAttribute('tabindex', -1);
    this.focus = number;
    this.cells[number].setAttribute('tabindex', 0);
    this.cells[number].focus(how);
  }

  /** The cell whose stone would stand nearest to a point of the screen; null outside of all. */
  cellAt(clientX, clientY) {
    const { x, y } = this.spot(clientX, clientY);
    const reach = (cell) => Math.hypot(cell.x - x, cell.y - y);
    const best = this.board.cells.reduce((found, cell, number, cells) => (reach(cell) < reach(cells[found]) ? number : found), 0);
    return reach(this.board.cells[best]) < 0.6 ? best : null;
  }

  /** A point of the screen in the board's units. */
  spot(clientX, clientY) {
    return new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
  }

  /** Lifts stones off their cells by (dx, dy) while they are dragged; with no cells all lie down again. */
  lift(cells, dx = 0, dy = 0) {
    this.stones.forEach((stone, cell) => {
      const lifted = cells.includes(cell);
      const { x, y } = this.board.cells[cell];
      stone.classList.toggle('lifted', lifted);
      stone.style.transform = lifted ? `translate(${x + dx}px, ${y + dy}px)` : `translate(${x}px, ${y}px)`;
      if (lifted) this.layers.stones.append(stone);
    });
  }
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

function fade(stone) {
  stone.classList.add('gone');
  setTimeout(() => stone.remove(), FADE);
}
