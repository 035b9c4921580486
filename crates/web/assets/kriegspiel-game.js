/** The page of a Kriegspiel game: own pieces, tries, announcements, and notes. */

import { Board } from './board.js';
import { addMen, man, manName, manSymbol } from './kriegspiel-art.js';
import { button, h } from './dom.js';
import { KriegspielCourse } from './kriegspiel-course.js';
import { Notes } from './kriegspiel-notes.js';
import { logText, newsOf, numbered, tryText } from './kriegspiel-umpire.js';
import { list, t } from './words.js';

/** Promotions, the most common first. */
const PROMOTIONS = ['q', 'r', 'b', 'n'];

/** Origin and destination of a try, without its promotion; a single square has no origin. */
const endsOf = (move) => ({ from: move.length > 2 ? move.slice(0, 2) : null, to: move.slice(-2) });

/** Tries without promotions, which are asked for afterwards. */
const waysOf = (tries) => [...new Set(tries.map((attempt) => attempt.slice(0, 4)))];

/** The squares that mark the last move: both squares of an own move, the capture of the opponent's. */
function lastMove(log) {
  const last = log.findLast((entry) => entry.heard);
  return last?.try?.slice(0, 4) ?? last?.heard.capture_square ?? null;
}

export class Table {
  constructor(page) {
    this.page = page;
    this.promoting = null;
    addMen();
  }

  async show(view, before) {
    this.makeBoard(view);
    this.notes?.read(view.kriegspiel.notes);
    this.settle(view);
    this.announce(view, before);
    this.showDetails(view);
  }

  makeBoard(view) {
    const { role, kriegspiel: { side } } = view;
    if (this.made === role) return;
    this.made = role;
    const { boardPlace } = this.page;
    const focused = boardPlace.contains(document.activeElement);
    this.board = new Board(boardPlace, {
      columns: 8, rows: 8, checkered: true, orientation: side === 'black' ? 'top' : 'bottom',
      symbol: manSymbol, name: manName, ends: endsOf,
      onMove: (way) => this.move(way), onEdit: (pieces) => this.note(pieces),
    });
    this.board.focusCell(side === 'black' ? 'h8' : 'a1', false);
    this.notes = side && new Notes(side, (notes) => this.page.send('notes', { notes }), (tool) => this.takeTool(tool));
    if (focused) this.page.focusBoard();
  }

  /** The visible pieces, without notes. */
  pieces(view = this.page.view) {
    return new Map(Object.entries(view.kriegspiel.pieces));
  }

  /** Shows the actual position, which undoes a refused try. */
  settle(view) {
    this.promoting = null;
    const over = view.stage === 'over';
    if (over && this.board.editing) this.board.edit(false);
    const pieces = this.pieces(view);
    const { tries, log } = view.kriegspiel;
    this.board.show({ pieces: this.notes && !over ? this.notes.over(pieces) : pieces, legal: waysOf(tries), lastMove: lastMove(log) });
  }

  /** Announces new lines of the umpire to screen readers. */
  announce(view, before) {
    const known = before?.kriegspiel.log.length ?? view.kriegspiel.log.length;
    for (const entry of view.kriegspiel.log.slice(known)) this.board.announce(logText(entry));
  }

  /** The game for the replay. */
  course(view) {
    return new KriegspielCourse(view);
  }

  /* Tries */

  move(way) {
    const tries = this.page.view.kriegspiel.tries.filter((attempt) => attempt.startsWith(way));
    if (tries.length === 1) this.attempt(tries[0]);
    else this.askPromotion(way);
  }

  attempt(move) {
    this.promoting = null;
    this.page.send('moves', { move, ply: this.page.view.ply }, { again: true });
  }

  askPromotion(way) {
    this.promoting = way;
    this.page.say('info', t('game.promote'));
    this.page.showActions();
    this.page.actions.querySelector('button').focus();
  }

  actions() {
    if (!this.promoting) return [];
    const way = this.promoting;
    const one = (kind, index) =>
      button(t(`game.piece.${kind}`), () => this.attempt(way + kind), { class: index === 0 ? 'button primary' : 'button' });
    return [...PROMOTIONS.map(one), button(t('game.promote-not'), () => this.keepPawn(), { class: 'button quiet' })];
  }

  keepPawn() {
    this.settle(this.page.view);
    this.page.showStatus();
    this.page.showActions();
  }

  /** The news beside the side to move. */
  news(view) {
    const news = newsOf(view);
    return view.role === 'spectator' ? { ...news, lines: [...news.lines, t('game.watch-dark')] } : news;
  }

  /* Notes */

  takeTool(tool) {
    if (tool === null) {
      this.board.edit(false);
    } else {
      if (!this.board.editing) this.board.edit(true);
      this.board.tool = tool;
    }
  }

  note(edited) {
    const pieces = this.pieces();
    const noted = this.notes.change(edited, pieces);
    this.board.show({ pieces: this.notes.over(pieces) });
    // A player who picks up an actual piece wants to move again.
    if (!noted) this.notes.choose(null);
  }

  /* Beside the board */

  showDetails(view) {
    if (!this.parts) this.parts = this.makeParts();
    const { notes, lost, log } = this.parts;
    const playing = view.stage !== 'over' && this.notes;
    notes.hidden = !playing;
    if (playing && !notes.contains(this.notes.box)) notes.replaceChildren(...this.notesSection());
    lost.replaceChildren(...(view.role === 'spectator' ? [] : this.material(view.kriegspiel)));
    this.showLog(log, view.kriegspiel);
  }

  makeParts() {
    const parts = { lost: h('div', { class: 'material' }), notes: h('section', {}), log: h('section', {}) };
    this.page.details.replaceChildren(parts.lost, parts.log, parts.notes);
    return parts;
  }

  notesSection() {
    return [h('h2', {}, t('game.notes')), h('p', { class: 'note' }, t('game.notes-how')), this.notes.box];
  }

  /** Lost own pieces, and the numbers of captured pawns and pieces. */
  material({ lost, taken_pawns: pawns, taken_pieces: pieces }) {
    const taken = list([pawns > 0 && t('game.pawns', { n: pawns }), pieces > 0 && t('game.pieces', { n: pieces })]);
    const icons = lost.map((letter) => man(letter));
    return [
      taken && h('p', {}, t('game.you-took', { men: taken })),
      lost.length > 0 && h('p', {}, `${t('game.you-lost')} `,
        h('span', { class: 'men', role: 'img', 'aria-label': list(lost.map(manName)) }, icons)),
    ].filter(Boolean);
  }

  showLog(place, { log, refused }) {
    place.hidden = log.length === 0;
    if (!this.lines) {
      this.lines = h('ol', { class: 'umpire' });
      this.linesPlace = h('div', { class: 'scrolled', tabindex: 0, role: 'region', 'aria-label': t('game.log') }, this.lines);
      this.refused = h('p', { class: 'note' });
      place.replaceChildren(h('h2', {}, t('game.log')), this.linesPlace, this.refused);
    }
    this.lines.replaceChildren(...numbered(log).map(({ number, entry }) =>
      h('li', { value: number, class: entry.heard ? entry.by : 'illegal' }, logText(entry))));
    this.linesPlace.scrollTop = this.linesPlace.scrollHeight;
    this.refused.textContent = refused.length > 1 ? t('game.refused', { moves: list(refused.map(tryText)) }) : '';
  }
}
