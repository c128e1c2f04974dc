// Keys of a table, as on other play sites; letters only, so that the board keeps arrows when it is walked by keyboard.

const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: 'first', ArrowDown: 'last', Home: 'first', End: 'last' };
const BUTTONS = { f: 'flip', h: 'hint', k: 'show-certain', u: 'undo', r: 'redo', n: 'new', '?': 'keys' };

/** Presses buttons, steps and folds `thinking` by key until the function it gives is called. */
export function listen({ step, thinking }) {
  const react = (event) => {
    if (
      event.defaultPrevented ||
      document.querySelector('dialog[open]') ||
      event.target.closest('input, select, textarea, [role=toolbar] .menu')
    )
      return;
    const action = actionOf(event, step, thinking);
    if (!action) return;
    event.preventDefault();
    action();
  };
  document.addEventListener('keydown', react);
  return () => document.removeEventListener('keydown', react);
}

/** A button that cannot be pressed now does nothing by key either. */
const press = (id) => () => document.getElementById(id)?.click();

function actionOf(event, step, thinking) {
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (key === 'y' || (key === 'z' && event.shiftKey)) return press('redo');
    return key === 'z' ? press('undo') : null;
  }
  if (event.altKey) return null;
  if (event.key in STEPS) return () => step(STEPS[event.key]);
  if (key === 't') return thinking;
  return key in BUTTONS ? press(BUTTONS[key]) : null;
}
