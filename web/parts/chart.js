// A line chart in SVG: values over plies, learning curves, ratings over time.
//
//   const chart = new Chart({ label: 'Value for Black', format: (y) => y.toFixed(1), pick: (x) => look(x) });
//   root.append(chart.element);
//   chart.show({ series: [{ name: 'value', kind: 'first', points: [[0, 0.2], [1, -0.4]] }], at: 1, marks: [{ x: 1, kind: 'blunder' }],
//                zero: true, low: -3, high: 3 });
//
// Points are [x, y] pairs in ascending x; a y of null breaks the line. `kind` (`first`, `second`, `third`, `fourth`) is
// the line's colour in the style sheet; `zero` draws the line of zero and fills between it and a single series. `low`
// and `high`, `left` and `right` widen the range if given. `pick(x)` is called with the x of the nearest point on click and, with
// arrow keys, of the next one. `width` and `height` are its own units: smaller ones make larger words.

import { element, line } from '../board/svg.js';
import { number } from '../i18n.js';

const RIM = { left: 44, right: 10, top: 10, bottom: 22 };

export class Chart {
  constructor({ label, format = short, pick = null, names = false, width = 640, height = 200 }) {
    Object.assign(this, { format, pick, names, width, height });
    this.element = element('svg', {
      class: 'chart',
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': label,
    });
    if (!pick) return;
    this.element.setAttribute('tabindex', 0);
    this.element.addEventListener('click', (event) => this.click(event));
    this.element.addEventListener('keydown', (event) => this.step(event));
  }

  show(scene) {
    this.scene = scene;
    this.range = range(scene);
    this.element.replaceChildren(
      ...this.grid(),
      ...scene.series.flatMap((series) => this.curve(series, scene)),
      ...this.places(scene),
    );
  }

  x(value) {
    const { left, right } = this.range;
    return RIM.left + ((value - left) / (right - left || 1)) * (this.width - RIM.left - RIM.right);
  }

  y(value) {
    const { low, high } = this.range;
    return this.height - RIM.bottom - ((value - low) / (high - low || 1)) * (this.height - RIM.top - RIM.bottom);
  }

  grid() {
    const { low, high, left, right } = this.range;
    const across = ticks(low, high, this.height > 120 ? 4 : 2).flatMap((value) => [
      line(
        { x: RIM.left, y: this.y(value) },
        { x: this.width - RIM.right, y: this.y(value) },
        value === 0 ? 'axis' : 'tick',
      ),
      words(RIM.left - 6, this.y(value) + 4, 'end', this.format(value)),
    ]);
    const below = ticks(left, right, 6).map((value) => words(this.x(value), this.height - 6, 'middle', short(value)));
    return [...across, ...below];
  }

  curve({ points, kind = 'first', name }, { zero, series }) {
    const pieces = split(points);
    const path = (piece) => `M${piece.map(([x, y]) => `${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`).join('L')}`;
    const drawn = [];
    if (zero && series.length === 1) {
      const base = this.y(Math.min(Math.max(0, this.range.low), this.range.high)).toFixed(1);
      for (const piece of pieces) {
        drawn.push(
          element('path', {
            class: 'area',
            d: `${path(piece)}L${this.x(piece.at(-1)[0]).toFixed(1)} ${base}L${this.x(piece[0][0]).toFixed(1)} ${base}Z`,
          }),
        );
      }
    }
    const lines = pieces.map((piece) => element('path', { class: `curve ${kind}`, d: path(piece) }));
    const last = pieces.at(-1)?.at(-1);
    const label =
      this.names && last ? [words(this.width - RIM.right, this.y(last[1]) - 6, 'end', name, `name ${kind}`)] : [];
    return [...drawn, ...lines, ...label];
  }

  places({ at, marks = [], series }) {
    const height = (x) => series[0]?.points.find(([place]) => place === x)?.[1] ?? 0;
    const dots = marks.map(({ x, kind }) =>
      element('circle', { class: `dot ${kind}`, cx: this.x(x), cy: this.y(height(x)), r: 4.5 }),
    );
    if (at === undefined || at === null) return dots;
    const now = line({ x: this.x(at), y: RIM.top }, { x: this.x(at), y: this.height - RIM.bottom }, 'now');
    return [now, ...dots];
  }

  click(event) {
    const { x } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.element.getScreenCTM().inverse());
    const all = this.xs();
    if (all.length > 0)
      this.pick(all.reduce((best, value) => (Math.abs(this.x(value) - x) < Math.abs(this.x(best) - x) ? value : best)));
  }

  step(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const all = this.xs();
    if (!by || all.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const now = all.indexOf(this.scene.at ?? all.at(-1));
    this.pick(all[Math.min(Math.max(now + by, 0), all.length - 1)]);
  }

  xs() {
    return this.scene?.series[0]?.points.map(([x]) => x) ?? [];
  }
}

function words(x, y, anchor, content, kind = 'words') {
  const made = element('text', { x, y, 'text-anchor': anchor, class: kind });
  made.textContent = content;
  return made;
}

/** The stretches without a gap. */
function split(points) {
  const pieces = [[]];
  for (const point of points) {
    if (point[1] === null || !Number.isFinite(point[1])) pieces.push([]);
    else pieces.at(-1).push(point);
  }
  return pieces.filter((piece) => piece.length > 0);
}

function range({ series, low, high, zero, left, right }) {
  const points = series.flatMap((one) => one.points).filter(([, y]) => y !== null && Number.isFinite(y));
  const ys = [...points.map(([, y]) => y), ...(zero ? [0] : []), ...[low, high].filter(Number.isFinite)];
  const xs = [...points.map(([x]) => x), ...[left, right].filter(Number.isFinite)];
  const [least, most] = ys.length > 0 ? [Math.min(...ys), Math.max(...ys)] : [0, 1];
  const air = least === most ? Math.abs(most) || 1 : 0;
  return {
    left: Math.min(...xs, xs.length ? Infinity : 0),
    right: Math.max(...xs, xs.length ? -Infinity : 1),
    low: least - air,
    high: most + air,
  };
}

/** About `count` round values from low to high. */
function ticks(low, high, count) {
  const rough = (high - low) / count;
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const all = [];
  for (let value = Math.ceil(low / step - 1e-9) * step; value <= high + step * 1e-9; value += step)
    all.push(Math.round(value / step) * step);
  return all.map((value) => (Math.abs(value) < step * 1e-9 ? 0 : value));
}

/** A number in few letters: 1200000 is 1.2M. */
export function short(value) {
  const size = Math.abs(value);
  const [unit, letter] = size >= 1e9 ? [1e9, 'G'] : size >= 1e6 ? [1e6, 'M'] : size >= 1e4 ? [1e3, 'k'] : [1, ''];
  return `${number(value / unit, { maximumSignificantDigits: 3, useGrouping: false })}${letter}`;
}
