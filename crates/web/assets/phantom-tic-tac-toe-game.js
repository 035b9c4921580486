/** A game of phantom tic-tac-toe on its page: tries, the marks that were found, and the replay. */

import { Board } from './board.js';
import { h, s } from './dom.js';
import { list, t } from './words.js';

const KIND = 'phantom-tic-tac-toe';

/** The letters of both seats. */
const MARKS = ['X', 'O'];

/** The marks, as wide and high as other pieces: a cross and a ring. */
const SHAPES = {
  X: { colour: 'man-black', d: 'M-15-13L-11-17L0-6L11-17L15-13L4-2L15 9L11 13L0 2L-11 13L-15 9L-4-2z' },
  O: { colour: 'man-white', d: 'M0-18a16 16 0 1 1-.1 0zM0-11a9 9 0 1 0 .1 0z' },
};

const symbolOf = (letter) => `mark-${letter}`;
const nameOf = (letter) => t(`game.piece.${letter}`);

/** A mark is placed, and comes from nowhere. */
const endsOf = (square) => ({ from: null, to: square });

/** Puts the symbols of both marks into the page, once. */
function addMarks() {
  if (document.getElementById('marks')) return;
  const symbol = (letter) => s('symbol', { id: symbolOf(letter), viewBox: '-21 -26 42 50' },
    s('g', { class: `man ${SHAPES[letter].colour}` }, s('path', { class: 'man-body', d: SHAPES[letter].d })));
  document.body.prepend(s('svg', { id: 'marks', class: 'symbols', width: 0, height: 0, 'aria-hidden': 'true' }, MARKS.map(symbol)));
}

/** One line of the log in words. */
function logText({ by, square, refused }) {
  if (refused) return t('game.log-taken', { square });
  return square ? t('game.log-own', { move: square }) : t(`game.moved.${by}`);
}

export class Table {
  constructor(page) {
    this.page = page;
    addMarks();
    this.lines = h('ol', { class: 'umpire' });
    this.logPlace = h('section', {}, h('h2', {}, t('game.moves')), this.lines);
    page.details.replaceChildren(this.logPlace);
  }

  async show(view, before) {
    if (!this.board) this.makeBoard();
    this.settle(view);
    const { log } = view[KIND];
    for (const entry of log.slice(before?.[KIND].log.length ?? log.length)) this.board.announce(logText(entry));
    this.logPlace.hidden = log.length === 0;
    this.lines.replaceChildren(...log.map((entry) => h('li', { class: entry.refused ? 'illegal' : null }, logText(entry))));
  }

  makeBoard() {
    this.board = new Board(this.page.boardPlace, {
      columns: 3, rows: 3, symbol: symbolOf, name: nameOf, ends: endsOf, onMove: (square) => this.place(square),
    });
  }

  /** Shows the marks that are known; a try that was refused shows whose the square is. */
  settle(view) {
    const { marks, tries, log } = view[KIND];
    this.board.show({ pieces: new Map(Object.entries(marks)), legal: tries, lastMove: log.findLast(({ square }) => square)?.square ?? null });
  }

  place(square) {
    this.page.send('moves', { move: square, ply: this.page.view.ply }, { again: true });
  }

  actions() {
    return [];
  }

  /** The messages besides whose turn it is. */
  news(view) {
    const { log, hidden } = view[KIND];
    if (view.role === 'spectator') return { lines: [t('game.watch-marks')] };
    const found = t('game.hidden-marks', { n: hidden });
    const last = log.at(-1);
    if (!last?.refused) return { lines: [found] };
    return { kind: 'longer', title: t('game.taken', { square: last.square }), lines: [t('game.try-again'), found] };
  }

  /** The game for the replay. */
  course(view) {
    return new PhantomCourse(view[KIND]);
  }
}

/** A finished game for the replay; the board looks the same from both sides. */
class PhantomCourse {
  seatNames = ['first', 'second'];

  recordForms = ['json'];

  animated = false;

  hasPuzzles = false;

  constructor({ turns }) {
    this.turns = turns;
    this.length = turns.length;
  }

  mover(place) {
    return (place + 1) % 2;
  }

  /** Whether these eyes saw the move that leads to a place. */
  saw(place, { seat, open }) {
    return open || this.mover(place) === seat;
  }

  view(place, eyes) {
    const past = this.turns.slice(0, place);
    const found = past.flatMap(({ refused }, index) => (index % 2 === eyes.seat ? refused : []));
    const marks = past.map(({ move }, index) => [move, MARKS[index % 2]]);
    const seen = marks.filter(([move], index) => this.saw(index + 1, eyes) || found.includes(move));
    return {
      pieces: new Map(seen),
      lastMove: place > 0 && this.saw(place, eyes) ? this.turns[place - 1].move : null,
      taken: { own: [], top: [] },
      tally: [],
    };
  }

  /** The square of the move that leads to a place; null if these eyes did not see it. */
  name(place, eyes) {
    return this.saw(place, eyes) ? this.turns[place - 1].move : null;
  }

  told(place, eyes) {
    const { refused } = this.turns[place - 1];
    return refused.length > 0 && this.saw(place, eyes) ? t('replay.refused', { moves: list(refused) }) : '';
  }

  orientation() {
    return 'bottom';
  }

  seenSquare(square) {
    return square;
  }

  seenMove(move) {
    return move;
  }

  arrow(move) {
    return move;
  }

  /** Only somebody who sees everything sees that a square was empty. */
  seesWin(seat, eyes) {
    return eyes.open;
  }

  beliefs() {
    return {};
  }

  beliefLegend() {
    return [];
  }
}
