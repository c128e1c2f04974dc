// The buttons of a table: what one does in a game in front, everything else in a menu; and the steps of the replay.

import { dictionary, text as shared } from '../i18n.js';
import { textFile } from '../parts/file.js';
import { button, icon, make } from '../parts/html.js';
import certainWords from '../words/certain.js';
import words from '../words/play.js';

const text = dictionary(words);
const certain = dictionary(certainWords);

export class Toolbar {
  constructor(acts, id, talk) {
    const entry = (name, picture, press) => [
      name,
      button({ id: name, picture, word: text(name), tip: text(`${name}Tip`), press }),
    ];
    this.buttons = Object.fromEntries([
      entry('undo', 'undo', acts.undo),
      entry('redo', 'redo', acts.redo),
      entry('hint', 'hint', acts.hint),
      entry('offerDraw', 'draw', acts.draw),
      entry('resign', 'flag', acts.resign),
      entry('flip', 'flip', acts.flip),
    ]);
    this.pause = button({ id: 'pause', picture: 'pause', word: text('pause'), press: acts.pause });
    this.analyse = button({ id: 'analyse', picture: 'analyse', word: text('review'), press: acts.analyse });
    this.menu = menu(acts, id, this.pause, this.analyse);
    this.element = make(
      'div',
      { class: 'buttons', role: 'toolbar', 'aria-label': text('actions') },
      Object.values(this.buttons),
      button({ id: 'new', picture: 'new', word: text('newShort'), tip: text('newGame'), press: acts.fresh }),
      button({ id: 'share', picture: 'share', word: text('share'), press: acts.share }),
      talk,
      button({ id: 'menu-button', picture: 'more', word: text('menu'), popovertarget: 'menu' }),
      this.menu,
    );
  }

  /** Only what can be done is enabled. */
  show({ table, mine, enabled, at, isOwner, canAbort, hasOther }) {
    const over = Boolean(table.result);
    const playing = mine.length > 0 && !over && at === null;
    const remote = ['black', 'white'].some((side) => table.players[side].kind === 'human' && !mine.includes(side));
    const takesBack = mine.length > 0 && !table.rated && !remote && (!over || Boolean(table.view.end));
    const mayAsk = hasOther && playing && !table.rated && !table.takeback;
    this.buttons.undo.disabled = !(takesBack || mayAsk) || table.view.moves.length === 0;
    this.buttons.undo.title = text(hasOther ? 'takebackTip' : 'undoTip');
    relabel(this.buttons.resign, text(canAbort ? 'abort' : 'resign'), text(canAbort ? 'abortTip' : 'resignTip'));
    this.buttons.redo.disabled = !takesBack || table.view.undone === 0;
    this.buttons.hint.disabled = !enabled || table.rated || remote;
    this.analyse.disabled = table.rated && mine.length > 0 && !over;
    this.buttons.offerDraw.disabled = !playing || table.view.moves.length === 0;
    this.buttons.resign.disabled = !playing;
    this.pause.hidden = over || remote || table.rated || !(isOwner || mine.length > 0);
    this.pause.lastChild.textContent = text(table.paused ? 'goOnPlaying' : 'pause');
  }
}

function relabel(made, word, tip) {
  made.lastChild.textContent = word;
  made.title = tip;
}

function menu(acts, id, pause, analyse) {
  const file = textFile({ id: 'file', take: acts.load });
  const at = `/api/tables/${encodeURIComponent(id)}`;
  const link = (name, picture, href) =>
    make('a', { id: name, class: 'button', href, download: '' }, icon(picture), make('span', {}, text(name)));
  // Whatever is chosen, the menu has done its work.
  const sheet = make(
    'div',
    { id: 'menu', class: 'menu', popover: 'auto', onclick: (event) => event.target.closest('.button') && sheet.hidePopover() },
    pause,
    analyse,
    button({ id: 'show-certain', picture: 'hint', word: certain('showCertain'), tip: certain('showCertainTip'), press: acts.certain }),
    link('save', 'save', `${at}/game.txt`),
    button({ id: 'load', picture: 'load', word: text('load'), press: () => file.click() }),
    file,
    link('picture', 'save', `${at}/board.svg`),
    button({ id: 'print', picture: 'print', word: text('print'), press: acts.print }),
    button({ id: 'keys', picture: 'keys', word: text('keys'), press: acts.keys }),
  );
  return sheet;
}

/** First, previous, next, last. */
export const steps = (step) =>
  make(
    'div',
    { class: 'steps', role: 'group', 'aria-label': text('replay') },
    [
      ['first', 'first'],
      ['previous', -1],
      ['next', 1],
      ['last', 'last'],
    ].map(([name, by]) => button({ id: name, picture: name, bare: true, word: shared(name), press: () => step(by) })),
  );
