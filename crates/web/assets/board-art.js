/** The geometry of a board and everything on it that does not move. */

import { s } from './dom.js';

/** The side of a square, in units of the picture. */
export const CELL = 54;
/** Left and right of the squares. */
const SIDE = 7;
/** Above and below the squares where there are doors or trays. */
const STRIP = 46;
/** How much smaller ghosts are in a tray than on the board. */
export const TRAY_SCALE = 0.46;
/** From one ghost in a tray to the next. */
const TRAY_STEP = 17;

/** The layout of a board with these columns and rows, seen from either side. */
export class Layout {
  constructor({ columns, rows, exits = [], orientation = 'bottom', strips = true }) {
    Object.assign(this, { columns, rows, exits });
    this.flipped = orientation === 'top';
    this.strip = strips ? STRIP : SIDE;
    this.width = 2 * SIDE + columns * CELL;
    this.height = 2 * this.strip + rows * CELL;
    this.right = SIDE + columns * CELL;
    this.floor = this.strip + rows * CELL;
    this.left = SIDE;
    this.top = this.strip;
    this.cells = [...this.allCells()].sort((a, b) => b.row - a.row || a.column - b.column);
    this.byKey = new Map(this.cells.map((cell) => [cell.key, cell]));
  }

  /** Squares, and the doors one step outside of them. Columns and rows count from 1. */
  *allCells() {
    for (let row = 1; row <= this.rows; row += 1) {
      for (let column = 1; column <= this.columns; column += 1) {
        yield { key: `${String.fromCharCode(96 + column)}${row}`, column, row, door: null };
      }
    }
    for (const exit of this.exits) {
      const column = exit.square.charCodeAt(0) - 96;
      const row = Number(exit.square.slice(1)) + (exit.up ? 1 : -1);
      yield { key: `${exit.square}-out`, column, row, door: exit };
    }
  }

  /** The middle of a cell. A door's is nearer to the board, for its strip is low. */
  middle(key) {
    const { column, row, door } = this.byKey.get(key);
    const across = this.flipped ? this.columns + 1 - column : column;
    const up = this.flipped ? this.rows + 1 - row : row;
    const x = SIDE + (across - 0.5) * CELL;
    if (!door) return { x, y: this.floor - (up - 0.5) * CELL };
    return { x, y: up > this.rows ? this.strip / 2 : this.floor + this.strip / 2 };
  }

  /** The rectangle of a cell. */
  box(key) {
    const { x, y } = this.middle(key);
    const height = this.byKey.get(key).door ? this.strip : CELL;
    return { x: x - CELL / 2, y: y - height / 2, width: CELL, height };
  }

  /** The cell at a point of the picture, or null. */
  at(x, y) {
    const inside = ({ key }) => {
      const box = this.box(key);
      return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
    };
    return this.cells.find(inside)?.key ?? null;
  }

  /** The next cell from one in a direction as it is seen, over gaps between doors; or null. */
  next(key, right, up) {
    const sign = this.flipped ? -1 : 1;
    const cell = this.byKey.get(key);
    let { column, row } = cell;
    for (;;) {
      column += right * sign;
      row += up * sign;
      const found = this.cells.find((other) => other.column === column && other.row === row);
      if (found) return found.key;
      const onBoard = column >= 1 && column <= this.columns && row >= 0 && row <= this.rows + 1;
      if (!onBoard || !cell.door || up !== 0) return null;
    }
  }

  /** Where the ghost of this number lies in the tray of a side. */
  tray(side, index) {
    const below = (side === 'own') !== this.flipped;
    const x = this.right - CELL - 12 - index * TRAY_STEP;
    return { x, y: below ? this.floor + this.strip / 2 + 2 : this.strip / 2 - 2 };
  }
}

/** Squares, grid, wall with open doors. */
export function floor(layout, { checkered }) {
  const { left, top, right, floor: bottom, columns, rows, exits } = layout;
  const wide = right - left;
  const high = bottom - top;
  const lines = [];
  for (let column = 1; column < columns; column += 1) lines.push(`M${left + column * CELL} ${top}v${high}`);
  for (let row = 1; row < rows; row += 1) lines.push(`M${left} ${top + row * CELL}h${wide}`);
  return s('g', { 'aria-hidden': 'true' },
    s('rect', { class: 'board-floor', x: left, y: top, width: wide, height: high }),
    checkered && darkSquares(layout),
    exits.map((exit) => s('rect', { class: 'board-exit', ...layout.box(exit.square) })),
    s('path', { class: 'board-grid', d: lines.join('') }),
    s('path', { class: 'board-wall', d: wall(layout) }));
}

/** Every other square from the first one on. */
const darkSquares = (layout) => layout.cells
  .filter(({ column, row, door }) => !door && (column + row) % 2 === 0)
  .map(({ key }) => s('rect', { class: 'board-dark', ...layout.box(key) }));

function wall(layout) {
  const { left, top, right, floor: bottom, exits } = layout;
  const open = exits.map((exit) => ({ x: layout.middle(exit.square).x, above: layout.middle(`${exit.square}-out`).y < top }));
  const side = (y, above) => {
    let path = '';
    for (let x = left; x < right; x += CELL) {
      if (!open.some((door) => door.above === above && Math.abs(door.x - x - CELL / 2) < 1)) path += `M${x} ${y}h${CELL}`;
    }
    return path;
  };
  return `M${left} ${top}V${bottom}M${right} ${top}V${bottom}${side(top, true)}${side(bottom, false)}`;
}

/** Row numbers and column letters in the corners of the outer squares, to leave the board its size. */
export function coordinates(layout) {
  const all = [];
  for (const { key, column, row, door } of layout.cells) {
    if (door) continue;
    const { x, y, width, height } = layout.box(key);
    if (x === layout.left) all.push(s('text', { x: x + 3.5, y: y + 11 }, String(row)));
    if (y + height === layout.floor) {
      all.push(s('text', { x: x + width - 3, y: y + height - 4, 'text-anchor': 'end' }, String.fromCharCode(96 + column)));
    }
  }
  return all;
}

/** The arrow through a door: solid for the bottom side, outlined for the other, as in the pictures. */
export function door(layout, key) {
  const { x, y } = layout.middle(key);
  const up = y < layout.top;
  const shape = up ? `M${x} ${y - 14}l-13 14h7v14h12v-14h7z` : `M${x} ${y + 14}l-13-14h7v-14h12v14h7z`;
  const own = layout.byKey.get(key).door.up;
  return s('path', { class: `door ${own ? 'door-own' : 'door-top'}`, d: shape, 'aria-hidden': 'true' });
}

/** An arrow from one cell to another. */
export function arrow(layout, from, to, kind) {
  const a = layout.middle(from);
  const b = layout.middle(to);
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
  const tip = length - 4;
  const shape = `M14-5H${tip - 15}v-7L${tip} 0 ${tip - 15} 12v-7H14z`;
  return s('path', { class: `arrow ${kind}`, d: shape, transform: `translate(${a.x} ${a.y})rotate(${angle})` });
}

/** A small sign on the way of a move, near to the ghost that makes it. */
export function badge(layout, from, to, text, kind) {
  const a = layout.middle(from);
  const b = layout.middle(to);
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const x = a.x + ((b.x - a.x) / length) * 22;
  const y = a.y + ((b.y - a.y) / length) * 22;
  const half = text.length > 2 ? 11 : 8.5;
  return s('g', { class: `badge ${kind}`, transform: `translate(${x} ${y})` },
    s('rect', { x: -half, y: -8, width: 2 * half, height: 16, rx: 8 }),
    s('text', { y: 4 }, text));
}

/** A small sign at the feet of what stands on a square. */
export function label(layout, square, text, kind) {
  const { x, y } = layout.middle(square);
  const half = 5 + 3.2 * text.length;
  return s('g', { class: `badge label ${kind}`, transform: `translate(${x} ${y + 18})` },
    s('rect', { x: -half, y: -8, width: 2 * half, height: 16, rx: 8 }),
    s('text', { y: 4 }, text));
}
