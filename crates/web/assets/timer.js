/** The clock beside a puzzle: counting up if people want one, counting down where time is limited. */

import { h } from './dom.js';
import { clock, t } from './words.js';

const KEY = 'spuk.timer';

/** Whether people asked for a clock. Off unless they did. */
export function timerWanted() {
  try {
    return localStorage.getItem(KEY) === 'on';
  } catch {
    return false;
  }
}

/** Remembers whether people want a clock. */
export function wantTimer(on) {
  try {
    localStorage.setItem(KEY, on ? 'on' : 'off');
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

export class Timer {
  /** @param {{onEnd?: () => void}} options `onEnd`: a limit was reached */
  constructor({ onEnd = () => {} } = {}) {
    this.onEnd = onEnd;
    this.face = h('span', { class: 'clock', role: 'timer', 'aria-label': t('timer.label') });
    this.limit = null;
    this.stop();
  }

  /** Runs on from a number of seconds. */
  start(elapsed = 0, limit = null) {
    this.stop();
    this.begun = performance.now() - elapsed * 1000;
    this.limit = limit;
    this.tick();
    this.interval = setInterval(() => this.tick(), 250);
  }

  stop() {
    clearInterval(this.interval);
    this.interval = null;
  }

  /** Seconds since the start. */
  get elapsed() {
    return this.begun === undefined ? 0 : (performance.now() - this.begun) / 1000;
  }

  tick() {
    const left = this.limit === null ? null : this.limit - this.elapsed;
    // Counted down to the end of each second: a minute shows as 1:00 and then 0:59.
    this.face.textContent = clock(left === null ? this.elapsed : Math.ceil(left));
    this.face.classList.toggle('urgent', left !== null && left <= 10);
    if (left !== null && left <= 0) {
      this.stop();
      this.onEnd();
    }
  }
}
