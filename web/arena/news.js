// News of the arena on every other page: a game that has begun, a challenge for oneself.

import * as api from '../api.js';
import { dictionary, text as shared } from '../i18n.js';
import * as keep from '../keep.js';
import { toast } from '../parts/toast.js';
import { listen } from '../presence.js';
import { said } from '../said.js';
import words from '../words/arena.js';
import { clockName } from './terms.js';

const text = dictionary(words);
const told = new Set();

/** In the lobby all this is in sight anyway. */
const isInLobby = () => location.hash === '#arena';

function hear(message) {
  if (isInLobby() && message.event !== 'turn') return;
  if (message.event === 'start' && message.token && location.hash !== `#play/${message.table}`) {
    toast({ words: text('begun'), answers: [[text('toGame'), () => go(message.table)]] });
  } else if (message.event === 'challenge' && !told.has(message.challenge.id)) {
    told.add(message.challenge.id);
    challenged(message.challenge);
  } else if (message.event === 'turn' && location.hash !== `#play/${message.table}`) {
    toast({ words: text('yourTurnIn', shared(message.game)), answers: [[text('toGame'), () => go(message.table)]] });
  } else if (message.event === 'declined') toast({ words: text('declined') });
}

const go = (id) => {
  location.hash = `#play/${id}`;
};

function challenged({ id, from, game, clock, rated }) {
  const terms = [shared(game), clockName(clock), text(rated ? 'rated' : 'casual')].join(' · ');
  toast({
    words: `${text('challengesYou', from)} ${terms}`,
    answers: [
      [text('accept'), () => answer(id, 'accept')],
      [text('decline'), () => answer(id, 'decline')],
    ],
  });
}

/** Accepts, declines or withdraws a challenge; a game that begins is gone to. Throws what is wrong. */
export async function settle(id, verb) {
  const path = `/api/challenges/${encodeURIComponent(id)}`;
  const token = keep.account()?.token;
  if (verb === 'withdraw') return api.remove(path, token);
  if (verb === 'decline') return api.post(`${path}/decline`, {}, token);
  const table = await api.post(`${path}/accept`, {}, token);
  keep.takeSeats(table.id, { [table.seat]: table.token });
  return go(table.id);
}

async function answer(id, verb) {
  try {
    await settle(id, verb);
  } catch (fault) {
    if (!(fault instanceof api.Fault)) throw fault;
    toast({ words: fault.status === 0 ? shared('offline') : said(fault.message) });
  }
}

/** Tells news from now on. */
export const begin = () => listen(hear);
