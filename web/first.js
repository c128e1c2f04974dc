// Runs before the first paint: light or dark; and asks the server what the first page will ask, while its script is still
// on the way. api.js takes the answer.

import './theme.js';
import * as keep from './keep.js';

function ask(path, token) {
  const answer = fetch(path, token ? { headers: { authorization: `Bearer ${token}` } } : {});
  // Whoever takes it hears what is wrong with it.
  answer.catch(() => {});
  globalThis.firstQuestions.push({ path, token, answer });
}

globalThis.firstQuestions = [];

const [page = 'play', id] = location.hash.slice(1).split('/').filter(Boolean);
ask('/api/games');
if (page === 'play' && /^\w+$/.test(id ?? '')) ask(`/api/tables/${id}`, keep.tokenFor(id));
