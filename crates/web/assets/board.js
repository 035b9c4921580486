/**
 * The board of the site, for every game and size. It knows squares, pieces and a list of moves, and
 * nothing of any rules: the legal moves are passed to it.
 *
 * Moves are made by dragging, by two taps, or by keys; everything that happens is also announced in
 * words. See `board-input.js` for how.
 */

import { CELL, Layout, TRAY_SCALE, arrow, badge, coordinates, door, floor, label } from './board-art.js';
import { attachInput } from './board-input.js';
import { calm, ghost, h, s } from './dom.js';
import { endsOf } from './position.js';
import { list, t } from './words.js';

/** How long a step takes to see, in milliseconds. */
const STEP = 180;
/** How long each half of turning a ghost over takes. */
const TURN = 110;

/** How far a captured ghost rises above its captor to be seen while it turns. */
const LIFT = 20;

/**
 * @typedef {Object} View what a board shows; what is left out of a change stays as it is
 * @property {Map<string, string>} pieces letters by square
 * @property {string[]} legal moves that can be made here; none: the board can only be looked at
 * @property {?string} lastMove a move to mark
 * @property {?string} hint a square to mark
 * @property {{move: string, kind: string}[]} arrows
 * @property {{move: string, text: string, kind: string}[]} badges small signs on moves
 * @property {{square: string, text: string, kind: string, said: string}[]} labels small signs at the
 *   feet of pieces; `said` is the same in words
 * @property {{square: string, kind: string, said: string}[]} shades squares in another colour
 * @property {{own: string[], top: string[]}} taken what each side has captured
 * @property {{letter: string, number: number}[]} tally numbers shown above the board
 */

export class Board {
  /**
   * @param {HTMLElement} host emptied and filled with the board
   * @param {Object} options
   * @param {number} options.columns
   * @param {number} options.rows
   * @param {{square: string, up: boolean}[]} [options.exits] doors; leaving by one is `a6-out`
   * @param {'bottom'|'top'} [options.orientation] which side is seen below
   * @param {boolean} [options.coordinates]
   * @param {boolean} [options.checkered] every other square is dark
   * @param {boolean} [options.still] a picture only: nothing can be focused or moved
   * @param {string} [options.label] what the board is, for those who cannot see it
   * @param {(letter: string) => string} [options.symbol] the id of a piece's symbol
   * @param {(letter: string) => string} [options.name] a piece in words
   * @param {(move: string) => {from: ?string, to: string}} [options.ends] where a move starts and
   *   ends; a move without a start is made by choosing its square
   * @param {(move: string) => void} [options.onMove] a move was made by hand
   * @param {(pieces: Map<string, string>) => void} [options.onEdit] pieces were placed or removed
   * @param {Partial<View>} [view]
   */
  constructor(host, options, view = {}) {
    this.options = {
      exits: [],
      coordinates: true,
      still: false,
      label: t('board.label'),
      symbol: (letter) => `ghost-${letter}`,
      name: (letter) => t(`piece.${letter}`),
      ends: endsOf,
      onMove: () => {},
      onEdit: () => {},
      ...options,
    };
    this.layout = new Layout({ ...this.options, strips: this.options.exits.length > 0 });
    this.view = {
      pieces: new Map(), legal: [], lastMove: null, hint: null, arrows: [], badges: [], labels: [], shades: [],
      taken: { own: [], top: [] }, tally: [],
    };
    this.elements = new Map();
    this.selected = null;
    this.pending = null;
    this.running = new Set();
    this.editing = false;
    this.tool = null;
    this.build(host);
    this.show(view);
    if (!this.options.still) attachInput(this);
  }

  build(host) {
    const { width, height, cells } = this.layout;
    const { still, label } = this.options;
    const layer = (name) => s('g', { class: name, 'aria-hidden': 'true' });
    this.layers = {
      // Marked squares keep their names.
      marks: layer('board-marks'), names: layer('board-names'), doors: layer('board-doors'), trays: layer('board-trays'),
      pieces: layer('board-pieces'), signs: layer('board-signs'),
    };
    this.doors = new Map(cells.filter((cell) => cell.door).map(({ key }) => [key, door(this.layout, key)]));
    this.layers.doors.append(...this.doors.values());
    if (this.options.coordinates) this.layers.names.append(...coordinates(this.layout));
    this.svg = s('svg', {
      class: 'board', viewBox: `0 0 ${width} ${height}`, role: still ? 'img' : 'grid', 'aria-label': label,
    }, floor(this.layout, this.options), ...Object.values(this.layers), still ? null : this.buildCells());
    this.log = h('div', { class: 'unseen', role: 'log', 'aria-live': 'polite' });
    host.replaceChildren(this.svg, ...(still ? [] : [this.log]));
  }

  /** What takes pointers and the focus: a cell over each square and each door. */
  buildCells() {
    this.cells = new Map();
    const rows = new Map();
    for (const { key, column, row } of this.layout.cells) {
      const cell = s('g', { class: 'cell', role: 'gridcell', tabindex: -1, 'data-key': key, 'aria-colindex': column },
        s('rect', { ...this.layout.box(key), rx: 3 }));
      this.cells.set(key, cell);
      if (!rows.has(row)) rows.set(row, s('g', { role: 'row' }));
      rows.get(row).append(cell);
    }
    this.cursor = 'a1';
    return [...rows.values()];
  }

  /**
   * Shows something else at once. A move by hand that is still waiting for `play` is undone.
   * @param {Partial<View>} change
   */
  show(change) {
    this.stopMotion();
    this.pending = null;
    this.selected = null;
    Object.assign(this.view, change);
    this.moves = new Map();
    for (const move of this.view.legal) {
      const { from, to } = this.options.ends(move);
      const start = from ?? '';
      if (!this.moves.has(start)) this.moves.set(start, new Map());
      this.moves.get(start).set(to, move);
    }
    this.drawPieces();
    this.drawTrays();
    this.drawMarks();
  }

  /** The piece on a square. */
  at(key) {
    return this.view.pieces.get(key) ?? null;
  }

  /** Whether choosing this cell first makes sense. */
  canPick(key) {
    if (this.editing) return this.at(key) !== null;
    return this.moves.has(key);
  }

  /** Where what is selected, or what needs no selection, can go. */
  targets() {
    if (this.editing) return new Map();
    return this.moves.get(this.selected ?? '') ?? new Map();
  }

  /** Selects a cell whose piece is to move; null for none. */
  select(key) {
    if (this.selected === key) return;
    this.selected = key;
    this.drawMarks();
    if (key === null) return;
    const to = [...this.targets().keys()].map((target) => this.cellName(target));
    this.announce(to.length ? t('say.selected-to', { square: key, to: list(to) }) : t('say.selected', { square: key }));
  }

  /** Moves what is selected to a cell, if it can go there. */
  drop(key, { dragged = false } = {}) {
    if (this.editing) return this.dropEdited(key);
    const move = this.targets().get(key);
    if (!move) return false;
    this.moveByHand(move, dragged);
    return true;
  }

  async moveByHand(move, dragged) {
    const { from, to } = this.options.ends(move);
    this.selected = null;
    this.pending = move;
    this.moves = new Map();
    this.view.hint = null;
    this.view.arrows = [];
    this.view.badges = [];
    this.drawMarks();
    this.focusCell(this.cells.has(to) ? to : from, false);
    const element = this.elements.get(from);
    if (element) {
      this.raise(from, to);
      this.slid = dragged ? this.place(element, to) : this.slide(element, from, to);
    }
    this.options.onMove(move);
  }

  /**
   * Plays what happened, as it is seen: the step, the captured ghost turning over and going to its
   * tray, the ghost that leaves. A step made by hand is not shown again.
   * @param {{move: string, side: string, captured: ?string, was_hidden: boolean, left: ?string}} event
   * @param {Partial<View>} [change] what else to show from then on
   */
  async play(event, change = {}) {
    const { from, to } = this.options.ends(event.move);
    const mine = (this.motion = {});
    const element = this.elements.get(from);
    const captured = this.elements.get(to);
    const mover = this.at(from);
    const byHand = this.pending === event.move;
    this.pending = null;
    this.announceEvent(event, mover);
    this.view.lastMove = event.move;
    Object.assign(this.view, { legal: [], hint: null, arrows: [], badges: [], labels: [], shades: [] });
    this.moves = new Map();
    this.drawMarks();
    if (element) {
      this.raise(from, to);
      if (byHand) await this.slid;
      if (event.left && event.was_hidden) await this.turnOver(element, event.left);
      if (!byHand) await this.slide(element, from, to);
      if (this.motion !== mine) return;
      this.place(element, to);
    }
    if (captured && event.captured) await this.carryOff(captured, to, event);
    if (event.left && element) await this.animate(element.firstChild, [{ opacity: 1 }, { opacity: 0 }], STEP);
    if (this.motion !== mine) return;
    const pieces = new Map(this.view.pieces);
    pieces.delete(from);
    if (!event.left && mover) pieces.set(to, mover);
    const taken = { own: [...this.view.taken.own], top: [...this.view.taken.top] };
    if (event.captured) taken[event.side].push(event.captured);
    Object.assign(this.view, { pieces, taken }, change);
    this.drawPieces();
    this.drawTrays();
    this.drawMarks();
  }

  /** Draws the piece that moves above the others, and above it the one it captures. */
  raise(from, to) {
    const both = [this.elements.get(from), this.elements.get(to)].filter(Boolean);
    this.layers.pieces.append(...both);
  }

  async carryOff(element, square, event) {
    if (event.was_hidden) await this.turnOver(element, event.captured, -LIFT);
    const start = this.layout.middle(square);
    const end = this.layout.tray(event.side, this.view.taken[event.side].length);
    await this.animate(element, [
      { transform: `translate(${start.x}px,${start.y}px)` },
      { transform: `translate(${end.x}px,${end.y}px) scale(${TRAY_SCALE})` },
    ], STEP + 60, 'forwards');
  }

  /** Flips a ghost to show its true colour. */
  async turnOver(element, letter, rise = 0) {
    const body = element.firstChild;
    const raised = `translateY(${rise}px)`;
    await this.animate(body, [{ transform: 'scaleX(1)' }, { transform: `${raised} scaleX(0)` }], TURN);
    body.firstChild.setAttribute('href', `#${this.options.symbol(letter)}`);
    await this.animate(body, [{ transform: `${raised} scaleX(0)` }, { transform: `${raised} scale(1.12)` }], TURN);
    await this.animate(body, [{ transform: `${raised} scale(1.12)` }, { transform: 'scale(1)' }], TURN);
  }

  slide(element, from, to) {
    const a = this.layout.middle(from);
    const b = this.layout.middle(to);
    this.place(element, to);
    return this.animate(element, [
      { transform: `translate(${a.x}px,${a.y}px)` },
      { transform: `translate(${b.x}px,${b.y}px)` },
    ], STEP);
  }

  async animate(element, frames, duration, fill = 'none') {
    if (calm() || !element.animate || document.hidden) return;
    const animation = element.animate(frames, { duration, fill, easing: 'ease-in-out' });
    this.running.add(animation);
    try {
      await animation.finished;
    } catch {
      // Cancelled: something else is shown by now.
    }
    this.running.delete(animation);
  }

  stopMotion() {
    this.motion = null;
    for (const animation of this.running) animation.cancel();
    this.running.clear();
  }

  /** Puts a piece's element on a cell. */
  place(element, key) {
    const { x, y } = this.layout.middle(key);
    element.setAttribute('transform', `translate(${x} ${y})`);
  }

  pieceElement(letter) {
    const use = s('use', { href: `#${this.options.symbol(letter)}`, x: -21, y: -26, width: 42, height: 50 });
    return s('g', { class: 'piece' }, s('g', {}, use));
  }

  drawPieces() {
    this.elements = new Map();
    for (const [key, letter] of this.view.pieces) {
      const element = this.pieceElement(letter);
      this.place(element, key);
      this.elements.set(key, element);
    }
    this.layers.pieces.replaceChildren(...this.elements.values());
  }

  drawTrays() {
    const lying = (side) => this.view.taken[side].map((letter, index) => {
      const element = this.pieceElement(letter);
      const { x, y } = this.layout.tray(side, index);
      element.setAttribute('transform', `translate(${x} ${y})scale(${TRAY_SCALE})`);
      return element;
    });
    this.layers.trays.replaceChildren(...lying('own'), ...lying('top'), ...this.drawTally());
  }

  drawTally() {
    const y = this.layout.strip / 2 - 2;
    return this.view.tally.map(({ letter, number }, index) => {
      const x = this.layout.left + CELL + 18 + index * 44;
      const element = this.pieceElement(letter);
      element.setAttribute('transform', `translate(${x} ${y})scale(.5)`);
      return s('g', { class: 'tally' }, element, s('text', { x: x + 13, y: y + 6 }, String(number)));
    });
  }

  drawMarks() {
    const { lastMove, hint, arrows, badges, labels, shades } = this.view;
    const square = (key, kind) => s('rect', { class: `mark ${kind}`, ...this.layout.box(key) });
    const marks = shades.map((shade) => square(shade.square, `shade ${shade.kind}`));
    if (lastMove) {
      const { from, to } = this.options.ends(lastMove);
      for (const key of [from, to]) if (key) marks.push(square(key, 'mark-last'));
    }
    if (hint) marks.push(square(hint, 'mark-hint'));
    if (this.selected) marks.push(square(this.selected, 'mark-selected'));
    this.layers.marks.replaceChildren(...marks);
    const targets = this.targets();
    for (const [key, element] of this.doors) element.classList.toggle('target', targets.has(key));
    const ways = (sign) => this.options.ends(sign.move);
    this.layers.signs.replaceChildren(
      ...[...targets.keys()].filter((key) => !this.doors.has(key)).map((key) => this.targetSign(key)),
      ...arrows.map((sign) => this.moveSign(ways(sign), sign.kind)),
      ...badges.map((sign) => badge(this.layout, ways(sign).from, ways(sign).to, sign.text, sign.kind)),
      ...labels.map((sign) => label(this.layout, sign.square, sign.text, sign.kind)));
    if (!this.options.still) this.nameCells(targets);
  }

  /** An arrow along a move; one without a start has the sign of its target. */
  moveSign({ from, to }, kind) {
    return from ? arrow(this.layout, from, to, kind) : this.targetSign(to);
  }

  /** A dot on an empty square, a ring around what would be captured. */
  targetSign(key) {
    const { x, y } = this.layout.middle(key);
    const full = this.at(key) !== null;
    return s('circle', { class: full ? 'target-ring' : 'target-dot', cx: x, cy: y, r: full ? CELL * 0.45 : CELL * 0.15 });
  }

  nameCells(targets) {
    const signs = [...this.view.labels, ...this.view.shades];
    for (const [key, cell] of this.cells) {
      const letter = this.at(key);
      const isDoor = this.doors.has(key);
      const target = targets.has(key);
      const piece = letter ? this.options.name(letter) : !isDoor && t('cell.empty');
      const parts = [
        this.cellName(key), piece,
        this.selected === key && t('cell.selected'),
        !this.editing && this.moves.has(key) && this.selected !== key && t('cell.can-move'),
        target && t('cell.target'),
        this.view.hint === key && t('cell.hint'),
        ...signs.filter((sign) => sign.square === key).map((sign) => sign.said),
      ];
      cell.setAttribute('aria-label', list(parts));
      cell.setAttribute('aria-selected', String(this.selected === key));
      cell.setAttribute('tabindex', key === this.cursor ? 0 : -1);
      cell.classList.toggle('movable', this.canPick(key));
      cell.classList.toggle('goal', target);
    }
  }

  /** What a square or a door is called. */
  cellName(key) {
    return this.doors.has(key) ? t('cell.door', { square: key.replace('-out', '') }) : key;
  }

  /** Moves the cursor of the keyboard to a cell, and the focus if wanted. */
  focusCell(key, focus = true) {
    this.cells.get(this.cursor)?.setAttribute('tabindex', -1);
    this.cursor = key;
    const cell = this.cells.get(key);
    cell.setAttribute('tabindex', 0);
    if (focus) cell.focus({ preventScroll: false });
  }

  /** Says something to those who cannot see the board. */
  announce(text) {
    this.log.append(h('p', {}, text));
    while (this.log.children.length > 6) this.log.firstChild.remove();
  }

  announceEvent(event, mover) {
    const { from, to } = this.options.ends(event.move);
    const piece = mover ? this.options.name(mover) : '';
    const step = event.left
      ? t('say.out', { piece: this.options.name(event.left), from })
      : t('say.step', { piece, from, to });
    this.announce(step);
    if (event.captured) this.announce(t('say.captured', { piece: this.options.name(event.captured), square: to }));
  }

  /**
   * Lets people place pieces rather than play.
   * @param {boolean} on
   */
  edit(on) {
    this.editing = on;
    this.tool = null;
    this.svg.classList.toggle('editing', on);
    this.show({});
  }

  /** Puts a piece on a square, or takes off what is there. */
  put(key, letter) {
    if (this.doors.has(key)) return;
    const pieces = new Map(this.view.pieces);
    if (letter === null) pieces.delete(key);
    else pieces.set(key, letter);
    this.announce(list([key, letter ? this.options.name(letter) : t('cell.empty')]));
    this.edited(pieces);
  }

  /** Moves the selected piece of a position in the making; off the board it is gone. */
  dropEdited(key) {
    const pieces = new Map(this.view.pieces);
    const letter = pieces.get(this.selected);
    pieces.delete(this.selected);
    if (key && !this.doors.has(key)) pieces.set(key, letter);
    this.announce(key ? list([key, this.options.name(letter)]) : t('say.removed', { piece: this.options.name(letter) }));
    this.edited(pieces);
    return true;
  }

  edited(pieces) {
    this.show({ pieces });
    this.options.onEdit(pieces);
  }
}

/**
 * The pieces to set up a position from. One that is chosen is placed by choosing squares; each can
 * also be dragged onto the board.
 * @param {Board} board a board that can be edited
 * @param {string[]} letters
 * @returns {HTMLElement}
 */
export function palette(board, letters) {
  const tools = [null, ...letters, ''];
  const choose = (tool) => {
    board.tool = tool;
    for (const other of box.children) other.setAttribute('aria-pressed', String(other.tool === tool));
  };
  const one = (tool) => {
    const name = tool === null ? t('palette.move') : tool === '' ? t('palette.erase') : board.options.name(tool);
    const sign = tool === null ? '✥' : tool === '' ? '✕' : ghost(tool);
    const element = h('button', {
      type: 'button', class: 'palette-tool', 'aria-pressed': String(tool === null), 'aria-label': name, title: name,
      onclick: () => choose(tool),
    }, sign);
    element.tool = tool;
    if (tool) element.addEventListener('pointerdown', (event) => board.dragIn(event, tool));
    return element;
  };
  const box = h('div', { class: 'palette', role: 'group', 'aria-label': t('palette.label') }, tools.map(one));
  return box;
}
