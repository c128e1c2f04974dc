// Tabs below the moves: one panel at a time, remembered.

import * as keep from '../keep.js';
import { make } from '../parts/html.js';

export class Tabs {
  /** `panels` are `{ key, title, element }`; `changed(key)` is called when another one is shown. */
  constructor(panels, label, changed) {
    Object.assign(this, { panels, changed });
    this.tabs = panels.map(({ key, title }) =>
      make('button', { type: 'button', class: 'tab', role: 'tab', id: `tab-${key}`, 'aria-controls': key, onclick: () => this.open(key), onkeydown: (event) => this.walk(event) }, title),
    );
    for (const { key, element } of panels) {
      element.setAttribute('role', 'tabpanel');
      element.setAttribute('aria-labelledby', `tab-${key}`);
    }
    const list = make('div', { class: 'tabs', role: 'tablist', 'aria-label': label }, this.tabs);
    this.element = make('section', { class: 'card tab-card' }, list, panels.map(({ element }) => element));
    const last = keep.setting('analyse-tab', panels[0].key);
    this.show(panels.some(({ key }) => key === last) ? last : panels[0].key);
  }

  show(key) {
    this.key = key;
    this.panels.forEach((panel, number) => {
      const isOpen = panel.key === key;
      panel.element.hidden = !isOpen;
      this.tabs[number].setAttribute('aria-selected', String(isOpen));
      this.tabs[number].setAttribute('tabindex', isOpen ? 0 : -1);
    });
  }

  open(key) {
    keep.set('analyse-tab', key);
    this.show(key);
    this.changed(key);
  }

  walk(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const now = this.panels.findIndex(({ key }) => key === this.key);
    const next = (now + by + this.panels.length) % this.panels.length;
    this.open(this.panels[next].key);
    this.tabs[next].focus();
  }
}
