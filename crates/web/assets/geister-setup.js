/**
 * Setting up ghosts: each of the home squares has one, half of them red. A tap or a key turns one
 * over, a drag changes two for each other.
 */

import { Board } from './board.js';
import { exitsOf } from './position.js';
import { list, t } from './words.js';

/** Where the ghosts start, in the view of their owner. */
const HOME = ['b1', 'c1', 'd1', 'e1', 'b2', 'c2', 'd2', 'e2'];

/** So many of them are red. */
export const REDS = HOME.length / 2;

/** A random set-up. */
export function anySetUp() {
  const squares = [...HOME];
  for (let last = squares.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [squares[last], squares[other]] = [squares[other], squares[last]];
  }
  return squares.slice(0, REDS);
}

const piecesOf = (red) => new Map(HOME.map((square) => [square, red.includes(square) ? 'R' : 'B']));

export class SetUpBoard extends Board {
  /**
   * @param {HTMLElement} host
   * @param {{columns: number, rows: number}} size
   * @param {(red: string[]) => void} onChange the squares of the reds are others now
   */
  constructor(host, { columns, rows }, onChange) {
    super(host, { columns, rows, exits: exitsOf(columns, rows), label: t('game.set-up-board') });
    this.onChange = onChange;
    this.edit(true);
    // With a tool in hand a tap changes the square rather than picking its ghost up.
    this.tool = '';
    this.focusCell('b1', false);
    this.setUp([]);
  }

  /** The squares of the reds. */
  get red() {
    return HOME.filter((square) => this.at(square) === 'R');
  }

  setUp(red) {
    this.show({ pieces: piecesOf(red) });
    this.onChange(this.red);
  }

  /** Turns the ghost of a square over. */
  put(key) {
    if (!HOME.includes(key)) return;
    const { red } = this;
    this.setUp(red.includes(key) ? red.filter((square) => square !== key) : [...red, key]);
    this.tell(key);
  }

  /** Lets two ghosts change places. */
  dropEdited(key) {
    const from = this.selected;
    if (!HOME.includes(key)) return false;
    const [one, other] = [this.at(from), this.at(key)];
    const pieces = new Map(this.view.pieces).set(from, other).set(key, one);
    this.show({ pieces });
    this.onChange(this.red);
    this.tell(from);
    this.tell(key);
    return true;
  }

  tell(key) {
    this.announce(list([key, this.options.name(this.at(key)), t('game.reds', { n: this.red.length, all: REDS })]));
  }
}
