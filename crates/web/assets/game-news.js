/**
 * Updates of a game from the server's event stream. While the stream is disconnected the game is
 * polled, and responses that arrive out of order are dropped.
 */

import { get } from './api.js';

/** The time between two polls while disconnected, in milliseconds. */
const POLL_INTERVAL = 4000;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class News {
  /**
   * @param {string} game its id
   * @param {(view: Object) => void} onView the game as this person may see it
   * @param {(connected: boolean) => void} onConnection whether the stream is connected
   */
  constructor(game, onView, onConnection) {
    Object.assign(this, { game, onView, onConnection });
    this.updates = 0;
    this.listen();
  }

  get isConnected() {
    return this.source.readyState === EventSource.OPEN;
  }

  listen() {
    this.source = new EventSource(`/api/v1/games/${this.game}/events`);
    this.source.addEventListener('open', () => this.onConnection(true));
    this.source.addEventListener('game', ({ data }) => this.update(JSON.parse(data)));
    this.source.addEventListener('error', () => this.lost());
  }

  update(view) {
    this.updates += 1;
    this.onView(view);
  }

  lost() {
    this.onConnection(false);
    if (!this.isPolling) this.pollUntilConnected();
  }

  async pollUntilConnected() {
    this.isPolling = true;
    while (!this.isConnected) {
      await this.poll();
      // The browser does not reconnect a stream that it has closed.
      if (this.source.readyState === EventSource.CLOSED) this.listen();
      await pause(POLL_INTERVAL);
    }
    this.isPolling = false;
  }

  /** Gets the current state once. */
  async poll() {
    try {
      await this.after(() => get(`games/${this.game}`));
    } catch (error) {
      // The lost connection is shown already.
      if (!error.code) throw error;
    }
  }

  /**
   * Sends a request and shows its response, unless a newer update has arrived meanwhile: a program's
   * move can arrive before the response to the player's own move.
   * @param {() => Promise<Object>} request
   */
  async after(request) {
    const { updates } = this;
    const view = await request();
    if (this.updates === updates || !this.isConnected) this.update(view);
  }
}
