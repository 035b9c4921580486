/** The course of a game of Kriegspiel after its end: as each side knew it, and as it was. */

import { lastBelief } from './beliefs.js';
import { h } from './dom.js';
import { saidAfter } from './kriegspiel-umpire.js';
import { list, moveText, sentences, t } from './words.js';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';

/** The pieces of a FEN by their squares, White's in capitals. */
function menOf(fen) {
  const men = new Map();
  fen.split(' ')[0].split('/').forEach((line, index) => {
    let column = 0;
    for (const letter of line) {
      if (/\d/.test(letter)) {
        column += Number(letter);
      } else {
        men.set(`${String.fromCharCode(97 + column)}${8 - index}`, letter);
        column += 1;
      }
    }
  });
  return men;
}

/** Whether a piece belongs to this seat: the first one has White. */
const isOf = (seat, letter) => (letter === letter.toUpperCase()) === (seat === 0);

/** The squares of a set of bits, a1 first. */
function squaresOf(hex) {
  const bits = BigInt(`0x${hex}`);
  const all = Array.from({ length: 64 }, (_, index) => index).filter((index) => (bits >> BigInt(index)) & 1n);
  return all.map((index) => `${String.fromCharCode(97 + (index % 8))}${Math.floor(index / 8) + 1}`);
}

/** A finished game of Kriegspiel for the replay; squares have the same names from both sides. */
export class KriegspielCourse {
  seatNames = ['white', 'black'];

  recordForms = ['pgn'];

  animated = false;

  hasPuzzles = false;

  /** @param {Object} game a finished game from the server */
  constructor({ kriegspiel }) {
    this.turns = kriegspiel.turns;
    this.length = this.turns.length;
    this.men = [START, ...this.turns.map(({ fen }) => fen)].map(menOf);
  }

  seenSquare(square) {
    return square;
  }

  seenMove(move) {
    return move;
  }

  mover(place) {
    return (place + 1) % 2;
  }

  /** Whether these eyes saw the move that leads to a place. */
  saw(place, { seat, open }) {
    return open || this.mover(place) === seat;
  }

  view(place, eyes) {
    const turn = this.turns[place - 1];
    const men = [...this.men[place]].filter(([, letter]) => eyes.open || isOf(eyes.seat, letter));
    const heard = turn?.heard.capture_square;
    const seen = turn && this.saw(place, eyes);
    return {
      pieces: new Map(men),
      // A promotion has a letter behind its squares.
      lastMove: seen ? turn.move.slice(0, 4) : null,
      shades: heard && !seen ? [{ square: heard, kind: 'shade-heard', said: this.said(place) }] : [],
      taken: { own: [], top: [] },
      tally: [],
    };
  }

  /** What the umpire said after the move that leads to a place. */
  said(place) {
    const by = this.mover(place) === 0 ? 'white' : 'black';
    return saidAfter({ by, heard: this.turns[place - 1].heard });
  }

  /** The move that leads to a place; null if these eyes did not see it. */
  name(place, eyes) {
    const { move, heard } = this.turns[place - 1];
    return this.saw(place, eyes) ? moveText(move, Boolean(heard.capture)) : null;
  }

  told(place, eyes) {
    const { refused } = this.turns[place - 1];
    const illegal = refused.length > 0 && this.saw(place, eyes)
      && t('replay.refused', { moves: list(refused.map((move) => moveText(move))) });
    return sentences([illegal, t('replay.umpire', { words: this.said(place) })]);
  }

  /** Pieces are seen from their own side. */
  orientation({ seat }) {
    return seat === 1 ? 'top' : 'bottom';
  }

  /** The arrow of a move: a promotion has a letter behind its squares. */
  arrow(move) {
    return move.slice(0, 4);
  }

  /** Only somebody who sees everything sees why a mate was one. */
  seesWin(seat, eyes) {
    return eyes.open;
  }

  /** What the board shows of beliefs: shades on the squares where a seat expected pieces. */
  beliefs(seats, place, eyes) {
    const { shades } = this.view(place, eyes);
    const known = lastBelief(seats[eyes.seat].knowledge ?? [], place);
    if (!known) return { shades };
    const sure = squaresOf(known.sure);
    const shade = (kind) => (square) => ({ square, kind: `shade-${kind}`, said: t(`replay.knowledge.${kind}`) });
    const possible = squaresOf(known.possible).filter((square) => !sure.includes(square));
    return { shades: [...sure.map(shade('sure')), ...possible.map(shade('possible')), ...shades] };
  }

  /** What the shades mean, with samples. */
  beliefLegend({ game, eyes, names }) {
    const sample = (kind) => h('li', {}, h('span', { class: `sample shade-${kind}`, 'aria-hidden': 'true' }), t(`replay.knowledge.${kind}`));
    const whose = game.players[eyes.seat].you ? t('replay.knowledge.yours') : t('replay.knowledge.theirs', { name: names[eyes.seat] });
    return [h('p', { class: 'note' }, whose), h('ul', { class: 'legend' }, sample('sure'), sample('possible'))];
  }
}
