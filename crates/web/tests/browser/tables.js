/** At the table of a game: beginning it, playing it to its end, and looking at it afterwards. */

import assert from 'node:assert/strict';
import { words } from './house.js';
import { HANDS, drag, endsOf, status } from './hands.js';

/** So many own moves are enough to lead a ghost out against somebody who moves anywhere. */
const MOST_MOVES = 60;

export const idOf = (page) => new URL(page.url()).pathname.split('/').pop();
export const viewOf = (visitor) => visitor.get(`games/${idOf(visitor.page)}`);
export const title = (page) => status(page).locator('.status-title').textContent();

/** Goes through the lobby to a game of one's own. */
export async function begin(visitor, kind, opponent, seat, hand = HANDS.mouse) {
  const page = await visitor.open('/play');
  const form = page.locator(`form[data-kind=${kind}]`);
  const wanted = form.locator(`input[name=opponent][value="${opponent}"]`);
  await hand.check(page, wanted);
  assert.equal(await wanted.isChecked(), true);
  await hand.choose(page, form.locator('select[name=seat]'), seat);
  await hand.press(page, form.locator('[type=submit]'));
  await page.waitForURL('**/game/*');
  await page.waitForSelector('.cell');
  return page;
}

/** Waits until it is one's turn or the game is over; the game as one sees it. */
export async function turn(visitor) {
  await visitor.page.waitForSelector('.board:not(.editing) .cell.movable, .actions a[href="/play"]');
  return viewOf(visitor);
}

/** How far a square is from the nearer exit. */
function wayOut(square) {
  const [column, row] = [square.charCodeAt(0) - 97, Number(square[1])];
  return 6 - row + Math.min(column, 5 - column);
}

/** Out if one can, else a step of a blue ghost towards an exit, of the one that is nearest to it. */
export function boldMove({ pieces, legal }) {
  const cost = (move) => {
    const [from, to] = endsOf(move);
    if (to === move) return -1;
    const forward = wayOut(to) < wayOut(from);
    return (pieces[from] === 'B' ? 0 : 40) + (forward ? 0 : 20) + wayOut(to);
  };
  return [...legal].sort((one, other) => cost(one) - cost(other))[0];
}

/** Makes a move by hand and waits until the server has it. */
export async function move(visitor, text, by = drag) {
  const answered = visitor.page.waitForResponse((response) => response.url().endsWith('/moves'));
  await by(visitor.page, text);
  assert.equal((await answered).status(), 200);
  return (await answered).json();
}

/** Plays until there is a winner; the game as it is then. */
export async function playToTheEnd(visitor, by, onMove = async () => {}) {
  for (let own = 1; own <= MOST_MOVES; own += 1) {
    const view = await turn(visitor);
    if (view.stage === 'over') return view;
    await onMove(view, own);
    await move(visitor, boldMove(view.geister), by);
  }
  return assert.fail('no end');
}

/** What a player is told at the end. */
export async function assertEnd(visitor, language) {
  const view = await turn(visitor);
  assert.equal(view.stage, 'over');
  const result = view.end.winner === null ? 'drawn' : view.end.winner === view.role ? 'won' : 'lost';
  assert.equal(await title(visitor.page), words(language, `game.${result}`));
  assert.match(await status(visitor.page).textContent(), new RegExp(words(language, `game.how.${result}.${view.end.how}`)));
  return view;
}

/** The symbols of the pieces on the board. */
export const symbols = (page) => page.locator('.board-pieces use').evaluateAll((all) => all.map((use) => use.getAttribute('href')));

/** Waits until the review of a game is there. */
export const reviewed = (page) => page.waitForSelector('.curve svg[role=slider]');

/** The place of the replay: after how many plies. */
export const place = (page) => page.locator('.replay-course .ply').evaluateAll((plies) => plies.findIndex((ply) => ply.hasAttribute('aria-current')) + 1);

/** What the board shows: the letter of what stands on each square, by its symbol and place. */
export const shown = (page) => page.evaluate(() => Object.fromEntries([...document.querySelectorAll('.board-pieces .piece')].map((piece) => {
  const { x, y, width, height } = piece.getBoundingClientRect();
  const inside = (box) => x + width / 2 > box.left && x + width / 2 < box.right && y + height / 2 > box.top && y + height / 2 < box.bottom;
  const square = [...document.querySelectorAll('.cell')].find((one) => inside(one.querySelector('rect').getBoundingClientRect()));
  const symbol = piece.querySelector('use').getAttribute('href');
  return [square.dataset.key, symbol.includes('white') ? symbol.at(-1).toUpperCase() : symbol.at(-1)];
})));
