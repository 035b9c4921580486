/** The gallery: records on a live board, figures that are there. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHouse, words } from './house.js';
import { named } from './hands.js';

const house = openHouse();
const en = (key, values) => words('en', key, values);

test('a record is chosen, stepped through by button and key, and won at the end', async () => {
  const visitor = await house.visit();
  const page = await visitor.open('/gallery');
  const records = page.locator('.record');
  assert.equal(await records.count(), 8);
  assert.equal(await records.first().getAttribute('aria-pressed'), 'true');
  await records.nth(1).click();
  const line = (await records.nth(1).getAttribute('data-line')).split(' ');
  assert.equal(await page.locator('.explore-line .ply').count(), line.length);
  await named(page, en('playback.next')).click();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('.ply[aria-current]').textContent(), await page.locator('.explore-line .ply').nth(1).textContent());
  await named(page, en('playback.last')).click();
  assert.equal(await page.locator('.explore-line .ply').last().getAttribute('aria-current'), 'step');
  await visitor.picture('gallery', { fullPage: true });
});

test('every figure is there and says what it shows, in both languages', async () => {
  for (const locale of ['en-GB', 'ja-JP']) {
    const visitor = await house.visit({ locale });
    const page = await visitor.open('/gallery');
    const figures = page.locator('.figures img');
    assert.ok(await figures.count() >= 12);
    for (const figure of await figures.all()) {
      await figure.scrollIntoViewIfNeeded();
      await figure.evaluate((image) => image.decode());
      assert.ok((await figure.getAttribute('alt')).length > 10);
    }
  }
});
