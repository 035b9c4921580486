/**
 * A finished game: replayed with anybody's eyes, reviewed, and downloaded.
 *
 * A game gives its *course*, which knows places from 0 (the start) to `length` (the end), and eyes
 * `{seat, open}`: the seat at the bottom, and whether everything is seen.
 *
 * - `length`, `seatNames`, `recordForms`, `animated`, `hasPuzzles`
 * - `mover(place)`, `name(place, eyes)`, `told(place, eyes)`: who moved, the move, what happened
 * - `view(place, eyes)`: what the board shows; `event(place, eyes)` the step to it, if it is animated
 * - `orientation(eyes)`, `seenSquare`, `seenMove`, `arrow(move)`, `seesWin(seat, eyes)`
 * - `beliefs(seats, place, eyes)`, `beliefLegend({game, seats, eyes, names})`: of the review
 */

import { Board } from './board.js';
import { calm, h, refill } from './dom.js';
import { playbackButtons } from './explore.js';
import { Review } from './review.js';
import { gap, sentences, t } from './words.js';

/**
 * Whose eyes a game is seen with.
 * @typedef {Object} Eyes
 * @property {0|1} seat the one at the bottom
 * @property {boolean} open whether everything is seen
 */

/**
 * Fills a panel with what there is to see of a finished game.
 * @param {Object} places
 * @param {Object} places.game the game from the server
 * @param {?Object} places.course
 * @param {Board} places.board the one on the page
 * @param {HTMLElement} places.boardPlace where it is
 * @param {HTMLElement} places.panel
 * @returns {?Replay} nothing if no move was made
 */
export function openReplay({ game, course, board, boardPlace, panel }) {
  if (course?.length) return new Replay({ game, course, board, boardPlace, panel });
  panel.replaceChildren(h('p', { class: 'note' }, t('replay.empty')));
  return null;
}

/** A place in a finished game, and the eyes that look at it. */
export class Replay {
  constructor({ game, course, board, boardPlace, panel }) {
    Object.assign(this, { game, course, board, boardPlace });
    const seat = game.role === 'second' ? 1 : 0;
    /** The seat that is called "you"; none for those who watched. */
    this.own = game.role === 'spectator' ? -1 : seat;
    this.names = this.own < 0
      ? course.seatNames.map((one) => t(`replay.${one}`))
      : [0, 1].map((one) => t(one === seat ? 'replay.you' : 'replay.other'));
    this.choices = [{ seat, open: false }, { seat: 1 - seat, open: false }, { seat, open: true }];
    this.place = course.length;
    this.build(panel);
    // At the end everything is open.
    this.look(this.choices[2]);
    this.review.ask();
  }

  build(panel) {
    this.review = new Review(this);
    this.eyesPlace = h('div', { class: 'segments', role: 'group', 'aria-label': t('replay.eyes') });
    this.told = h('p', { class: 'replay-told' });
    this.plies = h('ol', { class: 'line replay-line', 'aria-label': t('replay.moves') });
    panel.replaceChildren(
      h('section', { class: 'replay-course' },
        h('h2', {}, t('replay.title')),
        this.eyesPlace, playbackButtons((where) => this.go(where)), this.told, this.plies),
      this.review.element, downloads(this.game, this.course));
  }

  /** Looks at the game with other eyes. */
  look(eyes) {
    this.eyes = eyes;
    this.arrows = [];
    this.turnBoard();
    const names = [...(this.own < 0 ? this.course.seatNames : ['own', 'other']), 'all'];
    refill(this.eyesPlace, this.choices.map((one, index) => h('button', {
      type: 'button', class: 'segment', 'aria-pressed': String(one === eyes), onclick: () => this.look(one),
    }, t(`replay.eyes.${names[index]}`))));
    this.drawPlies();
    this.review.look(eyes);
    this.show();
  }

  /** Turns the board as the game wants it for these eyes. */
  turnBoard() {
    const orientation = this.course.orientation(this.eyes);
    const { options } = this.board;
    if ((options.orientation ?? 'bottom') !== orientation) this.board = new Board(this.boardPlace, { ...options, orientation });
  }

  go(where) {
    const { place, course } = this;
    this.walk({ first: 0, previous: place - 1, next: place + 1, last: course.length }[where]);
  }

  /** Goes to a place; a single step forward is animated if the game wants that. */
  async walk(to) {
    const { course, eyes } = this;
    const place = Math.max(0, Math.min(course.length, to));
    const step = place === this.place + 1 && course.animated && !calm();
    this.place = place;
    this.arrows = [];
    if (step) {
      this.tell();
      // Whoever is quick interrupts the step before.
      this.board.show({ ...course.view(place - 1, eyes), arrows: [], labels: [] });
      await this.board.play(course.event(place, eyes), { tally: course.view(place, eyes).tally });
      if (this.place === place) this.show();
    } else {
      this.show();
      this.board.announce(this.told.textContent);
    }
  }

  /** Goes where a pointer points, at once. */
  point(place) {
    if (place === this.place) return;
    this.place = place;
    this.arrows = [];
    this.show();
  }

  /** Goes to a place from a list, and brings the board into sight on a small screen. */
  jump(place) {
    this.walk(place);
    this.board.svg.scrollIntoView({ block: 'nearest', behavior: calm() ? 'auto' : 'smooth' });
  }

  /** Shows the win that was there as an arrow, with eyes that see why it was one. */
  showMissed(seat, miss) {
    const { course } = this;
    if (!course.seesWin(seat, this.eyes)) this.look(this.choices[2]);
    this.jump(miss.ply);
    const move = course.seenMove(miss.move, seat, this.eyes);
    this.arrows = [{ move: course.arrow(move), kind: 'best' }];
    this.show();
  }

  show() {
    const { course, place, eyes, arrows } = this;
    this.tell();
    this.board.show({
      legal: [], hint: null, badges: [], labels: [], shades: [],
      ...course.view(place, eyes), ...this.review.at(place, eyes), arrows,
    });
  }

  /** Says where the replay is. */
  tell() {
    const { course, place, eyes } = this;
    this.told.replaceChildren(...(place === 0 ? [t('replay.start')] : [
      h('strong', {}, t('replay.place', { n: place, all: course.length })), gap,
      sentences([t('replay.by', { name: this.names[course.mover(place)], move: this.moveName(place) }), course.told(place, eyes)]),
    ]));
    this.markPly(place);
  }

  /**
   * Marks the move that leads to a place. A game has many moves, so that the list is one stop of the
   * Tab key; the arrow keys lead along it, and the focus goes with them.
   */
  markPly(place) {
    const all = [...this.plies.querySelectorAll('.ply')];
    const stop = Math.max(0, place - 1);
    const focused = this.plies.contains(document.activeElement);
    all.forEach((ply, index) => ply.setAttribute('tabindex', index === stop ? 0 : -1));
    this.plies.querySelector('[aria-current]')?.removeAttribute('aria-current');
    all[place - 1]?.setAttribute('aria-current', 'step');
    if (focused) all[stop].focus({ preventScroll: true });
    this.keepInSight(all[stop].parentElement);
  }

  /** The move that leads to a place, in words. */
  moveName(place) {
    return this.course.name(place, this.eyes) ?? t('replay.unseen');
  }

  /** Scrolls the list and nothing else, so that the page stays where it is. */
  keepInSight(item) {
    const { plies } = this;
    const top = item.offsetTop - plies.offsetTop;
    const lowest = top + item.offsetHeight - plies.clientHeight;
    plies.scrollTop = Math.max(lowest, Math.min(top, plies.scrollTop));
  }

  drawPlies() {
    const { course, eyes } = this;
    const item = (_, index) => {
      const place = index + 1;
      return h('li', {}, h('span', { class: 'number', 'aria-hidden': 'true' }, String(place)), h('button', {
        type: 'button', class: 'ply', onclick: () => this.walk(place),
        'aria-label': t('replay.ply', { n: place, move: this.moveName(place) }),
      }, course.name(place, eyes) ?? '?'));
    };
    refill(this.plies, Array.from({ length: course.length }, item));
  }
}

/** Links to the record of the game in forms that other programs read. */
function downloads({ game }, { recordForms }) {
  const link = (form) => h('a', {
    class: 'button small', href: `/api/v1/games/${game}/record?form=${form}`, download: `${game}.${form}`,
  }, t(`replay.form.${form}`));
  return h('section', { class: 'replay-forms' }, h('h2', {}, t('replay.take-along')), h('div', { class: 'tools' }, recordForms.map(link)));
}
