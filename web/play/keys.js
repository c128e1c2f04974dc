// Keys of a table, as on other play sites; letters only, so that the board keeps arrows when it is walked by keyboard.

const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: 'first', ArrowDown: 'last', Home: 'first', End: 'last' };
const LETTERS = { f: 'flip', h: 'hint', u: 'undo', r: 'redo', t: 'thinking', n: 'fresh', '?': 'keys' };

/** Calls `acts` by key until the function it gives is called. */
export function listen(acts) {
  const react = (event) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]') || event.target.closest('input, select, textarea, [role=toolbar] .menu')) return;
    const action = actionOf(event, acts);
    if (!action) return;
    event.preventDefault();
    action();
  };
  document.addEventListener('keydown', react);
  return () => document.removeEventListener('keydown', react);
}

function actionOf(event, acts) {
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (key === 'y' || (key === 'z' && event.shiftKey)) return acts.redo;
    return key === 'z' ? acts.undo : null;
  }
  if (event.altKey) return null;
  if (event.key in STEPS) return () => acts.step(STEPS[event.key]);
  return acts[LETTERS[key]] ?? null;
}
