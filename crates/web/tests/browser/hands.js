/** Hands on the board of a page: mouse, finger and keys. */

import assert from 'node:assert/strict';

/** The cells that a move goes from and to. */
export function endsOf(move) {
  const [, from, to] = /^([a-z]\d)(.+)$/.exec(move);
  return [from, to === '-out' ? move : to];
}

/** A square, or the door beside one. */
export const cell = (page, key) => page.locator(`[data-key="${key}"]`);

/** The middle of a cell on the screen, with the board scrolled to where a hand can reach it. */
export async function middle(page, key) {
  await page.locator('.board').evaluate((board) => board.scrollIntoView({ block: 'nearest' }));
  const { x, y, width, height } = await cell(page, key).locator('rect').boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
}

export async function drag(page, move) {
  const [start, end] = await Promise.all(endsOf(move).map((key) => middle(page, key)));
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2);
  await page.mouse.move(end.x, end.y);
  await page.mouse.up();
}

/** Two taps of a finger: what moves, and where to. */
export async function tap(page, move) {
  for (const key of endsOf(move)) {
    const { x, y } = await middle(page, key);
    await page.touchscreen.tap(x, y);
  }
}

/** A finger that drags, which only the protocol of the browser can do. */
export async function touchDrag(page, move) {
  const [start, end] = await Promise.all(endsOf(move).map((key) => middle(page, key)));
  const protocol = await page.context().newCDPSession(page);
  const touch = (type, points) => protocol.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await touch('touchStart', [start]);
  for (const part of [0.3, 0.6, 1]) {
    await touch('touchMove', [{ x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part }]);
  }
  await touch('touchEnd', []);
  await protocol.detach();
}

const STEPS = { right: 'ArrowRight', left: 'ArrowLeft', up: 'ArrowUp', down: 'ArrowDown' };

/** The square of the board that has the focus. */
export const focusedCell = (page) => page.evaluate(() => document.activeElement?.dataset?.key ?? null);

/** Column and row of a cell; doors lie beyond their squares. */
function placeOf(key) {
  const row = Number(key[1]);
  const beyond = key.endsWith('-out') ? (row === 1 ? -1 : 1) : 0;
  return [key.charCodeAt(0), row + beyond];
}

/** Walks with the arrow keys from the cell that has the focus. */
export async function walkTo(page, key) {
  for (let step = 0; step < 20; step += 1) {
    const at = await focusedCell(page);
    assert.ok(at, 'the focus is on the board');
    if (at === key) return;
    const [column, row] = placeOf(at);
    const [toColumn, toRow] = placeOf(key);
    // Sideways first, and away from a door before that: doors have no neighbours but their square.
    const away = at.endsWith('-out') && column !== toColumn;
    const key_ = away ? (row === 0 ? STEPS.up : STEPS.down)
      : column !== toColumn ? (column < toColumn ? STEPS.right : STEPS.left)
      : row < toRow ? STEPS.up : STEPS.down;
    await page.keyboard.press(key_);
  }
  assert.fail(`${key} cannot be reached by keys`);
}

export async function keys(page, move) {
  for (const key of endsOf(move)) {
    await walkTo(page, key);
    await page.keyboard.press('Enter');
  }
}

/** Makes a move on a puzzle by hand and waits until it is judged and shown; the server's answer. */
export async function play(page, move, by = drag) {
  await page.waitForSelector('.cell.movable');
  const answered = page.waitForResponse((response) => response.url().endsWith('/moves'));
  await by(page, move);
  const attempt = await (await answered).json();
  await page.waitForSelector('#panel:not([aria-busy])');
  return attempt;
}

/** Plays right moves until the puzzle is over; the last answer. */
export async function solve(visitor, record, by = drag, onMove = async () => {}) {
  let move = record.line[0];
  for (let own = 0; own < record.m_win; own += 1) {
    const attempt = await play(visitor.page, move, by);
    assert.equal(attempt.judgement.verdict, 'right', move);
    if (attempt.state === 'solved') return attempt;
    await onMove(attempt);
    move = await visitor.bestMove(attempt.position);
  }
  return assert.fail('no end');
}

/** The box that says how things stand. */
export const status = (page) => page.locator('.status');

/** A button by its words. */
export const named = (page, name) => page.getByRole('button', { name, exact: true });

/** What was announced to those who cannot see the board. */
export const announced = (page) => page.locator('[role=log] p').allTextContents();

/** Answers the two questions about a puzzle. */
export async function rate(page, interest, difficulty) {
  for (const [name, level] of Object.entries({ interest, difficulty })) await page.locator(`input[name=${name}][value="${level}"]`).check();
}
