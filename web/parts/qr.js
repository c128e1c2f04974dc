// QR codes (ISO/IEC 18004), as much of them as addresses need: bytes, error correction M, versions 1 to 10.
//
//   root.append(code('http://192.168.1.7:4680/#play/1234'));      // an SVG, or null if the text is too long
//
// `matrix(text)` gives the modules as rows of booleans, without the quiet zone.

import { element } from '../board/svg.js';

/** Per version: codewords of data, and [blocks, error correction codewords a block], all for level M. */
const VERSIONS = [
  null, [16, 1, 10], [28, 1, 16], [44, 1, 26], [64, 2, 18], [86, 2, 24],
  [108, 4, 16], [124, 4, 18], [154, 4, 22], [182, 5, 22], [216, 5, 26],
];
const ALIGNED = [null, [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];
const LEVEL_M = 0;

/** Powers and logarithms of 2 in the field of 256 elements with x^8 + x^4 + x^3 + x^2 + 1. */
const POWERS = new Uint8Array(512);
const LOGS = new Uint8Array(256);
for (let power = 0, value = 1; power < 255; power += 1) {
  POWERS[power] = POWERS[power + 255] = value;
  LOGS[value] = power;
  value = (value << 1) ^ (value & 128 ? 285 : 0);
}
const times = (a, b) => (a && b ? POWERS[LOGS[a] + LOGS[b]] : 0);

/** The remainder that corrects errors in `data` (Reed and Solomon). */
function correction(data, count) {
  let generator = [1];
  for (let power = 0; power < count; power += 1) {
    const next = [...generator, 0];
    generator.forEach((factor, at) => {
      next[at + 1] ^= times(factor, POWERS[power]);
    });
    generator = next;
  }
  const rest = [...data, ...Array(count).fill(0)];
  for (let at = 0; at < data.length; at += 1) {
    const factor = rest[at];
    if (factor) generator.forEach((part, number) => { rest[at + number] ^= times(part, factor); });
  }
  return rest.slice(data.length);
}

/** Length, bytes and padding as codewords, then blocks interleaved with their corrections. */
function codewords(bytes, version) {
  const [capacity, blocks, count] = VERSIONS[version];
  const bits = [];
  const push = (value, length) => {
    for (let bit = length - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  push(4, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, capacity * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const data = [];
  for (let at = 0; at < bits.length; at += 8) data.push(parseInt(bits.slice(at, at + 8).join(''), 2));
  for (let pad = 0xec; data.length < capacity; pad ^= 0xec ^ 0x11) data.push(pad);
  const short = Math.floor(capacity / blocks);
  const parts = [];
  for (let block = 0, at = 0; block < blocks; block += 1) {
    const length = short + (block >= blocks - (capacity % blocks) ? 1 : 0);
    parts.push(data.slice(at, at + length));
    at += length;
  }
  const checks = parts.map((part) => correction(part, count));
  const woven = (lists) =>
    Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, at) =>
      lists.filter((list) => at < list.length).map((list) => list[at]),
    ).flat();
  return [...woven(parts), ...woven(checks)];
}

const MASKS = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (r, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** Bits with the remainder of a polynomial division behind them. */
function protectedBits(value, length, polynomial, degree) {
  let rest = value << degree;
  for (let bit = length + degree - 1; bit >= degree; bit -= 1) if ((rest >> bit) & 1) rest ^= polynomial << (bit - degree);
  return (value << degree) | rest;
}

/** Finders, timing, alignment: the modules that are the same for every text. Null is free. */
function patterns(version) {
  const size = 17 + 4 * version;
  const grid = Array.from({ length: size }, () => Array(size).fill(null));
  const put = (row, column, dark) => {
    if (row >= 0 && column >= 0 && row < size && column < size) grid[row][column] = dark;
  };
  for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]]) {
    for (let y = -4; y <= 4; y += 1) {
      for (let x = -4; x <= 4; x += 1) {
        const ring = Math.max(Math.abs(x), Math.abs(y));
        put(row + y, column + x, ring !== 2 && ring !== 4);
      }
    }
  }
  const centres = ALIGNED[version];
  for (const row of centres) {
    for (const column of centres) {
      if (grid[row][column] !== null) continue;
      for (let y = -2; y <= 2; y += 1) {
        for (let x = -2; x <= 2; x += 1) put(row + y, column + x, Math.max(Math.abs(x), Math.abs(y)) !== 1);
      }
    }
  }
  for (let at = 8; at < size - 8; at += 1) {
    if (grid[6][at] === null) grid[6][at] = at % 2 === 0;
    if (grid[at][6] === null) grid[at][6] = at % 2 === 0;
  }
  format(grid, 0);
  if (version >= 7) {
    const bits = protectedBits(version, 6, 0x1f25, 12);
    for (let bit = 0; bit < 18; bit += 1) {
      const dark = Boolean((bits >> bit) & 1);
      const [a, b] = [Math.floor(bit / 3), size - 11 + (bit % 3)];
      grid[a][b] = dark;
      grid[b][a] = dark;
    }
  }
  return grid;
}

/** The level and the mask, twice. */
function format(grid, mask) {
  const size = grid.length;
  const bits = protectedBits((LEVEL_M << 3) | mask, 5, 0x537, 10) ^ 0x5412;
  const dark = (bit) => Boolean((bits >> bit) & 1);
  for (let bit = 0; bit < 15; bit += 1) {
    const row = bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit;
    const column = bit < 8 ? size - 1 - bit : bit < 9 ? 7 : 14 - bit;
    grid[row][8] = dark(bit);
    grid[8][column] = dark(bit);
  }
  grid[size - 8][8] = true;
}

/** Lays the bits in the zigzag of two columns, from the right below, changed by the mask. */
function fill(free, words, mask) {
  const size = free.length;
  const grid = free.map((row) => [...row]);
  let bit = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    const isUp = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step += 1) {
      const row = isUp ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (free[row][column] !== null) continue;
        const dark = Boolean((words[bit >> 3] >> (7 - (bit & 7))) & 1);
        grid[row][column] = dark !== MASKS[mask](row, column);
        bit += 1;
      }
    }
  }
  format(grid, mask);
  return grid;
}

/** How hard a grid is to read: long runs, blocks, false finders, too much of one colour. */
function penalty(grid) {
  const size = grid.length;
  const lines = [...grid, ...grid.map((_, column) => grid.map((row) => row[column]))];
  let sum = 0;
  for (const line of lines) {
    const text = line.map(Number).join('');
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2;
    for (const finder of ['10111010000', '00001011101']) {
      for (let at = text.indexOf(finder); at >= 0; at = text.indexOf(finder, at + 1)) sum += 40;
    }
  }
  for (let row = 1; row < size; row += 1) {
    for (let column = 1; column < size; column += 1) {
      const here = grid[row][column];
      if (grid[row - 1][column] === here && grid[row][column - 1] === here && grid[row - 1][column - 1] === here) sum += 3;
    }
  }
  const dark = grid.flat().filter(Boolean).length / size / size;
  return sum + 10 * Math.floor(Math.abs(dark * 20 - 10));
}

export function matrix(text) {
  const bytes = new TextEncoder().encode(text);
  const version = VERSIONS.findIndex((one, number) => one && bytes.length + (number < 10 ? 2 : 3) <= one[0]);
  if (version < 0) return null;
  const [free, words] = [patterns(version), codewords(bytes, version)];
  const all = MASKS.map((_, mask) => fill(free, words, mask));
  return all.reduce((best, grid) => (penalty(grid) < penalty(best) ? grid : best));
}

const QUIET = 3;

/** The code as a picture with its quiet zone; null for a text that is too long. */
export function code(text, label) {
  const grid = matrix(text);
  if (!grid) return null;
  const size = grid.length + 2 * QUIET;
  const path = grid.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])));
  return element('svg', { class: 'qr', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label }, [
    element('rect', { width: size, height: size, class: 'qr-ground' }),
    element('path', { d: path.join(''), class: 'qr-modules' }),
  ]);
}
