// Light or dark, moving or still: the system's wish until a person chooses. Runs before the first paint.

const dark = matchMedia('(prefers-color-scheme: dark)');
const still = matchMedia('(prefers-reduced-motion: reduce)');

function apply() {
  const { dataset } = document.documentElement;
  dataset.theme = localStorage.getItem('theme') ?? (dark.matches ? 'dark' : 'light');
  dataset.motion = localStorage.getItem('motion') ?? (still.matches ? 'off' : 'on');
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

dark.addEventListener('change', apply);
still.addEventListener('change', apply);
apply();
