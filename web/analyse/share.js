// The dialog that gives an analysis away: its address, as text and as QR code, and pictures of position and game.

import * as api from '../api.js';
import { dictionary, text as shared } from '../i18n.js';
import { open } from '../parts/dialog.js';
import { button, make } from '../parts/html.js';
import { code } from '../parts/qr.js';
import words from '../words/analyse.js';
import { hand, playing, png, still } from './pictures.js';

const text = dictionary(words);

/** `link` may be null if the analysis is too long for an address; `scene` is what is shown, `question(ply)` asks for the game. */
export function share({ link, game, scene, question, plies, save }) {
  const input = make('input', {
    type: 'text',
    class: 'link mono',
    id: 'analysis-link',
    readonly: true,
    value: link ?? '',
    'aria-label': text('address'),
    onfocus: () => input.select(),
  });
  const copy = button({
    id: 'copy-analysis',
    word: shared('copy'),
    press: async () => {
      input.select();
      await navigator.clipboard?.writeText(input.value).catch(() => {});
      copy.firstChild.textContent = shared('copied');
    },
  });
  const said = make('p', { class: 'none', role: 'status' });
  const all = async () => {
    said.textContent = text('drawing');
    try {
      const scenes = [];
      for (let ply = 0; ply <= plies; ply += 1) {
        const { view } = await api.post('/api/look', question(ply));
        scenes.push({ ...scene, stones: view.stones, last: view.last });
      }
      hand(playing(scenes), `${game}.svg`, 'image/svg+xml');
      said.textContent = '';
    } catch (fault) {
      if (!(fault instanceof api.Fault)) throw fault;
      said.textContent = fault.status === 0 ? shared('offline') : fault.message;
    }
  };
  open({
    title: text('share'),
    body: [
      link ? make('p', {}, text('shareAbout')) : make('p', {}, text('tooLongToShare')),
      link ? make('div', { class: 'link-box' }, input, copy) : null,
      link ? code(link, text('qr')) : null,
      make(
        'div',
        { class: 'row pictures-row' },
        button({ id: 'png', picture: 'save', word: text('png'), press: async () => hand(await png(still(scene)), `${game}.png`) }),
        button({ id: 'svg', picture: 'save', word: text('svg'), press: () => hand(still(scene), `${game}.svg`, 'image/svg+xml') }),
        plies > 0 ? button({ id: 'film', picture: 'go', word: text('film'), press: all }) : null,
        button({ id: 'save', picture: 'save', word: text('save'), press: save }),
      ),
      said,
    ].filter(Boolean),
    close: shared('close'),
  });
}
