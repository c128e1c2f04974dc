// Pictures of a position or a game to keep: PNG, SVG, and an SVG that plays the game by itself. Made in the browser from
// the board as it looks here; nothing in them refers to this page.

import { Picture } from '../board/playing.js';
import { element } from '../board/svg.js';

const KEPT = [
  'fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-linecap', 'stroke-linejoin', 'stroke-dasharray', 'opacity',
  'transform', 'font-size', 'font-weight', 'text-anchor', 'display', 'paint-order',
];
const SPACE = 'http://www.w3.org/2000/svg';
const SECONDS = 1;
const WIDTH = 900;

/** A picture of a scene in the page, unseen, while `work(svg)` lasts. */
function staged(scene, work) {
  const picture = new Picture('board staged');
  document.body.append(picture.svg);
  picture.show(scene);
  const done = work(picture.svg);
  picture.svg.remove();
  return done;
}

/** A copy with every style written into it. */
function inlined(from) {
  const copy = from.cloneNode(true);
  const [all, copies] = [from.querySelectorAll('*'), copy.querySelectorAll('*')];
  all.forEach((one, number) => {
    const style = getComputedStyle(one);
    for (const name of KEPT) {
      const value = style.getPropertyValue(name);
      if (value && value !== 'none' && value !== 'normal' && value !== 'auto') copies[number].setAttribute(name, svgValue(name, value));
    }
    for (const name of ['class', 'style', 'tabindex', 'role', 'aria-label', 'aria-pressed', 'aria-hidden']) copies[number].removeAttribute(name);
    if (style.display === 'none') copies[number].setAttribute('display', 'none');
  });
  for (const gone of copy.querySelectorAll('[data-cell]')) gone.remove();
  return copy;
}

/** Computed transforms are matrices in pixels, which attributes write without a unit; addresses lose their page. */
const svgValue = (name, value) =>
  value.replace(/url\("?[^#"]*#([^")]+)"?\)/g, 'url(#$1)').replace(/px/g, '').replace(/^matrix\((.*)\)$/, 'matrix($1)');

const paints = () => {
  const copy = document.getElementById('paints').cloneNode(true);
  const stops = document.getElementById('paints').querySelectorAll('stop');
  copy.querySelectorAll('stop').forEach((stop, number) => {
    stop.setAttribute('stop-color', getComputedStyle(stops[number]).stopColor);
    stop.removeAttribute('class');
  });
  return copy;
};

function sheet(viewBox, children) {
  const [, , width, height] = viewBox.split(' ').map(Number);
  const svg = element('svg', { viewBox, width: WIDTH, height: Math.round((WIDTH * height) / width), 'font-family': 'system-ui, sans-serif' }, children);
  svg.setAttribute('xmlns', SPACE);
  return svg;
}

const text = (svg) => new XMLSerializer().serializeToString(svg);

/** A position as an SVG text. */
export const still = (scene) =>
  staged(scene, (svg) => text(sheet(svg.getAttribute('viewBox'), [paints(), ...inlined(svg).childNodes])));

/** A game as an SVG that plays: `scenes` from the start on, one a second, the last one longer, for ever. */
export function playing(scenes) {
  const total = (scenes.length + 2) * SECONDS;
  const frames = scenes.map((scene) => staged(scene, (svg) => ({ copy: inlined(svg), viewBox: svg.getAttribute('viewBox') })));
  const [first] = frames;
  const ground = first.copy.childNodes[0].cloneNode(true);
  const shown = frames.map(({ copy }, number) => {
    copy.childNodes[0].remove();
    const until = number === frames.length - 1 ? total : (number + 1) * SECONDS;
    const times = [0, (number * SECONDS) / total, until / total];
    const values = number === 0 ? ['inline', 'inline', 'none'] : ['none', 'inline', 'none'];
    const turn = element('animate', {
      attributeName: 'display',
      values: values.join(';'),
      keyTimes: times.map((time) => time.toFixed(5)).join(';'),
      dur: `${total}s`,
      calcMode: 'discrete',
      repeatCount: 'indefinite',
    });
    return element('g', { display: number === 0 ? 'inline' : 'none' }, [turn, ...copy.childNodes]);
  });
  return text(sheet(first.viewBox, [paints(), ground, ...shown]));
}

/** An SVG text as a PNG. */
export async function png(svg) {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  image.src = url;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext('2d').drawImage(image, 0, 0);
  URL.revokeObjectURL(url);
  return new Promise((done) => canvas.toBlob(done, 'image/png'));
}

/** Hands a file to whoever looks at the page. */
export function hand(content, name, type) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
