// The board: draws ground, stones and marks from plain data. Knows cells and looks, no rules and no server.
//
// A scene is `{ board, flipped, stones, last, choice, options, arrows, ghosts, pointers, notes }`:
//   board     geometry as the server sends it          stones    per cell `{ colour, provisional? }` or null
//   last      cells of the last move                   choice    what is picked: `{ from, to, remove }`
//   options   `{ targets, removable }` to pick next    arrows    directions for chosen marbles
//   pointers  moves to point at: `{ from, to, remove, kind }`, each the cells of an action as the server sends them;
//             `kind` is a class of the style sheet: `hint`, or `line-1` to `line-5` by rank
//   notes     short texts on cells: `{ cell, text, kind }`
// Most pages want Playing (to play on) or Picture (to look at) of playing.js instead.

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
    for (const name of ['ground', 'under', 'stones', 'marks', 'notes', 'pointers', 'cells', 'arrows']) {
      this.layers[name] = element('g', { class: name });
    }
    svg.append(...Object.values(this.layers));
    ground.lay();
    this.focus = 0;
  }

  /** Shows a scene, gliding from the one before. */
  show(scene) {
    const isNew = this.scene?.board !== scene.board || this.scene.flipped !== scene.flipped;
    if (isNew) this.lay(scene);
    this.place(scene.stones, isNew);
    this.scene = scene;
    this.mark();
    this.point();
    this.advise();
    this.name();
  }

  /** Everything that only changes with the board itself. */
  lay({ board, flipped }) {
    const shown = document.documentElement.dataset.coordinates === 'off' ? { ...board, labels: [] } : board;
    this.board = flipped ? turned(shown) : shown;
    const { x, y, width, height } = ground.frame(this.board);
    this.svg.setAttribute('viewBox', `${x} ${y} ${width} ${height}`);
    this.svg.dataset.ground = board.ground;
    this.ratio = width / height;
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
    const { last, choice, options, ghosts, decisive = [], ahead = [] } = this.scene;
    const at = (cells, r, kind) => cells.map((cell) => {
      const { x, y } = this.board.cells[cell];
      return circle(x, y, r, kind);
    });
    this.layers.under.replaceChildren(...at(last, 0.48, 'last'), ...at(decisive, 0.5, 'decisive'));
    const targets = options.targets.filter((cell) => !this.shown[cell]);
    const pushed = options.targets.filter((cell) => this.shown[cell]);
    this.layers.marks.replaceChildren(
      ...at(last.filter((cell) => this.shown[cell]), 0.09, 'last-dot'),
      ...at(targets, 0.15, 'target'),
      ...at(pushed, 0.44, 'pushed'),
      ...at(options.removable, 0.44, 'removable'),
      ...at(choice.from, 0.44, 'chosen'),
      ...at(ghosts, 0.44, 'chosen'),
      ...at(ahead, 0.44, 'ahead'),
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

  /** Moves that are pointed at, and notes on cells. */
  advise() {
    const { pointers = [], notes = [] } = this.scene;
    this.layers.pointers.replaceChildren(...pointers.flatMap((pointer) => this.pointer(pointer)));
    this.layers.notes.replaceChildren(...notes.map(({ cell, text, kind = '' }) => {
      const { x, y } = this.board.cells[cell];
      const note = element('text', { x, y, dy: '0.35em', class: `note ${kind} ${this.shown[cell] ?? ''}` });
      note.textContent = text;
      return note;
    }));
  }

  /** A long arrow for a row that moves on, one a stone that goes aside, a ring where a stone is put, a cross to remove. */
  pointer({ from, to, remove = [], kind }) {
    const at = (cell) => this.board.cells[cell];
    const inRow = from.length > 1 && to.some((cell) => from.includes(cell));
    const pairs = inRow
      ? [[from.find((cell) => !to.includes(cell)), to.find((cell) => !from.includes(cell))]]
      : from.map((cell, number) => [cell, to[number]]);
    const ways = pairs.filter(([a, b]) => a !== undefined && b !== undefined).map(([a, b]) => pointed(at(a), at(b), kind));
    const rings = from.length > 0 ? [] : to.map((cell) => circle(at(cell).x, at(cell).y, 0.36, `pointer ring ${kind}`));
    const crosses = remove.map((cell) => {
      const { x, y } = at(cell);
      return element('path', { class: `pointer cross ${kind}`, d: `M${x - 0.2} ${y - 0.2}l0.4 0.4m0 -0.4l-0.4 0.4` });
    });
    return [...ways, ...rings, ...crosses];
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

  /** Where the keyboard begins when it comes to the board. */
  beginAt(number) {
    this.cells[this.focus].setAttribute('tabindex', -1);
    this.focus = number;
    this.cells[number].setAttribute('tabindex', 0);
  }

  /** Moves the keyboard's place to a cell. */
  focusOn(number) {
    this.beginAt(number);
    this.cells[number].focus();
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

/** An arrow from place to place, short of both middles. */
function pointed(a, b, kind) {
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const [dx, dy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const tip = { x: b.x - 0.12 * dx, y: b.y - 0.12 * dy };
  const neck = { x: tip.x - 0.34 * dx, y: tip.y - 0.34 * dy };
  const wing = (turn) => `${neck.x - turn * 0.22 * dy} ${neck.y + turn * 0.22 * dx}`;
  return element('g', { class: `pointer ${kind}` }, [
    element('path', { class: 'shaft', d: `M${a.x + 0.1 * dx} ${a.y + 0.1 * dy}L${neck.x} ${neck.y}` }),
    element('path', { class: 'tip', d: `M${tip.x} ${tip.y}L${wing(1)}L${wing(-1)}Z` }),
  ]);
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

function fade(stone) {
  stone.classList.add('gone');
  setTimeout(() => stone.remove(), FADE);
}
