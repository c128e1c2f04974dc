// Light or dark, moving or still, the looks of boards and stones: the system's wish or the usual until a person chooses.
// Runs before the first paint.

const dark = matchMedia('(prefers-color-scheme: dark)');
const still = matchMedia('(prefers-reduced-motion: reduce)');

/** What boards and stones can look like; the first is the usual. */
export const LOOKS = { board: ['classic', 'walnut', 'slate'], stones: ['classic', 'bright', 'flat'] };

const stored = (key, otherwise) => localStorage.getItem(key) ?? otherwise;

function apply() {
  const { dataset } = document.documentElement;
  dataset.theme = stored('theme', dark.matches ? 'dark' : 'light');
  dataset.motion = stored('motion', still.matches ? 'off' : 'on');
  for (const [what, [usual]] of Object.entries(LOOKS)) dataset[what] = stored(`look-${what}`, usual);
  dataset.coordinates = stored('coordinates', 'on');
}

/** The other one from now on. */
export function toggleTheme() {
  localStorage.setItem('theme', document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  apply();
}

export const moves = () => document.documentElement.dataset.motion === 'on';

export function toggleMotion() {
  localStorage.setItem('motion', moves() ? 'off' : 'on');
  apply();
}

/** The look of `board` or `stones`, and `coordinates` (`on` or `off`). */
export const look = (what) => document.documentElement.dataset[what];

export function setLook(what, value) {
  localStorage.setItem(what === 'coordinates' ? what : `look-${what}`, value);
  apply();
}

dark.addEventListener('change', apply);
still.addEventListener('change', apply);
apply();
