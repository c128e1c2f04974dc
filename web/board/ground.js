// What lies under the stones: green felt, a wooden board with lines, a hexagon with hollows. Each from the geometry.

import { bounds, distance, hull } from './geometry.js';
import { circle, element, gradient, line, rectangle } from './svg.js';

/** The frame that everything drawn fits in. */
export function frame(board) {
  const rim = { squares: 0.7, lines: 0.86, hollows: 1.02 }[board.ground];
  const { left, top, right, bottom } = bounds(board.cells);
  return { x: left - rim, y: top - rim, width: right - left + 2 * rim, height: bottom - top + 2 * rim };
}

/** The elements of the ground, back to front. */
export function draw(board) {
  return [...{ squares, lines, hollows }[board.ground](board), ...labels(board)];
}

/** Coordinates lie inside the board, near the cells at the edge, so that they take no room. */
const labels = (board) => board.labels.map((label) => {
  const { x, y } = beside(board, label);
  const made = element('text', { x, y, dy: '0.34em', class: 'label' });
  made.textContent = label.text;
  return made;
});

const NEAR = 0.56;
const NEAR_HOLLOW = 0.76;

function beside({ ground, cells }, label) {
  if (ground === 'lines') {
    const { left, top, right, bottom } = bounds(cells);
    const within = (value, low, high) => Math.min(Math.max(value, low - NEAR), high + NEAR);
    return { x: within(label.x, left, right), y: within(label.y, top, bottom) };
  }
  const near = cells.reduce((best, cell) => (distance(cell, label) < distance(best, label) ? cell : best));
  const [dx, dy] = [label.x - near.x, label.y - near.y];
  if (ground !== 'squares') {
    const length = Math.hypot(dx, dy) || 1;
    return { x: near.x + (NEAR_HOLLOW * dx) / length, y: near.y + (NEAR_HOLLOW * dy) / length };
  }
  // In a corner of the square, letters on the right and numbers on the left.
  return Math.abs(dx) < Math.abs(dy)
    ? { x: near.x + 0.41, y: near.y + 0.4 * Math.sign(dy) }
    : { x: near.x + 0.41 * Math.sign(dx), y: near.y - 0.38 };
}

/** A soft shadow below a shape, from a few wide strokes: cheaper to repaint than a blur. */
const shade = (shape, width = 0) => [1, 2, 3].map((step) => {
  const shadow = shape();
  shadow.setAttribute('class', 'shade');
  shadow.setAttribute('stroke-width', width + 0.05 * step);
  shadow.setAttribute('transform', 'translate(0 0.03)');
  return shadow;
});

function squares(board) {
  const felt = bounds(board.cells);
  const { left, top, right, bottom } = felt;
  const grid = [];
  for (let x = left + 0.5; x < right; x += 1) grid.push(line({ x, y: top - 0.5 }, { x, y: bottom + 0.5 }, 'grid'));
  for (let y = top + 0.5; y < bottom; y += 1) grid.push(line({ x: left - 0.5, y }, { x: right + 0.5, y }, 'grid'));
  const quarter = (low, high) => [low + 1.5, high - 1.5];
  const dots = quarter(left, right).flatMap((x) => quarter(top, bottom).map((y) => circle(x, y, 0.07, 'grid-dot')));
  return [
    ...shade(() => rectangle(felt, 0.66, 0.16)),
    rectangle(felt, 0.66, 0.16, 'rail'),
    rectangle(felt, 0.53, 0.05, 'rail-edge'),
    rectangle(felt, 0.5, 0.03, 'felt'),
    ...grid,
    ...dots,
  ];
}

function lines(board) {
  const all = bounds(board.cells);
  const carved = (kind, shift) => board.lines.map(([a, b]) => {
    const end = ({ x, y }) => ({ x: x + shift, y: y + shift });
    return line(end(board.cells[a]), end(board.cells[b]), kind);
  });
  return [
    ...shade(() => rectangle(all, 0.8, 0.22)),
    rectangle(all, 0.8, 0.22, 'plank'),
    ...grain(all),
    rectangle(all, 0.73, 0.18, 'plank-edge'),
    ...carved('groove-light', 0.025),
    ...carved('groove', 0),
    ...board.cells.map(({ x, y }) => circle(x, y, 0.11, 'point')),
  ];
}

/** Wood grain: waves that differ a little from each other, always the same ones. */
function grain({ left, top, right, bottom }) {
  const [start, end] = [left - 0.79, right + 0.79];
  const wave = (number) => {
    const y = top - 0.7 + ((bottom - top + 1.4) * number) / 44 + 0.05 * Math.sin(number * 2.7);
    const bend = 0.09 * Math.sin(number * 1.3);
    const step = (end - start) / 4;
    const path = `M${start} ${y}q${step / 2} ${bend} ${step} 0t${step} 0t${step} 0t${step} 0`;
    return element('path', { d: path, class: number % 3 === 0 ? 'grain strong' : 'grain' });
  };
  return Array.from({ length: 45 }, (_, number) => wave(number));
}

function hollows(board) {
  const corners = (places) => hull(places).map(({ x, y }) => `${x},${y}`).join(' ');
  const shape = corners(board.cells);
  return [
    ...shade(() => element('polygon', { points: shape }), 1.9),
    element('polygon', { points: shape, class: 'slab-rim' }),
    element('polygon', { points: shape, class: 'slab' }),
    ...board.cells.flatMap(({ x, y }) => [circle(x, y, 0.435, 'hollow'), circle(x, y + 0.03, 0.36, 'hollow-floor')]),
  ];
}

const ball = { cx: 0.36, cy: 0.3, r: 0.75 };

/** Colours that the style sheet refers to by name. */
const paints = () => [
  gradient('felt', 'radial', { cx: 0.5, cy: 0.45, r: 0.8 }, [[0, '#3a9d6b'], [0.6, '#2a8257'], [1, '#1d6341']]),
  gradient('rail', 'linear', { x1: 0, y1: 0, x2: 0, y2: 1 }, [[0, '#4a3527'], [1, '#2b1d14']]),
  gradient('plank', 'linear', { x1: 0, y1: 0, x2: 1, y2: 1 }, [[0, '#e6c08b'], [0.5, '#d9ac72'], [1, '#c79356']]),
  gradient('slab', 'linear', { x1: 0, y1: 0, x2: 0.4, y2: 1 }, [[0, '#7f97a3'], [1, '#566d79']]),
  gradient('slab-rim', 'linear', { x1: 0, y1: 0, x2: 0.4, y2: 1 }, [[0, '#46596a'], [1, '#26333f']]),
  gradient('hollow', 'linear', { x1: 0, y1: 0, x2: 0, y2: 1 }, [[0, '#33454f'], [1, '#8ea5b0']]),
  gradient('hollow-floor', 'radial', { cx: 0.5, cy: 0.65, r: 0.7 }, [[0, '#5f7783'], [1, '#41545f']]),
  gradient('disc-black', 'radial', ball, [[0, '#4d535c'], [0.55, '#22262c'], [1, '#0c0e11']]),
  gradient('disc-white', 'radial', ball, [[0, '#ffffff'], [0.6, '#f1eee6'], [1, '#cfc9bb']]),
  gradient('piece-black', 'linear', { x1: 0, y1: 0, x2: 1, y2: 1 }, [[0, '#57504b'], [1, '#171412']]),
  gradient('piece-white', 'linear', { x1: 0, y1: 0, x2: 1, y2: 1 }, [[0, '#fffdf6'], [1, '#d8cdb4']]),
  gradient('marble-black', 'radial', ball, [[0, '#6d7681'], [0.3, '#2c323a'], [0.8, '#0d1014'], [1, '#1c222a']]),
  gradient('marble-white', 'radial', ball, [[0, '#ffffff'], [0.45, '#f6f3ea'], [0.85, '#cdc6b6'], [1, '#b3ab99']]),
  gradient('marble-neutral', 'radial', ball, [[0, '#ffb3a8'], [0.35, '#d6453a'], [0.85, '#8d1a17'], [1, '#a5312b']]),
  gradient('shine', 'radial', { cx: 0.5, cy: 0.5, r: 0.5 }, [[0, 'rgba(255,255,255,0.75)'], [1, 'rgba(255,255,255,0)']]),
  gradient('shadow', 'radial', { cx: 0.5, cy: 0.5, r: 0.5 }, [[0.7, 'rgba(0,0,0,0.42)'], [1, 'rgba(0,0,0,0)']]),
];

/** Lays the colours into the page, once for all boards. */
export function lay() {
  if (document.getElementById('paints')) return;
  document.querySelector('.sprites').append(element('defs', { id: 'paints' }, paints()));
}

/** A stone at the origin: a shadow and, for discs, both faces, so that they can turn. */
export function stone(ground, colour) {
  const faces = ground === 'squares' ? ['black', 'white'] : [colour];
  const shadow = circle(0.03, 0.06, 0.48, 'shadow');
  return element('g', {}, [shadow, ...faces.map((face) => ({ squares: disc, lines: piece, hollows: marble })[ground](face))]);
}

const disc = (face) => element('g', { class: `face ${face}` }, [
  circle(0, 0.025, 0.4, 'disc-under'),
  circle(0, 0, 0.4, 'disc'),
]);

const piece = (face) => element('g', { class: `face ${face}` }, [
  circle(0, 0, 0.38, 'piece'),
  circle(0, 0, 0.27, 'piece-ring'),
  circle(0, 0, 0.12, 'piece-ring'),
]);

const marble = (face) => element('g', { class: `face ${face}` }, [
  circle(0, 0, 0.43, 'marble'),
  element('ellipse', { cx: -0.13, cy: -0.17, rx: 0.17, ry: 0.13, class: 'shine' }),
]);
