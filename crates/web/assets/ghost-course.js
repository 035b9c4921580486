/**
 * The course of a game of Geister after its end: as each seat saw it, and as it was. Squares and
 * moves are always those of the seat at the bottom.
 */

import { after, endsOf, takenIn, tallyOf } from './position.js';
import { list, moveText, t } from './words.js';

/** A letter as the other side calls it. */
const swapped = (letter) => letter && (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase());

/** A ghost that is not one's own. */
const isTheirs = (letter) => letter === 'b' || letter === 'r';

/** A sentence that begins with a piece: names of pieces have no capitals. */
function begun(key, vars) {
  const text = t(key, vars);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Whose eyes a game is seen with.
 * @typedef {Object} Eyes
 * @property {0|1} seat the one at the bottom
 * @property {boolean} open whether everything is seen
 */

export class GhostCourse {
  /** @param {Object} game a finished game as the server tells it */
  constructor({ geister, role }) {
    Object.assign(this, geister);
    this.viewer = role === 'second' ? 1 : 0;
    this.length = geister.events.length;
    this.known = new Map();
  }

  /** A square as the other side calls it. */
  turned(square) {
    const column = this.columns - (square.charCodeAt(0) - 97);
    return `${String.fromCharCode(96 + column)}${this.rows + 1 - Number(square.slice(1))}`;
  }

  /** A square of a seat's own view, as these eyes see it. */
  seenSquare(square, seat, eyes) {
    return seat === eyes.seat ? square : this.turned(square);
  }

  /** A move of a seat's own view, as these eyes see it. */
  seenMove(move, seat, eyes) {
    if (seat === eyes.seat) return move;
    return move.replace(/[a-z]\d+/g, (square) => this.turned(square));
  }

  /** Which seat moved last before a place. */
  mover(place) {
    return (place + 1) % 2;
  }

  seenEvent(event, { seat, open }) {
    const same = seat === this.viewer;
    const seen = same ? event : {
      move: this.seenMove(event.move, this.viewer, { seat }),
      side: event.side === 'own' ? 'top' : 'own',
      captured: swapped(event.captured),
      left: swapped(event.left),
    };
    return { ...seen, was_hidden: !open && isTheirs(seen.captured ?? seen.left) };
  }

  /** Where the ghosts stood before the first move. */
  start({ seat, open }) {
    const pieces = new Map();
    for (const home of [0, 1]) {
      const own = home === seat;
      for (let column = 1; column < this.columns - 1; column += 1) {
        for (const row of [1, 2]) {
          const square = `${String.fromCharCode(97 + column)}${row}`;
          const letter = this.truth[home].includes(square) ? 'R' : 'B';
          pieces.set(own ? square : this.turned(square), own ? letter : open ? swapped(letter) : 'u');
        }
      }
    }
    const theirReds = this.truth[1 - seat].length;
    return { pieces, blue: 2 * (this.columns - 2) - theirReds, red: theirReds };
  }

  /** Every state and every event, as these eyes saw them. */
  seen(eyes) {
    const key = `${eyes.seat}${eyes.open}`;
    if (!this.known.has(key)) {
      const events = this.events.map((event) => this.seenEvent(event, eyes));
      const states = [this.start(eyes)];
      for (const event of events) states.push(after(states.at(-1), event));
      this.known.set(key, { events, states });
    }
    return this.known.get(key);
  }

  /** The event that leads to a place. */
  event(place, eyes) {
    return this.seen(eyes).events[place - 1];
  }

  /** What a board shows at a place. */
  view(place, eyes) {
    const { states, events } = this.seen(eyes);
    const state = states[place];
    return {
      pieces: state.pieces,
      lastMove: events[place - 1]?.move ?? null,
      taken: takenIn(events.slice(0, place)),
      tally: tallyOf(state),
    };
  }

  /** The move that leads to a place, for the list. */
  name(place, eyes) {
    const { move, captured } = this.event(place, eyes);
    return moveText(move, Boolean(captured));
  }

  /** What happened on the way to a place, besides the move: sentences. */
  told(place, eyes) {
    const { move, captured, left } = this.event(place, eyes);
    const { from, to } = endsOf(move);
    return list([
      captured && begun('say.captured', { piece: t(`piece.${captured}`), square: to }),
      left && begun('say.out', { piece: t(`piece.${left}`), from }),
    ]);
  }
}
