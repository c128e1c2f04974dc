// Being in the arena: one connection to the lobby for the whole page, wherever in the app one is.
//
//   const stop = listen((message) => ...);   // 'lobby', 'start', 'challenge', 'declined' events, and { event: 'live', live }
//   const leave = visit();                   // keeps the connection for somebody without an account too
//   renew();                                 // after signing in or out
//
// With an account the connection is there from the start, so that a game that begins or a challenge is heard of on
// every page; without one only as long as somebody visits the lobby.

import * as keep from './keep.js';
import { connect } from './socket.js';

const listeners = new Set();
let visitors = 0;
let socket = null;
let lobby = null;

const tell = (message) => listeners.forEach((listener) => listener(message));

function hear(message) {
  // Only what has changed comes: the rest is as before.
  if (message.event === 'lobby') message = lobby = { ...lobby, ...message };
  if (message.event === 'start' && message.token) keep.takeSeats(message.table, { [message.seat]: message.token });
  tell(message);
}

/** Connects or lets go, as needed. */
function update() {
  const isNeeded = keep.account() !== null || visitors > 0;
  if (isNeeded && !socket) {
    const token = keep.account()?.token;
    socket = connect('/api/lobby/live', {
      hello: () => (token ? [{ token }] : []),
      event: hear,
      state: (live) => tell({ event: 'live', live }),
    });
  } else if (!isNeeded && socket) {
    socket.close();
    socket = null;
  }
}

/** Calls `listener` with every message until the function it gives is called; the lobby as last seen comes at once. */
export function listen(listener) {
  listeners.add(listener);
  if (lobby) listener(lobby);
  return () => listeners.delete(listener);
}

export function visit() {
  visitors += 1;
  update();
  return () => {
    visitors -= 1;
    update();
  };
}

export function renew() {
  socket?.close();
  socket = null;
  update();
}

update();
