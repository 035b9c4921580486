/** Links to a game: one for the person who shall play, one for those who only watch. */

import { button, h } from './dom.js';
import { t } from './words.js';

/** Copies what is in a field; without the right to do so it is at least selected. */
async function copy(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // Where a page is not served safely there is only the old way.
    return document.execCommand('copy');
  }
}

function link(id, name, address) {
  const status = h('span', { class: 'note', role: 'status' });
  const field = h('input', { id, type: 'text', class: 'text-field', readonly: true, value: address, onfocus: () => field.select() });
  const press = async () => { status.textContent = t((await copy(field)) ? 'game.copied' : 'game.copy-yourself'); };
  return h('div', { class: 'share' },
    h('label', { for: id }, name),
    h('div', { class: 'field-row' }, field, button(t('game.copy'), press, { 'aria-label': `${t('game.copy')}: ${name}` })),
    status);
}

/** The link for the other player while one waits, and the one for those who watch. */
export function shareLinks({ game, invite }) {
  const plain = `${location.origin}/game/${game}`;
  return h('section', {},
    h('h2', {}, t('game.invite')),
    link('invite-link', t('game.invite-play'), `${plain}?join=${invite}`),
    link('watch-link', t('game.invite-watch'), plain));
}
