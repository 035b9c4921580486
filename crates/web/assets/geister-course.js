/**
 * The course of a game of Geister after its end: as each seat saw it, and as it was. Squares and
 * moves are always those of the seat at the bottom.
 */

import { lastBelief, seatsOf } from './beliefs.js';
import { h } from './dom.js';
import { after, endsOf, takenIn, tallyOf } from './position.js';
import { list, moveText, t } from './words.js';

/** A letter from the opponent's point of view. */
const swapped = (letter) => letter && (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase());

/** A ghost that is not one's own. */
const isTheirs = (letter) => letter === 'b' || letter === 'r';

/** A sentence that begins with a piece: names of pieces have no capitals. */
function begun(key, vars) {
  const text = t(key, vars);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whose beliefs these are, about whom: a sentence. */
function believer(game, seats, about) {
  const other = game.players[1 - about];
  const by = seats[about].beliefs?.[0]?.by;
  if (!by) return null;
  const watched = !game.players.some(({ you }) => you);
  const words = { name: t(`opponent.${by}`), where: t(`replay.belief.${watched ? 'on-each' : other.you ? 'on-other' : 'on-own'}`) };
  if (other.program === by) return t('replay.belief.by', words);
  return other.you ? t('replay.belief.instead-you', words) : t('replay.belief.instead', words);
}

/** A finished game of Geister for the replay; `replay.js` says what a course has. */
export class GeisterCourse {
  seatNames = ['first', 'second'];

  recordForms = ['json', 'log'];

  /** A step forward is shown as a move of the ghost. */
  animated = true;

  /** A missed win can become a puzzle and be analysed. */
  hasPuzzles = true;

  /** @param {Object} game a finished game from the server */
  constructor({ geister, role }) {
    Object.assign(this, geister);
    this.viewer = role === 'second' ? 1 : 0;
    this.length = geister.events.length;
    this.known = new Map();
  }

  /** A square in the opponent's coordinates. */
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

  /** The board is not turned: the squares are those of the seat at the bottom. */
  orientation() {
    return 'bottom';
  }

  /** The arrow of a move. */
  arrow(move) {
    return move;
  }

  /** Whether these eyes see why a win of a seat was one. */
  seesWin(seat, eyes) {
    return eyes.open || eyes.seat === seat;
  }

  /**
   * What the board shows of beliefs: labels with the probability that a ghost is blue.
   * @param {Object[]} seats the review of both seats
   */
  beliefs(seats, place, eyes) {
    const { pieces } = this.view(place, { ...eyes, open: true });
    const labels = seatsOf(eyes).flatMap((seat) => {
      const believed = lastBelief(seats[seat].beliefs ?? [], place);
      const own = (letter) => letter && (letter === letter.toUpperCase()) === (seat === eyes.seat);
      return Object.entries(believed?.blue ?? {})
        .map(([square, probability]) => ({ square: this.seenSquare(square, seat, eyes), probability }))
        .filter(({ square }) => own(pieces.get(square)))
        .map(({ square, probability }) => {
          const n = Math.round(100 * probability);
          return { square, text: `${n}%`, kind: probability >= 0.5 ? 'blue' : 'red', said: t('replay.belief.said', { n }) };
        });
    });
    return { labels };
  }

  /** What the labels of beliefs mean: whose they are. */
  beliefLegend({ game, seats, eyes }) {
    const sentences = seatsOf(eyes).map((seat) => believer(game, seats, seat)).filter(Boolean);
    return [...new Set(sentences)].map((text) => h('p', { class: 'note' }, text));
  }
}
