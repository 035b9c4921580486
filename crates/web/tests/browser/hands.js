/** Hands on the board of a page: mouse, finger and keys. */

import assert from 'node:assert/strict';
import { onPhone } from './house.js';

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

/** Column and row of a cell as they are seen; doors lie beyond their squares. */
function placeOf(key, turned) {
  const row = Number(key[1]);
  const beyond = key.endsWith('-out') ? (row === 1 ? -1 : 1) : 0;
  const sign = turned ? -1 : 1;
  return [sign * key.charCodeAt(0), sign * (row + beyond)];
}

/** Whether the board is seen from the side of the high numbers. */
async function isTurned(page) {
  const [first, second] = await Promise.all(['a1', 'a2'].map((key) => cell(page, key).locator('rect').boundingBox()));
  return first.y < second.y;
}

/** Walks with the arrow keys from the cell that has the focus. */
export async function walkTo(page, key) {
  const turned = await isTurned(page);
  const [toColumn, toRow] = placeOf(key, turned);
  for (let step = 0; step < 20; step += 1) {
    const at = await focusedCell(page);
    assert.ok(at, 'the focus is on the board');
    if (at === key) return;
    const [column, row] = placeOf(at, turned);
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

/** What has the focus, and whether that can be seen. */
export const focus = (page) => page.evaluate(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  // A square of the board, and a level of a question, draw their focus on something inside or beside.
  const drawn = element.querySelector?.(':scope > rect') ?? (element.matches('.five-levels input') ? element.nextElementSibling : element);
  const style = getComputedStyle(drawn);
  const box = element.getBoundingClientRect();
  const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
  const stroked = drawn.tagName === 'rect' && style.stroke !== 'none' && parseFloat(style.strokeWidth) >= 2;
  const onScreen = box.width > 0 && box.height > 0 && box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
  return { name: element.textContent.trim() || element.getAttribute('aria-label') || element.id, seen: (outlined || stroked) && onScreen };
});

/** One step on with the Tab key; what it leads to is seen. */
export async function tab(page) {
  await page.keyboard.press('Tab');
  const at = await focus(page);
  if (at) assert.ok(at.seen, `the focus on "${at.name}" is seen`);
  return at;
}

/** No page has more stops than this. */
const MOST_STOPS = 120;

/** Goes on with the Tab key until it is where it should be. */
async function tabUntil(page, isThere, description) {
  for (let step = 0; step < MOST_STOPS; step += 1) {
    const at = await tab(page);
    if (await isThere(at)) return;
  }
  assert.fail(`"${description}" cannot be reached by keys`);
}

/** Goes on with the Tab key to what is called like this. */
export const tabTo = (page, name) => tabUntil(page, (at) => at?.name === name, name);

/** Whether an element has the focus. */
const hasFocus = (target) => target.evaluate((element) => element === document.activeElement);

/** Goes on with the Tab key to an element, if that is not where it is already. */
async function tabToElement(page, target) {
  if (!await hasFocus(target)) await tabUntil(page, () => hasFocus(target), target);
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

/** Moves the focus to the board, if it is not there. */
async function tabToBoard(page) {
  if (!await focusedCell(page)) await tabUntil(page, () => focusedCell(page), 'the board');
}

/** Chooses one of several by the arrow keys: the Tab key stops only at the one that is chosen. */
async function arrowTo(page, target) {
  const inGroup = () => target.evaluate((one) => document.activeElement?.name === one.name && document.activeElement.form === one.form);
  await tabUntil(page, inGroup, target);
  for (let step = 0; step < 20 && !await target.isChecked(); step += 1) await page.keyboard.press('ArrowUp');
}

/** Chooses from a list by the arrow keys. */
async function arrowToOption(page, list, value) {
  await tabToElement(page, list);
  for (let step = 0; step < 5 && await list.inputValue() !== value; step += 1) await page.keyboard.press('ArrowDown');
}

/**
 * The ways to do everything on a page: `browser` is what somebody with such hands has before them,
 * `press` is for buttons and links, `check` for one of several, `choose` for a list, `square` for one
 * square of a board, `move` for a whole move.
 */
export const HANDS = {
  mouse: {
    browser: {},
    press: (page, target) => target.click(),
    check: (page, target) => target.click(),
    // The list is drawn by the system, where no hand of a test can reach it.
    choose: (page, list, value) => list.selectOption(value),
    square: async (page, key) => {
      const { x, y } = await middle(page, key);
      await page.mouse.click(x, y);
    },
    move: drag,
  },
  touch: {
    browser: onPhone,
    press: (page, target) => target.tap(),
    check: (page, target) => target.tap(),
    choose: (page, list, value) => list.selectOption(value),
    square: async (page, key) => {
      const { x, y } = await middle(page, key);
      await page.touchscreen.tap(x, y);
    },
    move: tap,
  },
  keyboard: {
    browser: {},
    press: async (page, target) => {
      await tabToElement(page, target);
      await page.keyboard.press('Enter');
    },
    check: arrowTo,
    choose: arrowToOption,
    square: async (page, key) => {
      await tabToBoard(page);
      await walkTo(page, key);
      await page.keyboard.press('Enter');
    },
    move: async (page, move) => {
      await tabToBoard(page);
      await keys(page, move);
    },
  },
};
