// Light or dark: the system's wish until a person chooses. Runs before the first paint.

const system = matchMedia('(prefers-color-scheme: dark)');

function apply() {
  const chosen = localStorage.getItem('theme');
  document.documentElement.dataset.theme = chosen ?? (system.matches ? 'dark' : 'light');
}

/** The other one from now on. */
export function toggleTheme() {
  localStorage.setItem('theme', document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  apply();
}

system.addEventListener('change', apply);
apply();
