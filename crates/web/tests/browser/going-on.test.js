/** What comes between: a reload, a lost network, another device. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstMoves, openHouse, puzzleWith, words } from './house.js';
import { drag, named, play, solve, status } from './hands.js';

const house = openHouse();
const en = (key, values) => words('en', key, values);

const record = puzzleWith('seven plies', (one) => one.m_win === 7 && firstMoves(one).lost.length > 0);

/** Ghosts that the board shows, by the names of their squares. */
const standing = (page) => page.evaluate(() => [...document.querySelectorAll('.cell')]
  .filter((cell) => /ghost/.test(cell.getAttribute('aria-label')))
  .map((cell) => cell.dataset.key).sort());

test('a reload resumes the attempt', async () => {
  const visitor = await house.visit();
  const page = await visitor.open(`/puzzle/${record.id}`);
  const first = await play(page, record.line[0]);
  const before = await standing(page);
  await page.reload();
  await page.waitForSelector('.mark-last');
  assert.deepEqual(await standing(page), before);
  const second = await play(page, await visitor.bestMove(first.position));
  assert.equal(second.attempt, first.attempt);
  assert.equal(second.judgement.verdict, 'right');
  assert.equal(second.events.length, 4);

  // The first page leads back to it, too, on a device that knows nothing of it.
  await page.evaluate(() => localStorage.clear());
  await visitor.open('/');
  await page.getByRole('link', { name: new RegExp(en('home.continue')) }).click();
  await page.waitForSelector('.mark-last');
  const last = await play(page, await visitor.bestMove(second.position));
  assert.equal(last.attempt, first.attempt);
  assert.equal(last.events.length, 6);
});

test('after a reload a longer win can still be taken back', async () => {
  const longer = puzzleWith('a first move that wins later', (one) => one.m_win <= 9 && firstMoves(one).longer.length > 0);
  const visitor = await house.visit();
  const page = await visitor.open(`/puzzle/${longer.id}`);
  const { attempt } = await play(page, firstMoves(longer).longer[0].move);
  await page.reload();
  await named(page, en('action.take-back')).click();
  await page.waitForFunction(() => document.querySelectorAll('.mark-last').length === 0);
  assert.deepEqual((await visitor.attempt(attempt)).events, []);
});

test('a move survives a short network failure', async () => {
  const visitor = await house.visit();
  visitor.tolerate(/ERR_INTERNET_DISCONNECTED/);
  const page = await visitor.open(`/puzzle/${record.id}`);
  await play(page, record.line[0]).then(async (attempt) => {
    const move = await visitor.bestMove(attempt.position);
    await visitor.context.setOffline(true);
    const answered = page.waitForResponse((response) => response.url().endsWith('/moves'));
    await drag(page, move);
    await page.waitForTimeout(300);
    await visitor.context.setOffline(false);
    const second = await (await answered).json();
    assert.equal(second.judgement.verdict, 'right');
    assert.equal(second.events.length, 4);
  });
  await page.getByText(en('judge.right')).waitFor();
});

test('a lost response is requested again and does no harm', async () => {
  const visitor = await house.visit();
  visitor.tolerate(/ERR_CONNECTION_RESET/);
  const page = await visitor.open(`/puzzle/${record.id}`);
  let lost = 0;
  await page.route('**/moves', async (route) => {
    if (lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    return route.abort('connectionreset');
  });
  const attempt = await play(page, record.line[0]);
  assert.equal(lost, 1);
  assert.equal(attempt.events.length, 2, 'the move was made once');
  await page.getByText(en('solve.your-move')).waitFor();
  const second = await play(page, await visitor.bestMove(attempt.position));
  assert.equal(second.events.length, 4);
});

test('a lasting network failure is shown, and the attempt can be continued afterwards', async () => {
  const visitor = await house.visit();
  visitor.tolerate(/ERR_INTERNET_DISCONNECTED/);
  const page = await visitor.open(`/puzzle/${record.id}`);
  await visitor.context.setOffline(true);
  await drag(page, record.line[0]);
  await page.getByText(en('error.network')).waitFor();
  assert.match(await status(page).getAttribute('class'), /error/);
  await visitor.context.setOffline(false);
  await named(page, en('error.again')).click();
  await page.getByText(en('solve.your-move')).waitFor();
  const attempt = await play(page, record.line[0]);
  assert.equal(attempt.events.length, 2);
});

test('a code transfers the progress to another device', async () => {
  // None that another test tries: at one address, ratings move by a puzzle for one visitor only.
  const short = puzzleWith('five plies', (one) => one.m_win === 5 && firstMoves(one).longer.length === 0);
  const old = await house.visit();
  await old.open(`/puzzle/${short.id}`);
  await solve(old, short);
  await old.open('/settings');
  await named(old.page, en('settings.transfer-make')).click();
  await old.page.waitForFunction(() => document.getElementById('transfer-code').textContent.length > 8);
  const code = await old.page.locator('#transfer-code').textContent();

  const fresh = await house.visit();
  await fresh.open('/settings');
  assert.equal((await fresh.get('me')).solved, 0);
  await fresh.page.getByLabel(en('settings.transfer-enter')).fill(code.toUpperCase());
  await named(fresh.page, en('settings.transfer-claim')).click();
  await fresh.page.getByText(words('en', 'settings.claimed.one', { n: 1 })).waitFor();
  assert.deepEqual(await fresh.get('me'), await old.get('me'));
  await fresh.page.reload();
  await fresh.open('/progress');
  assert.match(await fresh.page.locator('.facts').textContent(), /Solved\s*1/);

  // A code works once, and what goes wrong is a sentence.
  const third = await house.visit();
  third.tolerate(/400.*claim|claim.*400|status of 400/);
  await third.open('/settings');
  await third.page.getByLabel(en('settings.transfer-enter')).fill(code);
  await named(third.page, en('settings.transfer-claim')).click();
  await third.page.getByText(en('error.bad-code')).waitFor();
  assert.equal((await third.get('me')).solved, 0);
});
