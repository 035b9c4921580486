/**
 * Hands on the board: mouse, finger and keys.
 *
 * A pointer that goes down on a piece that can move selects it; if it travels, the piece goes with
 * it and is dropped where it is released; if not, the piece stays selected and the next tap says
 * where to. Keys move a cursor over squares and doors; Enter or Space selects and drops, Escape
 * lets go.
 */

import { CELL } from './board-art.js';

/** How far a pointer must travel before it drags, in pixels of the screen. */
const SLACK = 5;

const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Lets people move the pieces of a board. */
export function attachInput(board) {
  const { svg } = board;
  let drag = null;

  const point = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const cellAt = (event) => {
    const { x, y } = point(event);
    return board.layout.at(x, y);
  };

  const follow = (event) => {
    const { x, y } = point(event);
    // A finger hides what is below it, so that the piece is held above it.
    const lift = drag.touch ? CELL * 0.5 : 0;
    drag.element.setAttribute('transform', `translate(${x} ${y - lift})scale(${drag.touch ? 1.35 : 1.1})`);
    const over = cellAt(event);
    for (const [key, cell] of board.cells) {
      cell.classList.toggle('over', key === over && (board.editing || board.targets().has(key)));
    }
  };

  const startDrag = (event) => {
    drag.moving = true;
    drag.element = drag.letter ? board.pieceElement(drag.letter) : board.elements.get(drag.from);
    svg.append(drag.element);
    drag.element.classList.add('dragged');
    svg.classList.add('dragging');
    follow(event);
  };

  /** Ends a drag and says where the piece was let go; the piece goes back to where it was drawn. */
  const endDrag = () => {
    svg.classList.remove('dragging');
    for (const cell of board.cells.values()) cell.classList.remove('over');
    if (drag.moving) {
      drag.element.classList.remove('dragged');
      // The board may have been drawn anew meanwhile; then this element is nobody's.
      if (board.elements.get(drag.from) !== drag.element) drag.element.remove();
      else {
        board.layers.pieces.append(drag.element);
        board.place(drag.element, drag.from);
      }
    }
    drag = null;
  };

  const press = (key) => {
    if (board.editing && board.tool !== null) {
      const same = board.at(key) === board.tool;
      board.put(key, board.tool === '' || same ? null : board.tool);
    } else if (board.selected && board.selected !== key && (board.editing || board.targets().has(key))) {
      board.drop(key);
    } else if (!board.selected && board.targets().has(key)) {
      board.drop(key);
    } else if (board.canPick(key) && board.selected !== key) {
      board.select(key);
    } else {
      board.select(null);
    }
  };

  const down = (event) => {
    if (drag || !event.isPrimary || event.button !== 0) return;
    const key = cellAt(event);
    if (key === null) return;
    board.focusCell(key, false);
    const { editing, selected, tool } = board;
    const picks = board.canPick(key) && !board.targets().has(key);
    const selects = picks && selected !== key && !(editing && (selected || tool !== null));
    drag = { from: picks ? key : null, key, selects, x: event.clientX, y: event.clientY, touch: event.pointerType === 'touch' };
    svg.setPointerCapture(event.pointerId);
    if (selects) board.select(key);
  };

  const move = (event) => {
    if (!drag) return;
    if (!drag.moving && (drag.from || drag.letter)) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < SLACK) return;
      if (drag.from) board.select(drag.from);
      startDrag(event);
    } else if (drag.moving) {
      follow(event);
    }
  };

  const up = (event) => {
    if (!drag) return;
    const { moving, from, key, selects, letter } = drag;
    const over = cellAt(event);
    endDrag();
    if (letter) {
      if (moving && over) board.put(over, letter);
    } else if (!moving) {
      if (over === key && !selects) press(key);
    } else {
      // The board may have been drawn anew while the piece was held, which lets go of it.
      if (board.canPick(from)) board.select(from);
      if (over === from || !board.selected || !board.drop(over, { dragged: true })) board.select(null);
    }
  };

  const cancel = () => {
    if (!drag) return;
    endDrag();
    board.select(null);
  };

  svg.addEventListener('pointerdown', down);
  svg.addEventListener('pointermove', move);
  svg.addEventListener('pointerup', up);
  svg.addEventListener('pointercancel', cancel);
  // A finger on a piece drags it and does not scroll the page; elsewhere it scrolls.
  svg.addEventListener('touchstart', (event) => {
    const key = event.touches.length === 1 ? cellAt(event.touches[0]) : null;
    if (key && (board.canPick(key) || board.targets().has(key) || board.tool)) event.preventDefault();
  }, { passive: false });
  // Readers of the screen click without a pointer.
  svg.addEventListener('click', (event) => {
    const key = event.target.closest('.cell')?.dataset.key;
    if (event.detail === 0 && key) press(key);
  });

  // The focus may also come from outside, by a reader of the screen say. Heard by each cell: a whole
  // drawing that listens for the focus becomes a stop of the Tab key itself.
  for (const [key, cell] of board.cells) {
    cell.addEventListener('focus', () => {
      if (key !== board.cursor) board.focusCell(key, false);
    });
  }

  svg.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (ARROWS[key]) {
      const next = board.layout.next(board.cursor, ...ARROWS[key]);
      if (next) board.focusCell(next);
    } else if (key === 'Enter' || key === ' ') {
      press(board.cursor);
    } else if (key === 'Escape' && (board.selected || drag)) {
      cancel();
      board.select(null);
    } else if (board.editing && (key === 'Delete' || key === 'Backspace')) {
      board.put(board.cursor, null);
    } else if (board.editing && board.options.letters?.includes(key)) {
      board.put(board.cursor, key);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });

  /** Takes a piece from outside the board, to be dropped on a square. */
  board.dragIn = (event, letter) => {
    if (!event.isPrimary || event.button !== 0) return;
    drag = { letter, from: null, x: event.clientX, y: event.clientY, touch: event.pointerType === 'touch' };
    const { target } = event;
    const follower = (next) => move(next);
    const finish = (last) => {
      target.removeEventListener('pointermove', follower);
      if (last.type === 'pointerup') up(last);
      else cancel();
    };
    target.setPointerCapture(event.pointerId);
    target.addEventListener('pointermove', follower);
    target.addEventListener('pointerup', finish, { once: true });
    target.addEventListener('pointercancel', finish, { once: true });
  };
}
