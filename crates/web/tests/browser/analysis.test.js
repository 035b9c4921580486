/** The analysis page: set up, play for both sides, share. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openHouse, words } from './house.js';
import { drag, middle, named } from './hands.js';

const house = openHouse();
const en = (key, values) => words('en', key, values);

/** The example of the README: won in five plies, by `a4a5` alone. */
const POSITION = '6/4u1/B5/6/6/Ru4 1';

async function place(page, piece, square) {
  await page.getByRole('button', { name: piece, exact: true }).click();
  const { x, y } = await middle(page, square);
  await page.mouse.click(x, y);
}

test('a position from the palette is analysed', async () => {
  const visitor = await house.visit();
  const page = await visitor.open('/analysis');
  await named(page, en('analysis.set-up')).click();
  // Until the opponent is there, nothing is a position, and the page says so in a sentence.
  visitor.tolerate(/400/);
  await named(page, en('analysis.clear')).click();
  await page.locator('.verdict.error').waitFor();
  assert.match(await page.locator('.verdict').textContent(), new RegExp(`^${en('error.bad-position')}`));
  await place(page, en('piece.B'), 'a4');
  await place(page, en('piece.R'), 'a1');
  await place(page, en('piece.u'), 'e5');
  await place(page, en('piece.u'), 'b1');
  await page.getByLabel(en('analysis.blue-count')).fill('1');
  await page.getByLabel(en('analysis.blue-count')).press('Enter');
  await page.getByText(en('verdict.win.own', { n: 3 })).waitFor();
  assert.equal(await page.locator('#position-text').inputValue(), POSITION);
  const values = await page.locator('.move-value').allTextContents();
  const { moves, line } = await visitor.get(`analysis?position=${encodeURIComponent(POSITION)}`);
  assert.equal(values.length, moves.length);
  assert.match(values[0], /a4–a5.*win in 3 moves/);
  for (const kind of ['win', 'no-win', 'unknown']) {
    assert.equal(await page.locator(`.move-value.${kind}`).count(), moves.filter(({ verdict }) => verdict === kind).length, kind);
  }
  assert.match(await page.locator('.panel').textContent(), new RegExp(`${en('analysis.line')} a4–a5`));
  assert.equal(line[0], 'a4a5');
  await named(page, en('analysis.play')).click();
  await page.locator('.badge').first().waitFor();
  await visitor.picture('analysis');
});

test('a ghost can be dragged from the palette, over the board and off it', async () => {
  const visitor = await house.visit();
  const page = await visitor.open(`/analysis?position=${encodeURIComponent(POSITION)}`);
  await named(page, en('analysis.set-up')).click();
  const tool = await page.getByRole('button', { name: en('piece.u'), exact: true }).boundingBox();
  const goal = await middle(page, 'd3');
  await page.mouse.move(tool.x + 10, tool.y + 10);
  await page.mouse.down();
  await page.mouse.move(goal.x + 20, goal.y + 20);
  await page.mouse.move(goal.x, goal.y);
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelector('#position-text').value === '6/4u1/B5/3u2/6/Ru4 1');
  await page.getByRole('button', { name: en('palette.move'), exact: true }).click();
  // What the server says comes while the ghost is held; it must not fall from the hand.
  const [start, end] = [await middle(page, 'd3'), await middle(page, 'd2')];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x, start.y + 20);
  await page.locator('.verdict:not(.waiting)').waitFor();
  await page.waitForTimeout(400);
  await page.mouse.move(end.x, end.y);
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelector('#position-text').value === '6/4u1/B5/6/3u2/Ru4 1');
  const from = await middle(page, 'd2');
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + 10);
  await page.mouse.move(from.x + 700, from.y);
  await page.mouse.up();
  await page.waitForFunction((text) => document.querySelector('#position-text').value === text, POSITION);
});

test('a position from text; an invalid one shows an error', async () => {
  const visitor = await house.visit();
  const page = await visitor.open('/analysis');
  const text = page.locator('#position-text');
  visitor.tolerate(/400/);
  await text.fill('what is this');
  await named(page, en('analysis.apply')).click();
  await page.locator('.field-error:not(:empty)').waitFor();
  const told = await page.locator('.field-error').textContent();
  assert.match(told, new RegExp(`^${en('error.bad-position')}`));
  assert.equal(await text.getAttribute('aria-invalid'), 'true');
  await text.fill('4Bb/6/3uB1/3u2/6/5R 2');
  await text.press('Enter');
  await page.getByText(en('verdict.win.own', { n: 2 })).waitFor();
  assert.equal(await page.locator('.field-error').textContent(), '');
  assert.match(await page.locator('[data-key=e6]').getAttribute('aria-label'), new RegExp(en('piece.B')));
});

test('moves for both sides and back; the link restores them', async () => {
  const visitor = await house.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await visitor.open(`/analysis?position=${encodeURIComponent(POSITION)}`);
  await page.locator('.cell.movable').first().waitFor();
  await drag(page, 'a4a5');
  await page.getByText(en('verdict.win.top', { n: 2 })).waitFor();
  await page.locator('.cell.movable').first().waitFor();
  await drag(page, 'b1c1');
  await page.getByText(en('verdict.win.own', { n: 2 })).waitFor();
  await named(page, en('playback.previous')).click();
  await page.getByText(en('verdict.win.top', { n: 2 })).waitFor();
  await page.locator('.cell.movable').first().waitFor();
  await drag(page, 'e5d5');
  await page.locator('.ply[aria-current]', { hasText: 'e5–d5' }).waitFor();
  await page.locator('.verdict.win').waitFor();
  const verdict = await page.locator('.verdict').textContent();

  await named(page, en('analysis.copy')).click();
  await page.getByText(en('analysis.copied')).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await house.visit();
  await other.open(link.slice(house.address.length));
  await other.page.locator('.ply[aria-current]', { hasText: 'e5–d5' }).waitFor();
  await other.page.getByText(verdict, { exact: true }).waitFor();
  assert.match(await other.page.locator('[data-key=d5]').getAttribute('aria-label'), new RegExp(en('piece.u')));
});

test('a game that is over says who won', async () => {
  const visitor = await house.visit();
  const page = await visitor.open(`/analysis?position=${encodeURIComponent(POSITION)}&moves=a4a5,b1c1,a5a6,c1b1,a6-out`);
  await page.getByText(en('verdict.over.own')).waitFor();
  assert.equal(await page.locator('.move-value').count(), 0);
});

test('the picture that is saved is an SVG of the position', async () => {
  const visitor = await house.visit();
  const page = await visitor.open(`/analysis?position=${encodeURIComponent(POSITION)}`);
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: en('analysis.save') }).click();
  const download = await waiting;
  assert.match(download.suggestedFilename(), /\.svg$/);
  const saved = readFileSync(await download.path(), 'utf8');
  const seen = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    return { root: parsed.documentElement.tagName, errors: parsed.querySelectorAll('parsererror').length, title: parsed.querySelector('title, desc')?.textContent ?? '', shapes: parsed.querySelectorAll('path, rect, use').length };
  }, saved);
  assert.equal(seen.root, 'svg');
  assert.equal(seen.errors, 0);
  assert.ok(seen.shapes > 10);
});
