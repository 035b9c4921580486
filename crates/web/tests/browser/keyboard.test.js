/** By keys alone, and by ear: the focus is always seen, and everything that happens is said. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGES, collection, openHouse, puzzleWith, words } from './house.js';
import { announced, focus, focusedCell, keys, named, play, solve, status, tab, tabTo } from './hands.js';

const house = openHouse();
const en = (key, values) => words('en', key, values);

test('from the address to the solved puzzle without a mouse', async () => {
  const visitor = await house.visit();
  const page = await visitor.open('/');
  assert.equal((await tab(page)).name, en('nav.skip'));
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'content');
  await tabTo(page, en('home.start'));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/puzzle/*');
  await page.waitForSelector('.cell.movable');
  const id = page.url().split('/').pop();
  const record = collection.find((one) => one.id === id);

  await tab(page);
  await page.keyboard.press('Enter');
  await tab(page);
  assert.ok(await focusedCell(page), 'behind the link that skips the menu comes the board');
  const judgements = [];
  const last = await solve(visitor, record, keys, async ({ judgement }) => {
    judgements.push(await status(page).textContent());
    assert.ok(await focusedCell(page), 'the focus stays on the board');
    assert.ok((await focus(page)).seen);
    const said = (await announced(page)).join(' ');
    for (const { move, captured } of [judgement.own, judgement.reply]) {
      if (!move.endsWith('-out')) assert.match(said, new RegExp(`${move.slice(0, 2)} to ${move.slice(2)}\\.`));
      if (captured) assert.match(said, new RegExp(`Captured on ${move.slice(2)}`));
    }
  });
  assert.equal(last.state, 'solved');
  assert.ok(judgements.every((text) => text.startsWith(en('judge.right'))));
  assert.equal(await status(page).getAttribute('aria-live'), 'polite');
  assert.equal(await page.locator('[role=log]').getAttribute('aria-live'), 'polite');
  await page.waitForSelector('.grade');
  if (last.judgement.own.move.endsWith('-out')) {
    assert.match((await announced(page)).join(' '), new RegExp(`leaves the board from ${last.judgement.own.move.slice(0, 2)}`));
  }
  assert.ok(await focus(page), 'the end does not take the focus away');
  await tabTo(page, en('action.next'));
});

test('escapes, captures and purple ghosts are announced', async () => {
  const record = puzzleWith('a capture of an unknown ghost on the way out', (one) => {
    const [first] = one.line;
    return one.m_win <= 9 && one.line.at(-1).endsWith('-out') && one.revealed === 'none' && isCapture(one.position, first);
  });
  const visitor = await house.visit();
  const page = await visitor.open(`/puzzle/${record.id}`);
  await page.locator('.cell[tabindex="0"]').focus();
  const first = await play(page, record.line[0], keys);
  const said = (await announced(page)).join(' ');
  assert.match(said, new RegExp(`Captured on ${record.line[0].slice(2)}: ${en('piece.r')}`));
  assert.match(await status(page).textContent(), new RegExp(en('purple.captured')));
  let attempt = first;
  while (attempt.state === 'open') attempt = await play(page, await visitor.bestMove(attempt.position), keys);
  assert.equal(attempt.state, 'solved');
  if (attempt.judgement.end === 'escape') assert.match((await announced(page)).join(' '), new RegExp(`${en('piece.B')} leaves the board`));
});

test('the focus is kept when a button disappears', async () => {
  const record = puzzleWith('a losing first move', (one) => one.m_win === 5 && one.first_moves.some((move) => move.result === 'no-win'));
  const visitor = await house.visit();
  const page = await visitor.open(`/puzzle/${record.id}`);
  await page.locator('.cell[tabindex="0"]').focus();
  await play(page, record.first_moves.find((move) => move.result === 'no-win').move, keys);
  await tabTo(page, en('action.take-back'));
  await page.keyboard.press('Enter');
  await page.getByText(en('solve.practice')).waitFor();
  assert.ok(await focus(page), 'after taking back something has the focus');
  await named(page, en('action.hint')).focus();
  await page.keyboard.press('Enter');
  await page.getByText(en('hint.cost')).waitFor();
  assert.ok(await focus(page), 'after a hint something has the focus');
  await named(page, en('action.solution')).focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.grade');
  assert.ok(await focus(page), 'with the solution something has the focus');
  await named(page, en('action.again')).focus();
  await page.keyboard.press('Enter');
  await page.getByText(en('solve.your-move')).waitFor();
  assert.ok(await focus(page), 'with a new attempt something has the focus');
});

test('the focus is visible on every control of every page', async () => {
  const visitor = await house.visit();
  visitor.tolerate(/\/nothing-here|\/studies/);
  for (const path of PAGES) {
    const page = await visitor.open(path);
    // The head is the same everywhere.
    if (path !== '/') await page.locator('#content').focus();
    const passed = [];
    for (let step = 0; step < 30; step += 1) {
      const at = await tab(page);
      if (!at) break;
      passed.push(at.name);
    }
    assert.ok(passed.length >= 3, `${path}: ${passed}`);
  }
});

/** Whether the first move of a puzzle goes onto a ghost of the opponent. */
function isCapture(position, move) {
  const rows = position.split(' ')[0].split('/').map((row) => row.replace(/\d/g, (digit) => '.'.repeat(Number(digit))));
  return rows[6 - Number(move[3])]?.[move.charCodeAt(2) - 97] === 'u';
}
