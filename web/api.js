// Talks to the server. Every call gives what the server sent or throws a Fault.

/** What the server says is wrong; `status` is 0 if it cannot be reached. */
export class Fault extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function request(path, body) {
  const options = body === undefined ? {} : {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Fault(0, 'offline');
  }
  const answer = await response.json().catch(() => ({ error: response.statusText }));
  if (!response.ok) throw new Fault(response.status, answer.error);
  return answer;
}

const at = (id) => `/api/tables/${encodeURIComponent(id)}`;

export const games = () => request('/api/games');
export const open = (game, rules) => request('/api/tables', { game, rules });
export const load = (text) => request('/api/tables', { text });
export const look = (id) => request(at(id));
export const play = (id, move, ply) => request(`${at(id)}/moves`, { move, ply });
export const undo = (id, ply) => request(`${at(id)}/undo`, { ply });
export const redo = (id, ply) => request(`${at(id)}/redo`, { ply });
export const textAddress = (id) => `${at(id)}/game.txt`;
