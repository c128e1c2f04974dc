// What this browser remembers: the seats it holds, the account, and what a person likes.
//
// Seats and account are bearer tokens; they never leave local storage but in a request's `authorization`.

const read = (key, otherwise) => {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
};
const write = (key, value) => localStorage.setItem(key, JSON.stringify(value));

const MOST_TABLES = 500;
const MOST_VISITED = 500;

/** The tokens held at a table, by side: `{ black?, white? }`, and `owner` of who has opened it. */
export const seats = (id) => read('seats', {})[id] ?? {};

/** Remembers tokens for a table; the oldest tables are forgotten when there are too many. */
export function takeSeats(id, tokens) {
  const all = read('seats', {});
  const mine = { ...all[id], ...Object.fromEntries(Object.entries(tokens).filter(([, token]) => token)) };
  delete all[id];
  const kept = Object.entries(all).slice(1 - MOST_TABLES);
  write('seats', Object.fromEntries([...kept, [id, mine]]));
}

/** Remembers what opening a table gave: `{ id, token, tokens }`. */
export const own = ({ id, token, tokens }) => takeSeats(id, { ...tokens, owner: token });

/** Tables this browser has sat at, the latest first: `{ id, game, moves, ended, result, players, mine, turn, at }`. */
export const visited = () => read('visited', []);

export function visit(entry) {
  write('visited', [entry, ...visited().filter(({ id }) => id !== entry.id)].slice(0, MOST_VISITED));
}

export const forget = (id) =>
  write(
    'visited',
    visited().filter((entry) => entry.id !== id),
  );

/** `{ name, token }` of the account in the arena, or null. */
export const account = () => read('account', null);
export const setAccount = (value) => write('account', value);

/** The token with which a table is asked for: that of a seat there, or of the account. */
export const tokenFor = (id) => Object.values(seats(id))[0] ?? account()?.token;

/** A setting by name, such as `thinking` or the last form; `otherwise` until it is set. */
export const setting = (name, otherwise) => read(`set-${name}`, otherwise);
export const set = (name, value) => write(`set-${name}`, value);
