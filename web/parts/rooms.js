// A page of rooms: tabs for those that are listed, and the one entered below them.
//
// A room is a module with `enter(root, args)` and, if it holds something open, `leave()`.

import { Fault } from '../api.js';
import { text as shared } from '../i18n.js';
import { make, reveal } from './html.js';

/** What `page` exports. `#PAGE` is its first listed room, `#PAGE/KEY` any other; `inner` ones have no tab. */
export function rooms(page, text, listed, inner) {
  const [first] = Object.keys(listed);
  let room = null;
  const link = (key) =>
    make(
      'a',
      {
        class: 'tab',
        href: key === first ? `#${page}` : `#${page}/${key}`,
        'aria-current': listed[key] === room ? 'page' : null,
      },
      text(`${key}Tab`) === `${key}Tab` ? text(key) : text(`${key}Tab`),
    );
  return {
    async enter(root, [name = first, ...args]) {
      room = listed[name] ?? inner[name];
      if (!room) throw new Fault(404, shared('notFound'));
      const body = make('div', { class: 'room' });
      const tabs = make('nav', { class: 'tabs', 'aria-label': text('sections') }, Object.keys(listed).map(link));
      root.append(tabs, body);
      reveal(tabs);
      await room.enter(body, args);
    },
    leave() {
      room?.leave?.();
      room = null;
    },
  };
}
