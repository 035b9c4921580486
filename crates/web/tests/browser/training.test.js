/** Browsing, reviewing, streaks and progress. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collection, firstMoves, openHouse, puzzleWith, words } from './house.js';
import { named, play, solve, status } from './hands.js';

const house = openHouse();
const en = (key, values) => words('en', key, values);

const record = puzzleWith('five plies', (one) => one.m_win === 5 && firstMoves(one).lost.length > 0);

/** Ids of the puzzles on a list. */
const listed = (page) => page.locator('.boards a').evaluateAll((links) => links.map((link) => new URL(link.href).pathname.split('/').pop()));

/** Every puzzle of the list of these filters, all pages of it, as the interface tells them. */
async function everyListed(visitor, query) {
  const found = [];
  for (let number = 1; ; number += 1) {
    const { pages, puzzles } = await visitor.get(`puzzles?${query}&page=${number}`);
    found.push(...puzzles.map(({ id }) => id));
    if (number >= pages) return found;
  }
}

/** A collection may have a puzzle twice; the site has it once. */
const idsWith = (holds) => [...new Set(collection.filter(holds).map(({ id }) => id))].sort();

test('filters by length, two themes and difficulty show the matching puzzles', async () => {
  const visitor = await house.visit();
  const page = await visitor.open('/puzzles');
  await page.locator('summary').click();
  await page.getByLabel(`${en('browse.length')} ${en('browse.from')}`).fill('9');
  await page.getByLabel(`${en('browse.length')} ${en('browse.to')}`).fill('11');
  await page.getByLabel(`${en('browse.difficulty')} ${en('browse.to')}`).fill('0.5');
  await page.locator('input[value=red-wall]').check();
  await page.locator('input[value=quiet-key]').check();
  await named(page, en('browse.apply')).click();
  await page.waitForURL(/length_min=9/);
  const wanted = idsWith((one) => one.m_win >= 9 && one.m_win <= 11 && one.grade.difficulty <= 0.5
    && ['red-wall', 'quiet-key'].every((theme) => one.themes.includes(theme)));
  assert.ok(wanted.length > 0 && wanted.length < 500);
  assert.match(await page.locator('[role=status]').textContent(), new RegExp(`^${wanted.length} puzzles?\\b`));
  const query = 'length_min=9&length_max=11&difficulty_max=0.5&theme=red-wall&theme=quiet-key';
  assert.deepEqual((await everyListed(visitor, query)).sort(), wanted);
  const shown = await listed(page);
  assert.ok(shown.length > 0 && shown.every((id) => wanted.includes(id)));
  assert.equal(await page.locator('input[value=red-wall]').isChecked(), true, 'the form keeps what was chosen');
  assert.match(await page.locator('.boards .card-title').first().textContent(), /Win in (5|6) moves/);
});

test('a list has pages, and a filter without matches says so', async () => {
  const visitor = await house.visit();
  const page = await visitor.open('/puzzles');
  const first = await listed(page);
  await page.getByRole('link', { name: en('browse.next') }).click();
  await page.waitForURL(/page=2/);
  const second = await listed(page);
  assert.equal(first.length, 24);
  assert.equal(second.filter((id) => first.includes(id)).length, 0);
  await visitor.open('/puzzles?length_min=98');
  await page.getByText(en('browse.none')).waitFor();
});

test('the list shows results, and a failed puzzle stays in the review until it is solved', async () => {
  const visitor = await house.visit();
  const page = await visitor.open(`/puzzle/${record.id}`);
  await play(page, firstMoves(record).lost[0]);
  await visitor.open('/puzzles?standing=failed');
  assert.deepEqual(await listed(page), [record.id]);
  await visitor.open('/review');
  assert.deepEqual(await listed(page), [record.id]);
  await page.getByRole('link', { name: en('review.start'), exact: true }).click();
  await page.waitForURL(`**/puzzle/${record.id}?mode=review`);
  const solved = await solve(visitor, record);
  assert.equal(solved.mode, 'review');
  assert.equal(solved.result.counted, false, 'only the first attempt counts');
  await named(page, en('action.next')).click();
  await page.getByText(en('review.none')).waitFor();
  await visitor.open('/puzzles?standing=solved');
  assert.deepEqual(await listed(page), [record.id]);
  assert.equal(await page.locator('.card.solved').count(), 1);
  const unsolved = await everyListed(visitor, 'standing=unsolved&length_max=5');
  assert.ok(unsolved.length > 0 && !unsolved.includes(record.id));
});

test('a puzzle has an address of its own, and a picture for those who share it', async () => {
  const visitor = await house.visit();
  const page = await visitor.open('/puzzles?length_min=7&length_max=7');
  await page.locator('.boards a').first().click();
  await page.waitForURL('**/puzzle/*');
  await visitor.settled();
  const link = await page.locator('#solve > p a').getAttribute('href');
  assert.equal(new URL(page.url()).pathname, link);
  const picture = await page.locator('meta[property="og:image"]').getAttribute('content');
  const response = await visitor.context.request.get(new URL(picture, house.address).href);
  assert.equal(response.headers()['content-type'], 'image/png');
  const png = await response.body();
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1200, 630]);
  const drawn = await page.evaluate(async (address) => {
    const image = await createImageBitmap(await (await fetch(address)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, image.width, image.height);
    return new Set(new Uint32Array(data.buffer)).size;
  }, picture);
  assert.ok(drawn > 20, 'the picture shows something');
});

test('a streak grows with each solved puzzle and ends with a mistake', async () => {
  const visitor = await house.visit();
  const page = await visitor.open('/streak');
  await named(page, en('streak.start')).click();
  const count = page.locator('#streak-count strong');
  for (let number = 0; number < 2; number += 1) {
    await page.waitForFunction((text) => document.querySelector('#streak-count strong')?.textContent === text, String(number));
    const { puzzle } = await visitor.get('streak');
    await page.waitForSelector('.cell.movable');
    const started = collection.find((one) => one.id === puzzle);
    await solve(visitor, started);
  }
  await page.waitForFunction(() => document.querySelector('#streak-count strong')?.textContent === '2');
  await page.waitForSelector('.cell.movable');
  // A reload is no mistake.
  await page.reload();
  await page.waitForSelector('.cell.movable');
  assert.equal(await count.textContent(), '2');
  assert.equal(await page.getByText(en('action.hint')).count(), 0, 'no hints in a streak');
  const { puzzle } = await visitor.get('streak');
  await play(page, firstMoves(collection.find((one) => one.id === puzzle)).lost[0]);
  await named(page, en('streak.again')).waitFor();
  assert.equal(await status(page).locator('.status-title').textContent(), en('judge.lost'));
  assert.equal(await named(page, en('action.take-back')).count(), 0);
  const over = await visitor.get('streak');
  assert.deepEqual([over.count, over.best, over.over, over.puzzle], [2, 2, true, null]);
  await named(page, en('action.solution')).click();
  await page.locator('.explore .ply').first().waitFor();
  await named(page, en('streak.again')).click();
  await page.waitForFunction(() => document.querySelector('#streak-count strong')?.textContent === '0');
  await page.waitForSelector('.cell.movable');
  const anew = await visitor.get('streak');
  assert.deepEqual([anew.count, anew.best], [0, 2]);
  assert.notEqual(anew.puzzle, puzzle);
});

test('progress: a curve, and a bar for each theme', async () => {
  const visitor = await house.visit();
  const page = await visitor.open('/progress');
  await page.getByText(en('progress.chart-empty')).waitFor();
  // Through the interface, for it is the page that is tested here.
  const some = idsWith((one) => one.m_win === 5).slice(0, 6).map((id) => collection.find((one) => one.id === id));
  for (const [number, one] of some.entries()) {
    const { attempt } = await visitor.post(`puzzles/${one.id}/attempts`, { mode: 'puzzle' });
    if (number % 3 === 2) {
      await visitor.post(`attempts/${attempt}/solution`);
      continue;
    }
    let answer = await visitor.post(`attempts/${attempt}/moves`, { move: one.line[0], ply: 0 });
    while (answer.state === 'open') {
      const move = await visitor.bestMove(answer.position);
      answer = await visitor.post(`attempts/${attempt}/moves`, { move, ply: answer.events.length });
    }
  }
  await visitor.open('/progress');
  const points = (await page.locator('.chart .series').getAttribute('points')).trim().split(' ');
  assert.equal(points.length, some.length);
  const { themes } = await visitor.get('progress');
  const met = themes.filter(({ tried }) => tried > 0);
  assert.equal(await page.locator('tbody tr').count(), met.length);
  for (const { theme, tried, solved } of met) {
    const of = some.filter((one) => one.themes.includes(theme));
    assert.deepEqual([tried, solved], [of.length, of.filter((one) => some.indexOf(one) % 3 !== 2).length], theme);
  }
  const facts = await page.locator('.facts').textContent();
  assert.match(facts, /Puzzles attempted\s*6/);
  assert.match(facts, /Solved\s*4/);
  await visitor.picture('progress');
  await visitor.open('/');
  assert.match(await page.locator('.facts').textContent(), /4 of 6/);
});

test('the first page', async () => {
  const visitor = await house.visit();
  const page = await visitor.open('/');
  assert.equal(await page.locator('.hero svg').count(), 1);
  const daily = await visitor.get('puzzles/daily');
  await visitor.picture('home');
  await page.locator('a.card[href="/daily"]').click();
  await page.waitForSelector('.cell.movable');
  assert.equal(await page.locator('#solve').getAttribute('data-puzzle'), daily.id);
});
