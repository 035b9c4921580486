/** A game of Geister on its page: setting up, moving, what was captured and what was played. */

import { Board } from './board.js';
import { button, calm, h, refill } from './dom.js';
import { GeisterCourse } from './geister-course.js';
import { REDS, SetUpBoard, anySetUp } from './geister-setup.js';
import { exitsOf } from './position.js';
import { moveText, t } from './words.js';

/** How long there is between two moves that come at once, so that each is seen. */
const REPLY_PAUSE = 260;

/** The coming draw is announced when fewer plies than this are left. */
const DRAW_NEAR = 40;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, calm() ? 0 : milliseconds));

/** Filled ghosts of unknown colour at the bottom, so that spectators can tell the sides apart. */
function addHiddenSymbol() {
  if (document.getElementById('ghost-U')) return;
  const hidden = document.getElementById('ghost-u');
  const symbol = hidden.cloneNode(true);
  symbol.id = 'ghost-U';
  symbol.firstElementChild.setAttribute('class', 'ghost-U');
  hidden.after(symbol);
}

/** The events that a view has beyond another; none where it does not simply go on. */
function newEvents(before, view) {
  const [old, now] = [before?.geister.events ?? [], view.geister.events];
  const goesOn = before?.stage === 'playing' && old.every(({ move }, index) => now[index]?.move === move);
  const news = goesOn ? now.slice(old.length) : [];
  return news.length <= 2 ? news : [];
}

export class Table {
  constructor(page) {
    this.page = page;
    addHiddenSymbol();
  }

  async show(view, before) {
    const own = view.players.find((player) => player.you);
    this.settingUp = view.stage !== 'over' && Boolean(own) && !own.ready;
    this.makeBoard(view);
    if (this.settingUp) return;
    await this.playEvents(newEvents(before, view));
    this.settle(view);
    if (before?.stage === 'playing' && view.ply < before.ply) this.board.announce(t('game.taken-back'));
    this.showMoves(view.geister.events, view.stage === 'over');
  }

  /** A board to set up on, or one to play on; each is kept as long as it fits. */
  makeBoard(view) {
    const wanted = this.settingUp ? 'set-up' : view.role === 'spectator' ? 'watch' : 'play';
    if (this.made === wanted) return;
    this.made = wanted;
    const { boardPlace } = this.page;
    const focused = boardPlace.contains(document.activeElement);
    this.board = this.settingUp
      ? new SetUpBoard(boardPlace, view.geister, () => this.showChoice())
      : new Board(boardPlace, this.boardOptions(view));
    if (focused) this.page.focusBoard();
  }

  boardOptions({ geister: { columns, rows }, role }) {
    const watched = role === 'spectator' ? { name: (letter) => t(`game.ghost.${letter}`) } : {};
    return { columns, rows, exits: exitsOf(columns, rows), onMove: (move) => this.move(move), ...watched };
  }

  /** Shows the events that are new, one after the other. */
  async playEvents(events) {
    for (const [index, event] of events.entries()) {
      if (index > 0) await pause(REPLY_PAUSE);
      await this.board.play(event);
    }
  }

  /** Shows the position as it is; a move by hand that was not played goes back. */
  settle(view) {
    if (this.settingUp) return;
    const { pieces, legal, events, taken } = view.geister;
    this.board.show({ pieces: new Map(Object.entries(pieces)), legal, taken, lastMove: events.at(-1)?.move ?? null });
  }

  /** The game for the replay; none if it was given up before both had set up. */
  course(view) {
    return view.geister.truth?.length === 2 ? new GeisterCourse(view) : null;
  }

  move(move) {
    this.page.send('moves', { move, ply: this.page.view.ply }, { again: true });
  }

  /* Setting up */

  actions() {
    if (!this.settingUp) return [];
    const { red } = this.board;
    return [
      button(t('game.ready'), () => this.ready(), { class: 'button primary', disabled: red.length !== REDS }),
      button(t('game.by-chance'), () => this.board.setUp(anySetUp())),
      h('span', { class: 'note' }, t('game.reds', { n: red.length, all: REDS })),
    ];
  }

  /** Says how many are red by now. */
  showChoice() {
    // The board tells its first set-up before it is known here.
    if (this.board?.red && this.page.view) refill(this.page.actions, this.actions(), () => this.page.focusBoard());
  }

  ready() {
    return this.page.send('setup', { red: this.board.red });
  }

  /* Playing */

  /** The messages besides whose turn it is. */
  news({ ply, geister: { draw_limit: limit } }) {
    const left = limit - ply;
    return { lines: left < DRAW_NEAR ? [t('game.draw-near', { n: left })] : [] };
  }

  showMoves(events, over) {
    const { details } = this.page;
    if (!this.moves) {
      this.moves = h('ol', { class: 'moves' });
      this.movesPlace = h('div', { class: 'scrolled', tabindex: 0, role: 'region', 'aria-label': t('game.moves') }, this.moves);
      details.replaceChildren(h('h2', {}, t('game.moves')), this.movesPlace);
    }
    // Afterwards the replay lists them.
    details.hidden = events.length === 0 || over;
    const text = ({ move, captured }) => moveText(move, Boolean(captured));
    const rows = [];
    for (let ply = 0; ply < events.length; ply += 2) {
      rows.push(h('li', {}, events.slice(ply, ply + 2).map((event) => h('span', {}, text(event)))));
    }
    this.moves.replaceChildren(...rows);
    this.movesPlace.scrollTop = this.movesPlace.scrollHeight;
  }
}
