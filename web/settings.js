// What a person likes, in one dialog: looks, sounds, values, notifications. Everything is kept in this browser.

import { text as shared, dictionary } from './i18n.js';
import * as keep from './keep.js';
import { open } from './parts/dialog.js';
import { field, make, segments } from './parts/html.js';
import * as perspective from './perspective.js';
import { mayNotify, wishNotifications } from './play/attention.js';
import * as sound from './sound.js';
import { LOOKS, look, moves, setLook, toggleMotion } from './theme.js';
import words from './words/settings.js';

const text = dictionary(words);

/** A line with a switch; `change(on)` may answer with what it really became. */
function toggle(id, word, on, change, about) {
  const input = make('input', {
    type: 'checkbox',
    id,
    role: 'switch',
    checked: on,
    onchange: async () => {
      const became = await change(input.checked);
      if (typeof became === 'boolean') input.checked = became;
    },
  });
  return make(
    'label',
    { class: 'switch-line' },
    make('span', {}, word, about ? make('small', {}, about) : null),
    make('span', { class: 'switch' }, input),
  );
}

/** Opens the dialog; `changed()` is called when what is shown must be drawn anew. */
export function openSettings(changed) {
  const pick = (what) =>
    field(
      text(what),
      segments(
        `look-${what}`,
        LOOKS[what].map((name) => [
          name,
          [make('span', { class: `swatch ${what}-${name}`, 'aria-hidden': 'true' }), text(`${what}-${name}`)],
        ]),
        look(what),
        (name) => setLook(what, name),
        text(what),
      ),
    );
  const side = field(
    text('valuesFor'),
    segments(
      'value-side',
      ['black', 'white'].map((one) => [one, shared(one)]),
      perspective.side(),
      (one) => {
        perspective.setSide(one);
        changed();
      },
      text('valuesFor'),
    ),
    text('valuesAbout'),
  );
  const name = make('input', {
    type: 'text',
    id: 'set-name',
    maxlength: 20,
    autocomplete: 'nickname',
    value: keep.setting('name', ''),
    onchange: () => keep.set('name', name.value.trim()),
  });
  open({
    title: text('settings'),
    kind: 'settings',
    body: [
      pick('board'),
      pick('stones'),
      toggle('set-coordinates', text('coordinates'), look('coordinates') === 'on', (on) => {
        setLook('coordinates', on ? 'on' : 'off');
        changed();
      }),
      toggle('set-sound', text('sound'), sound.isOn(), (on) => {
        sound.setOn(on);
        if (on) sound.play('move');
      }),
      toggle('set-motion', shared('motion'), moves(), (on) => {
        if (on !== moves()) toggleMotion();
        changed();
      }),
      toggle('set-premoves', text('premoves'), keep.setting('premoves', true), (on) => keep.set('premoves', on), text('premovesAbout')),
      'Notification' in window
        ? toggle('set-notify', text('notifications'), mayNotify(), wishNotifications, text('notificationsAbout'))
        : null,
      side,
      field(text('myName'), name, text('myNameAbout')),
    ].filter(Boolean),
    close: shared('close'),
  });
}
