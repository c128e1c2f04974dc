// Talks to the server over HTTP. Every call gives what the server sent or throws a Fault.
//
//   const games = await get('/api/games');
//   await post(`/api/tables/${id}/moves`, { move, ply }, token);     // token: whose seat or account it is for

import { away } from './away.js';
import { addWords } from './i18n.js';

/** What the server says is wrong; `status` is 0 if it cannot be reached. */
export class Fault extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** The answer to what was asked before this script was there (first.js), if that is asked now. */
function early(path, token) {
  const asked = globalThis.firstQuestions ?? [];
  const at = asked.findIndex((one) => one.path === path && one.token === token);
  return at < 0 ? null : asked.splice(at, 1)[0].answer;
}

async function request(path, { method = 'GET', body, token }) {
  const headers = {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (token) headers.authorization = `Bearer ${token}`;
  let response;
  try {
    const known = method === 'GET' ? early(path, token) : null;
    response = await (known ?? fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) }));
  } catch {
    away();
    throw new Fault(0, 'offline');
  }
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => ({ error: response.statusText }));
  if (!response.ok) throw new Fault(response.status, answer?.error ?? response.statusText);
  return answer;
}

export const get = (path, token) => request(path, { token });
export const post = (path, body, token) => request(path, { method: 'POST', body, token });
export const remove = (path, token) => request(path, { method: 'DELETE', token });

/** For what also goes without a name: `work(token)`, and without the token if nobody here knows it (any more). */
export async function lenient(work, token) {
  try {
    return await work(token);
  } catch (fault) {
    if (fault.status !== 401 || !token) throw fault;
    return work(undefined);
  }
}

let offered = null;

/** What can be played, asked for once: board, usual rules, choices, evaluations, levels of each game. */
export function games() {
  offered ??= get('/api/games').then(
    (all) => {
      all.forEach((game) => addWords(game.words));
      return all;
    },
    (fault) => {
      offered = null;
      throw fault;
    },
  );
  return offered;
}

/** Asks anew next time: something can be chosen that could not before. */
export function refreshGames() {
  offered = null;
}
