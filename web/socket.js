// A WebSocket that comes back: JSON both ways, connected again with growing pauses until it is closed on purpose.
//
//   const socket = connect('/api/lobby/live', {
//     hello: () => [{ token }],            // sent first on every connection
//     event: (message) => ...,             // each message
//     state: (isLive) => ...,              // whenever the connection comes or goes
//   });
//   socket.send({ do: 'ping' });           // dropped, answering false, while there is no connection
//   socket.close();
//
// Nothing is queued: every message of the server is a full snapshot, so after a break the first one tells all.

const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 8000;
const PING = 20000;

export function connect(path, { hello = () => [], event, state = () => {} }) {
  let socket = null;
  let pause = FIRST_PAUSE;
  let timer = null;
  let closed = false;
  const address = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${path}`;

  const send = (message) => {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  };

  const open = () => {
    clearTimeout(timer);
    timer = null;
    const mine = new WebSocket(address);
    socket = mine;
    mine.onopen = () => {
      pause = FIRST_PAUSE;
      for (const message of hello()) send(message);
      state(true);
    };
    mine.onmessage = ({ data }) => {
      if (!closed) event(JSON.parse(data));
    };
    mine.onclose = () => {
      if (socket !== mine || closed) return;
      socket = null;
      state(false);
      timer = setTimeout(open, pause * (0.75 + Math.random() / 2));
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    };
  };

  /** The network is back, or the page is looked at again: no reason to wait any longer. */
  const hurry = () => {
    if (timer !== null && document.visibilityState === 'visible') open();
  };
  addEventListener('online', hurry);
  document.addEventListener('visibilitychange', hurry);
  const beat = setInterval(() => send({ do: 'ping' }), PING);
  open();

  return {
    send,
    close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(beat);
      removeEventListener('online', hurry);
      document.removeEventListener('visibilitychange', hurry);
      end(socket);
    },
  };
}

/** Closes a socket, one that is still connecting as soon as it is open: browsers complain otherwise. */
function end(socket) {
  if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
  else socket?.close();
}
