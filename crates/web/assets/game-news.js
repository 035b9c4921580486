/**
 * What is new in a game, as the server tells it. While it cannot be heard it is asked from time to
 * time, and what comes out of order is left out.
 */

import { get } from './api.js';

/** How long to wait before asking again while nothing is heard, in milliseconds. */
const ASK_AGAIN = 4000;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class News {
  /**
   * @param {string} game its id
   * @param {(view: Object) => void} onView the game as this person may see it
   * @param {(heard: boolean) => void} onConnection whether the server is heard
   */
  constructor(game, onView, onConnection) {
    Object.assign(this, { game, onView, onConnection });
    this.told = 0;
    this.listen();
  }

  get heard() {
    return this.source.readyState === EventSource.OPEN;
  }

  listen() {
    this.source = new EventSource(`/api/v1/games/${this.game}/events`);
    this.source.addEventListener('open', () => this.onConnection(true));
    this.source.addEventListener('game', ({ data }) => this.tell(JSON.parse(data)));
    this.source.addEventListener('error', () => this.lost());
  }

  tell(view) {
    this.told += 1;
    this.onView(view);
  }

  lost() {
    this.onConnection(false);
    if (!this.asking) this.askUntilHeard();
  }

  async askUntilHeard() {
    this.asking = true;
    while (!this.heard) {
      await this.ask();
      // A connection that the browser has given up is made anew.
      if (this.source.readyState === EventSource.CLOSED) this.listen();
      await pause(ASK_AGAIN);
    }
    this.asking = false;
  }

  /** Asks how things stand. */
  async ask() {
    try {
      await this.after(() => get(`games/${this.game}`));
    } catch (error) {
      // That the server cannot be reached is told already.
      if (!error.code) throw error;
    }
  }

  /**
   * Asks for something, and tells what is answered, unless something newer was heard meanwhile: the
   * answer of a program may well come before the answer to one's own move.
   * @param {() => Promise<Object>} request
   */
  async after(request) {
    const { told } = this;
    const view = await request();
    if (this.told === told || !this.heard) this.tell(view);
  }
}
