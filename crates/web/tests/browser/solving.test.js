/** Solving: right moves, wrong ones, longer ones, hints, and what is told in the end. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstMoves, openHouse, puzzleWith, words } from './house.js';
import { drag, named, play, rate, solve, status } from './hands.js';

const house = openHouse();
const en = (key, values) => words('en', key, values);

/** Different puzzles: at one address, ratings move by a puzzle for one visitor only. */
const used = [];
const [short, dragged, shown] = [0, 1, 2].map(() => {
  const found = puzzleWith('five plies and one right first move', (record) => !used.includes(record.id)
    && record.m_win === 5 && firstMoves(record).right.length === 1 && record.themes.length > 1 && record.grade?.basis === 'calibrated');
  used.push(found.id);
  return found;
});

test('a whole puzzle by dragging, and its result', async () => {
  // With motion: the board must also be right after what moves has come to rest.
  const visitor = await house.visit({ reducedMotion: 'no-preference' });
  const page = await visitor.open(`/puzzle/${dragged.id}`);
  assert.match(await page.locator('.task-goal').textContent(), /^Win in 3 moves$/);
  let answers = 0;
  const last = await solve(visitor, dragged, drag, async (attempt) => {
    answers += 1;
    assert.equal(attempt.judgement.reply.side, 'top');
    assert.equal(await status(page).locator('.status-title').textContent(), en('judge.right'));
    // The board shows what the server says: every ghost stands where the position has one.
    const shown = await page.locator('.board-pieces .piece').count();
    assert.equal(shown, attempt.position.split(' ')[0].replace(/[\d/]/g, '').length);
    if (answers === 1) await visitor.picture('solve');
  });
  assert.equal(answers, 2);
  assert.equal(last.state, 'solved');
  await page.waitForSelector('.grade');
  assert.equal(await status(page).locator('.status-title').textContent(), en('outcome.solved'));
  assert.equal(await page.locator('.grade .note').textContent(), en('grade.basis.calibrated'));
  assert.equal(await page.locator('.grade .chip').count(), dragged.themes.length);
  const facts = await page.locator('.facts').textContent();
  assert.match(facts, new RegExp(en('result.first')));
  assert.match(facts, /Your rating\s*1,\d{3}/);
  assert.match(await page.locator('.scale').first().textContent(), new RegExp(String(Math.abs(dragged.grade.difficulty).toFixed(1))));

  const rated = page.waitForResponse((response) => response.url().endsWith('/ratings'));
  await rate(page, 1, -1);
  await rated;
  await page.getByText(en('rate.saved')).waitFor();
  const { result } = await visitor.attempt(last.attempt);
  assert.deepEqual(result.mine, { interest: 1, difficulty: -1 });
  assert.deepEqual(result.people, { interest: 1, difficulty: -1, ratings: 1 });
  const me = await visitor.get('me');
  assert.equal(me.attempts, 1);
  assert.equal(me.solved, 1);
  assert.ok(me.rating > 1500);

  await page.emulateMedia({ colorScheme: 'dark' });
  await page.evaluate(() => scrollTo(0, 0));
  await visitor.picture('result');
  await named(page, en('action.next')).click();
  await page.waitForURL((url) => /^\/puzzle\//.test(url.pathname) && !url.pathname.endsWith(dragged.id));
  assert.ok(page.url().endsWith(`/puzzle/${result.next}`));
});

test('a wrong move is refuted; taken back, it is practice; the solution has variations', async () => {
  const visitor = await house.visit();
  const page = await visitor.open(`/puzzle/${short.id}`);
  const lost = await play(page, firstMoves(short).lost[0]);
  assert.equal(lost.state, 'failed');
  assert.equal(lost.result.counted, true);
  assert.equal(lost.result.line, null);
  assert.equal(await status(page).locator('.status-title').textContent(), en('judge.lost'));
  const told = await status(page).textContent();
  const [from, to] = [lost.judgement.reply.move.slice(0, 2), lost.judgement.reply.move.slice(2)];
  assert.match(told, new RegExp(`The opponent replies ${from}.${to === '-out' ? 'out' : to}`));
  assert.match(told, /Your rating: [\d,]+ \(-\d+\)/);
  await page.locator('.arrow.refutation').waitFor();

  await named(page, en('action.take-back')).click();
  await page.getByText(en('solve.practice')).waitFor();
  const back = await visitor.attempt(lost.attempt);
  assert.deepEqual([back.events, back.state, back.plies], [[], 'failed', 5]);
  const practised = await solve(visitor, short);
  assert.equal(practised.result.outcome, 'failed');
  await page.waitForSelector('.grade');
  assert.equal(await status(page).locator('.status-title').textContent(), en('outcome.practised'));
  assert.equal((await visitor.get('me')).attempts, 1, 'one attempt counts, and it counts once');
  // Newcomers do not move the rating of a puzzle, and move their own in small steps.
  assert.match(await page.locator('.facts').textContent(), new RegExp(en('result.first')));
  await page.getByText(en('result.slow')).waitFor();

  // The solution from its start, ply by ply, then a move of one's own.
  await named(page, en('playback.first')).click();
  const plies = page.locator('.explore .line .ply');
  assert.equal(await plies.count(), 5);
  await named(page, en('playback.next')).click();
  assert.equal(await plies.first().getAttribute('aria-current'), 'step');
  await named(page, en('playback.first')).click();
  await page.getByText(en('verdict.win.own', { n: 3 })).waitFor();
  await page.locator('.move-value.no-win').first().click();
  await page.getByText(en('explore.branch')).waitFor();
  await page.locator('.verdict.no-win').waitFor();
  await named(page, en('explore.back')).click();
  await page.getByText(en('explore.solution'), { exact: true }).waitFor();
  await page.getByText(en('verdict.win.own', { n: 3 })).waitFor();
});

test('showing the solution ends the attempt unsolved', async () => {
  const visitor = await house.visit();
  const page = await visitor.open(`/puzzle/${shown.id}`);
  await named(page, en('action.solution')).click();
  await page.getByText(en('outcome.shown')).waitFor();
  await page.locator('.explore .ply').first().waitFor();
  const moves = await page.locator('.explore .ply').allTextContents();
  assert.deepEqual(moves.map((text) => text.replace(/[–×]/, '').replace(' out', '-out')), shown.line);
  const me = await visitor.get('me');
  assert.deepEqual([me.attempts, me.solved], [1, 0]);
});

test('a longer win shows by how much; it can be taken back or continued', async () => {
  const record = puzzleWith('a first move that wins later', (one) =>
    one.m_win <= 9 && firstMoves(one).longer.length > 0);
  const { move, m_win: plies } = firstMoves(record).longer[0];
  const visitor = await house.visit();
  const page = await visitor.open(`/puzzle/${record.id}`);
  const longer = await play(page, move);
  assert.deepEqual([longer.judgement.verdict, longer.judgement.by, longer.state], ['longer', plies - record.m_win, 'open']);
  const moves = (plies - record.m_win) / 2;
  const title = moves === 1 ? en('judge.longer.one', { n: 1 }) : en('judge.longer', { n: moves });
  assert.equal(await status(page).locator('.status-title').textContent(), title);

  await named(page, en('action.take-back')).click();
  await page.waitForFunction(() => document.querySelectorAll('.mark-last').length === 0);
  const back = await visitor.attempt(longer.attempt);
  assert.deepEqual([back.state, back.counts, back.events.length, back.plies], ['open', true, 0, record.m_win]);

  const again = await play(page, move);
  await named(page, en('action.go-on')).click();
  assert.equal(await page.locator('.actions button').count(), 0);
  let attempt = again;
  while (attempt.state === 'open') attempt = await play(page, await visitor.bestMove(attempt.position));
  assert.equal(attempt.state, 'solved');
  assert.equal(attempt.result.longer_by, plies - record.m_win);
  await page.waitForSelector('.grade');
  assert.match(await page.locator('.facts').textContent(), new RegExp(`Slower than the shortest win\\s*${(plies - record.m_win) / 2} move`));
});

test('a hint marks the ghost and makes the attempt unrated', async () => {
  const visitor = await house.visit();
  const page = await visitor.open(`/puzzle/${short.id}`);
  const answered = page.waitForResponse((response) => response.url().endsWith('/hint'));
  await named(page, en('action.hint')).click();
  const hinted = await (await answered).json();
  const square = short.line[0].slice(0, 2);
  assert.deepEqual([hinted.hint, hinted.counts], [square, false]);
  await page.getByText(en('hint.cost')).waitFor();
  assert.match(await page.locator(`[data-key="${square}"]`).getAttribute('aria-label'), /hint/);
  const mark = await page.locator('.mark-hint').boundingBox();
  const cell = await page.locator(`[data-key="${square}"] rect`).boundingBox();
  assert.ok(Math.abs(mark.x - cell.x) < 2 && Math.abs(mark.y - cell.y) < 2, 'the mark lies on the ghost');
  const last = await solve(visitor, short);
  assert.equal(last.result.counted, false);
  assert.equal((await visitor.get('me')).attempts, 0);
});
