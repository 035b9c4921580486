/** On a phone: two taps or a finger that drags, nothing too small, nothing too wide. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE, onPhone, openHouse, puzzleWith, words } from './house.js';
import { drag, named, play, rate, solve, status, tap, touchDrag } from './hands.js';

const house = openHouse();
const record = puzzleWith('five plies', (one) => one.m_win === 5);

test('a puzzle by two taps each, in Japanese', async () => {
  const visitor = await house.visit({ ...onPhone, locale: 'ja-JP' });
  const page = await visitor.open(`/puzzle/${record.id}`);
  const board = await page.locator('.board').boundingBox();
  assert.ok(board.width >= PHONE.width * 0.95, 'the board goes from edge to edge');
  const square = await page.locator('[data-key=a1] rect').boundingBox();
  assert.ok(square.width >= 44 && square.height >= 44, 'a finger hits one square');
  const last = await solve(visitor, record, tap, async ({ events }) => {
    assert.equal(await status(page).locator('.status-title').textContent(), words('ja', 'judge.right'));
    if (events.length === 2) await visitor.picture('phone');
  });
  assert.equal(last.state, 'solved');
  await page.waitForSelector('.grade');
  const rated = page.waitForResponse((response) => response.url().endsWith('/ratings'));
  await rate(page, 2, 0);
  assert.equal((await rated).status(), 200);
});

test('a puzzle by a finger that drags', async () => {
  const visitor = await house.visit(onPhone);
  const page = await visitor.open(`/puzzle/${record.id}`);
  await page.evaluate(() => scrollTo(0, 0));
  const last = await solve(visitor, record, touchDrag);
  assert.equal(last.state, 'solved');
});

test('a finger that lets go elsewhere moves nothing, and one on an empty square scrolls', async () => {
  const visitor = await house.visit(onPhone);
  const page = await visitor.open(`/puzzle/${record.id}`);
  const from = record.line[0].slice(0, 2);
  await touchDrag(page, `${from}${from === 'd4' ? 'd1' : 'd4'}`);
  assert.equal(await page.locator('.mark-last').count(), 0);
  assert.equal(await page.locator('.dragged').count(), 0);
  assert.equal((await visitor.get('me')).attempts, 0);
  assert.equal(await page.locator('.board').evaluate((board) => getComputedStyle(board).touchAction), 'pan-y');
});

test('the menu opens and closes', async () => {
  const visitor = await house.visit(onPhone);
  const page = await visitor.open('/');
  const link = page.getByRole('link', { name: words('en', 'nav.rules'), exact: true });
  assert.equal(await link.isVisible(), false);
  await named(page, words('en', 'nav.menu')).tap();
  assert.equal(await link.isVisible(), true);
  const { height } = await link.boundingBox();
  assert.ok(height >= 44);
  await page.keyboard.press('Escape');
  assert.equal(await link.isVisible(), false);
});

test('a mouse on a phone-sized screen works as well', async () => {
  const visitor = await house.visit({ viewport: PHONE });
  const page = await visitor.open(`/puzzle/${record.id}`);
  assert.equal((await play(page, record.line[0], drag)).judgement.verdict, 'right');
});
