/** Where games are begun: a form for each game, and the page of the game that it asks for. */

import { post } from './api.js';

/** What a form says, as the server wants it: what is left open is null. */
function wishOf(form) {
  const fields = new FormData(form);
  return { kind: form.dataset.kind, opponent: fields.get('opponent') || null, seat: fields.get('seat') || null };
}

async function begin(form) {
  const status = form.querySelector('.form-status');
  const submit = form.querySelector('[type=submit]');
  status.textContent = '';
  submit.disabled = true;
  try {
    const { game } = await post('games', wishOf(form));
    location.assign(`/game/${game}`);
  } catch (error) {
    if (!error.code) throw error;
    status.textContent = error.message;
  } finally {
    // Somebody who comes back to this page finds it as it was.
    submit.disabled = false;
  }
}

for (const form of document.querySelectorAll('form.new-game')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    begin(form);
  });
}
