/** Where games are begun or brought along: forms, and the page of the game that each asks for. */

import { post } from './api.js';

/** What a form says, as the server wants it: what is left open is null. */
function wishOf(form) {
  const fields = new FormData(form);
  return { kind: form.dataset.kind, opponent: fields.get('opponent') || null, seat: fields.get('seat') || null };
}

/** The record that was pasted or chosen as a file. */
async function recordOf(form) {
  const { text, file } = form.elements;
  return { text: file.files.length > 0 ? await file.files[0].text() : text.value };
}

/** Creates a game and opens its page; an error is shown below the form. */
async function ask(form, path, wish) {
  const status = form.querySelector('.form-status');
  const submit = form.querySelector('[type=submit]');
  status.textContent = '';
  submit.disabled = true;
  try {
    const { game } = await post(path, await wish(form));
    location.assign(`/game/${game}`);
  } catch (error) {
    if (!error.code) throw error;
    status.textContent = error.message;
  } finally {
    // Somebody who comes back to this page finds it as it was.
    submit.disabled = false;
  }
}

function serve(selector, path, wish) {
  for (const form of document.querySelectorAll(selector)) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      ask(form, path, wish);
    });
  }
}

serve('form.new-game', 'games', wishOf);
serve('form.import', 'games/import', recordOf);
