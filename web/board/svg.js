// SVG elements from plain data.

const SPACE = 'http://www.w3.org/2000/svg';

/** An element with attributes and children. */
export function element(name, attributes = {}, children = []) {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export const circle = (x, y, r, kind, more = {}) => element('circle', { cx: x, cy: y, r, class: kind, ...more });

export const rectangle = ({ left, top, right, bottom }, rim, round, kind) => element('rect', {
  x: left - rim, y: top - rim, width: right - left + 2 * rim, height: bottom - top + 2 * rim, rx: round, class: kind,
});

export const line = (a, b, kind) => element('line', { x1: a.x, y1: a.y, x2: b.x, y2: b.y, class: kind });

/** A gradient of [offset, colour] stops, named so that the style sheet can use it. */
export function gradient(id, kind, attributes, stops) {
  const children = stops.map(([offset, colour], number) =>
    element('stop', { offset, 'stop-color': colour, class: `${id}-${number}` }),
  );
  return element(`${kind}Gradient`, { id, ...attributes }, children);
}
