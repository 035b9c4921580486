/** What every page has: the menu of small screens, the switch of colours, the settings. */

import { get, post } from './api.js';
import { timerWanted, wantTimer } from './timer.js';
import { t } from './words.js';

const root = document.documentElement;

function themeButton() {
  const switcher = document.getElementById('theme');
  if (!switcher) return;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const dark = () => (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark';
  const name = () => {
    switcher.setAttribute('aria-label', t(dark() ? 'nav.light' : 'nav.dark'));
    switcher.textContent = dark() ? '☀\uFE0E' : '☾\uFE0E';
  };
  switcher.hidden = false;
  name();
  system.addEventListener('change', name);
  switcher.addEventListener('click', () => {
    root.dataset.theme = dark() ? 'light' : 'dark';
    try {
      localStorage.setItem('spuk.theme', root.dataset.theme);
    } catch {
      // The choice then lasts as long as the page.
    }
    name();
  });
}

function menuButton() {
  const opener = document.getElementById('menu');
  const nav = document.getElementById('nav');
  if (!opener || !nav) return;
  const set = (open) => {
    opener.setAttribute('aria-expanded', String(open));
    nav.classList.toggle('open', open);
  };
  opener.addEventListener('click', () => set(opener.getAttribute('aria-expanded') !== 'true'));
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && nav.classList.contains('open')) {
      set(false);
      opener.focus();
    }
  });
}

function settings() {
  const timer = document.getElementById('timer-switch');
  if (timer) {
    timer.checked = timerWanted();
    timer.addEventListener('change', () => wantTimer(timer.checked));
  }
  const make = document.getElementById('transfer-make');
  const code = document.getElementById('transfer-code');
  make?.addEventListener('click', async () => {
    try {
      code.textContent = (await post('transfer')).code;
    } catch (error) {
      code.textContent = error.message;
    }
  });
  const claim = document.getElementById('transfer-claim');
  claim?.addEventListener('submit', async (event) => {
    event.preventDefault();
    const status = document.getElementById('transfer-status');
    try {
      await post('transfer/claim', { code: new FormData(claim).get('code').trim() });
      const me = await get('me');
      status.textContent = t('settings.claimed', { n: me.attempts });
    } catch (error) {
      status.textContent = error.message;
    }
  });
}

themeButton();
menuButton();
settings();
