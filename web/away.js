// Says when the server is away, what is safe meanwhile, and when it is back. Asks for it again with growing pauses.

import { text } from './i18n.js';
import { make } from './parts/html.js';

const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 15000;
const TOLD = 3000;

let banner = null;
let timer = null;
let pause = FIRST_PAUSE;

async function look() {
  const answer = await fetch('/health', { cache: 'no-store' }).catch(() => null);
  if (answer?.ok) return back();
  timer = setTimeout(look, pause);
  pause = Math.min(2 * pause, LONGEST_PAUSE);
  return undefined;
}

function back() {
  timer = null;
  if (!banner) return;
  const gone = banner;
  banner = null;
  gone.classList.add('back');
  gone.textContent = text('serverBack');
  setTimeout(() => gone.remove(), TOLD);
  dispatchEvent(new Event('online'));
}

/** A request found nobody: tells it, once, until somebody answers. */
export function away() {
  if (timer !== null) return;
  banner ??= make('p', { class: 'away', id: 'away', role: 'status' }, text('serverAway'));
  document.body.append(banner);
  pause = FIRST_PAUSE;
  timer = setTimeout(look, pause);
}

/** A page that came without its server says so, before anything is asked of it. */
export async function lookOnce() {
  const answer = await fetch('/health', { cache: 'no-store' }).catch(() => null);
  if (!answer) away();
}

/** Keeps the page readable without a server from the next visit on. */
export function keepShell() {
  if ('serviceWorker' in navigator && isSecureContext) navigator.serviceWorker.register('/sw.js').catch(() => {});
}
