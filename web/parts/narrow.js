// Where something stands depends on the screen: on narrow ones in one place, on others in another.

const narrow = matchMedia('screen and (width < 54rem) and (orientation: portrait), screen and (width < 34rem)');

/** Puts `element` into `small` on narrow screens and first into `large` on others, now and whenever the screen changes. */
export function settle(element, small, large) {
  const place = () => (narrow.matches ? small.append(element) : large.prepend(element));
  narrow.addEventListener('change', place);
  place();
  return () => narrow.removeEventListener('change', place);
}
