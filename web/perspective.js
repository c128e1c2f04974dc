// From whose side values are told, everywhere: one colour, chosen in the settings, whoever is to move.

import { text } from './i18n.js';
import * as keep from './keep.js';

/** The side that plus is good for. */
export const side = () => (keep.setting('value-side', 'black') === 'white' ? 'white' : 'black');

export const setSide = (chosen) => keep.set('value-side', chosen);

/** A value for `of`, as it is told. */
export const told = (value, of = 'black') => (of === side() ? value : -value || 0);

/** Words for the scale: `+ is good for Black`. */
export const scale = () => text('plusIsGoodFor', text(side()));
