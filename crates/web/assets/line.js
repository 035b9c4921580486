/**
 * Walking along a line of moves and into its branches. Shared by the solution of a puzzle and by
 * the analysis page: one line, a place on it, and what the server says about that place.
 */

import { get } from './api.js';
import { after, eventOf, parsePosition, takenIn, tallyOf } from './position.js';

/** A place on a line of moves from a start. */
export class Line {
  /**
   * @param {string} start a position text
   * @param {string[]} moves
   */
  constructor(start, moves = []) {
    this.start = start;
    this.cache = new Map();
    this.follow(moves, 0);
  }

  /** Goes on with other moves, at a place on them. */
  follow(moves, place) {
    this.moves = moves;
    this.states = [parsePosition(this.start)];
    this.events = [];
    for (const move of moves) {
      const state = this.states.at(-1);
      const event = eventOf(state, move);
      this.events.push(event);
      this.states.push(after(state, event));
    }
    this.place = Math.min(place, moves.length);
  }

  /** The moves up to the place. */
  get played() {
    return this.moves.slice(0, this.place);
  }

  /** Goes to a place, or as near as there is one. */
  go(place) {
    this.place = Math.max(0, Math.min(this.moves.length, place));
  }

  /** Makes a move here. One that is not the line's own next move starts a branch. */
  step(move) {
    if (this.moves[this.place] !== move) this.follow([...this.played, move], this.place);
    this.place += 1;
  }

  /** What a board shows here. */
  view() {
    const state = this.states[this.place];
    return {
      pieces: state.pieces,
      lastMove: this.moves[this.place - 1] ?? null,
      taken: takenIn(this.events.slice(0, this.place)),
      tally: tallyOf(state),
      hint: null,
      arrows: [],
      badges: [],
      legal: [],
    };
  }

  /** What the server says about the place; asked once for each. */
  async analysis(signal) {
    const moves = this.played.join(',');
    if (!this.cache.has(moves)) {
      const query = moves ? { position: this.start, moves } : { position: this.start };
      this.cache.set(moves, await get('analysis', query, signal));
    }
    return this.cache.get(moves);
  }
}
