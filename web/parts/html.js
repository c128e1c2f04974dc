// HTML elements from plain data, so that pages need neither templates nor inline anything.
//
//   make('button', { class: 'button', onclick: go, 'aria-label': 'Go' }, icon('next'), 'Go')
//
// Attributes that are functions become event handlers, `true` becomes an empty attribute, `false`, `null` and
// `undefined` leave it out. Children may be elements, texts, lists of both, or nothing.

const SPACE = 'http://www.w3.org/2000/svg';

/** An element with attributes, handlers and children. */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) put(made, key, value);
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

function put(element, key, value) {
  if (typeof value === 'function') element[key] = value;
  else if (value !== false && value !== null && value !== undefined)
    element.setAttribute(key, value === true ? '' : value);
}

/** One of the pictures in the page's head of symbols: `#icon-NAME`. Says nothing to screen readers. */
export function icon(name) {
  const svg = document.createElementNS(SPACE, 'svg');
  const use = document.createElementNS(SPACE, 'use');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  use.setAttribute('href', `#icon-${name}`);
  svg.append(use);
  return svg;
}

/** A button with a picture and a word; with `bare` the word is only its name and its tip. */
export function button({ id, picture, word, tip, bare = false, kind = '', press, ...more }) {
  return make(
    'button',
    {
      id,
      type: 'button',
      class: `button ${bare ? 'bare' : ''} ${kind}`.trim(),
      onclick: press,
      'aria-label': bare ? word : null,
      title: tip ?? (bare ? word : null),
      ...more,
    },
    picture ? icon(picture) : null,
    bare || !word ? null : make('span', {}, word),
  );
}

/** A labelled field: its name above, the control below, a remark after it if there is one. */
export const field = (name, control, remark) =>
  make(
    'label',
    { class: 'field' },
    make('span', { class: 'field-name' }, name),
    control,
    remark ? make('span', { class: 'remark' }, remark) : null,
  );

/** A list to choose one from; `options` are [value, words] pairs. */
export function select(options, value, change, more = {}) {
  const list = make(
    'select',
    { onchange: () => change?.(list.value), ...more },
    options.map(([key, words]) => new Option(words, key, key === value, key === value)),
  );
  return list;
}

/** A row of choices of which one is taken, as radio buttons; `options` are [value, content] pairs. */
export function segments(name, options, value, change, label) {
  return make(
    'div',
    { class: 'segments', role: 'radiogroup', 'aria-label': label },
    options.map(([key, content]) =>
      make(
        'label',
        { class: 'segment' },
        make('input', { type: 'radio', name, value: key, checked: key === value, onchange: () => change(key) }),
        make('span', {}, content),
      ),
    ),
  );
}

/** Scrolls a row of links sideways until the current one is seen; the page itself stays. */
export function reveal(row) {
  const current = row.querySelector('[aria-current]');
  if (current) row.scrollLeft = current.offsetLeft - row.offsetLeft - (row.clientWidth - current.offsetWidth) / 2;
}
