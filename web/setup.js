// The dialog for a new game: one list a group of choices, as the server offers them.

import { choiceName, groupName, text } from './i18n.js';

const find = (id) => document.getElementById(id);

/** Asks for the rules of a new game; `start(rules)` opens it or throws what is wrong. */
export function ask(game, start) {
  find('setup-title').textContent = text('newOf', text(game.name));
  find('setup-fault').textContent = '';
  const lists = game.choices.map(list);
  find('choices').replaceChildren(...lists.map(({ label }) => label));
  const dialog = find('setup');
  find('setup-cancel').onclick = () => dialog.close();
  find('setup-start').onclick = async () => {
    try {
      await start(lists.map(({ select }) => select.value).join(','));
      dialog.close();
    } catch (fault) {
      find('setup-fault').textContent = fault.message;
    }
  };
  dialog.showModal();
}

function list(words) {
  const select = document.createElement('select');
  select.dataset.choice = words[0];
  select.append(...words.map((word) => new Option(choiceName(word), word)));
  const label = document.createElement('label');
  label.append(groupName(words), select);
  return { label, select };
}
