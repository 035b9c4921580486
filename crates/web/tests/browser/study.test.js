/** A study from its making to the file that `spuk train` reads. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { PROGRAM, TOKEN, collection, firstMoves, openHouse, words } from './house.js';
import { named, play, rate, solve, status } from './hands.js';

const house = openHouse();
const en = (key, values) => words('en', key, values);

/** Long enough to solve five plies, on a busy machine too, and short enough to wait for. */
const LIMIT = 8;

/** Runs `spuk train` on a file: how it ends and what it says. */
function train(file) {
  return new Promise((resolve) => {
    execFile(PROGRAM, ['train', file, '--out', `${file}.model`], (error, stdout, stderr) => resolve({ code: error?.code ?? 0, told: stdout + stderr }));
  });
}

test('a study is created, completed and read by spuk train', async () => {
  const researcher = await house.visit();
  researcher.tolerate(/401|403|400.*studies|status of 400/);
  const desk = await researcher.open('/studies');
  await desk.locator('[name=token]').fill('not the token');
  await named(desk, en('studies.sign-in')).click();
  await desk.getByText(en('error.bad-token')).waitFor();
  await desk.locator('[name=token]').fill(TOKEN);
  await named(desk, en('studies.sign-in')).click();
  await desk.getByText(en('studies.none')).waitFor();
  // A study that cannot be comes back with a sentence and with what was filled in.
  await desk.locator('[name=title]').fill('Five plies');
  await desk.locator('[name=puzzles]').fill('no-such-puzzle');
  await named(desk, en('studies.create')).click();
  await desk.locator('[role=alert]').waitFor();
  assert.equal(await desk.locator('[name=title]').inputValue(), 'Five plies');
  await desk.locator('[name=puzzles]').fill('');
  await desk.locator('[name=filter]').fill('/puzzles?length_min=5&length_max=5');
  await desk.locator('[name=count]').fill('3');
  await desk.locator('[name=limit_seconds]').fill(String(LIMIT));
  await named(desk, en('studies.create')).click();
  const link = await desk.locator('td a.code').getAttribute('href');
  assert.match(link, /^\/study\/\w+$/);
  const id = link.split('/').pop();

  const participant = await house.visit();
  const page = await participant.open(link);
  const standing = async () => {
    const { ready, running, puzzle } = await participant.get(`studies/${id}`);
    assert.equal(puzzle, undefined, 'nobody learns the next puzzle before its clock starts');
    return { ready, running };
  };
  assert.deepEqual(await standing(), { ready: false, running: false }, 'nothing before consent');
  await page.getByText(en('study.limit', { puzzles: 3, n: LIMIT })).waitFor();
  await page.getByLabel(en('study.consent')).check();
  await named(page, en('study.take-part')).click();

  const expected = [];
  const begin = async (number) => {
    await page.getByText(en('study.progress', { done: number, total: 3 })).waitFor();
    assert.equal(await page.locator('.cell').count(), 0, 'the board is not shown before the clock runs');
    const started = page.waitForResponse((response) => response.url().endsWith('/next'));
    assert.deepEqual(await standing(), { ready: true, running: false });
    await named(page, en('study.start')).click();
    const attempt = await (await started).json();
    assert.equal(attempt.limit_seconds, LIMIT);
    await page.waitForSelector('.cell.movable');
    assert.equal(await page.locator('.clock').isVisible(), true);
    assert.equal(await page.getByText(en('action.hint')).count(), 0, 'no hints in a study');
    const record = collection.find((one) => one.id === attempt.puzzle);
    assert.ok(record && record.m_win === 5);
    return record;
  };
  const answer = async (record, solved, interest, difficulty) => {
    await page.waitForSelector('.questions');
    assert.equal(await page.locator('.grade, .facts').count(), 0, 'nobody is told what the program thinks');
    assert.equal(await named(page, en('study.next')).isDisabled(), true);
    await rate(page, interest, difficulty);
    await page.getByText(en('rate.saved')).waitFor();
    expected.push({ puzzle: record.id, interest, difficulty, solved });
    await named(page, en('study.next')).click();
  };

  const first = await begin(1);
  await solve(participant, first);
  await answer(first, true, 2, -1);

  const second = await begin(2);
  // After a reload the clock runs on from its start, with the same puzzle and without a button.
  assert.deepEqual(await standing(), { ready: true, running: true });
  const resumed = page.waitForResponse((response) => response.url().endsWith('/next'));
  await page.reload();
  assert.equal((await (await resumed).json()).puzzle, second.id);
  await page.waitForSelector('.cell.movable');
  await play(page, firstMoves(second).lost[0]);
  assert.equal(await status(page).locator('.status-title').textContent(), en('judge.lost'));
  assert.doesNotMatch(await status(page).textContent(), /rating/i);
  await named(page, en('action.solution')).click();
  await answer(second, false, 0, 1);

  const third = await begin(3);
  await page.waitForSelector('.questions', { timeout: (LIMIT + 4) * 1000 });
  await answer(third, false, -2, 2);
  await page.getByText(en('study.thanks')).waitFor();
  assert.equal((await participant.get('me')).attempts, 0, 'a study moves nobody\'s rating');

  await researcher.open('/studies');
  assert.match(await desk.locator('tbody tr').textContent(), /Five plies\s*3\s*1/);
  const waiting = desk.waitForEvent('download');
  await desk.getByRole('link', { name: en('studies.download') }).click();
  const folder = mkdtempSync(join(tmpdir(), 'spuk-study-'));
  try {
    const file = join(folder, 'ratings.csv');
    await (await waiting).saveAs(file);
    const [header, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
    assert.equal(header, 'puzzle,person,interest,difficulty,seconds,solved,seen_before');
    const rows = lines.map((line) => line.split(','));
    assert.deepEqual(
      rows.map(([puzzle, , interest, difficulty, , solved]) => ({ puzzle, interest: Number(interest), difficulty: Number(difficulty), solved: solved === 'true' || solved === '1' })),
      expected);
    assert.equal(new Set(rows.map(([, person]) => person)).size, 1);
    assert.deepEqual(rows.map((row) => row[6]), ['false', 'false', 'false']);
    assert.ok(Number(rows[2][4]) >= LIMIT && Number(rows[2][4]) < LIMIT + 3, `time ran out after ${rows[2][4]} s`);
    assert.ok(rows.slice(0, 2).every((row) => Number(row[4]) > 0 && Number(row[4]) < LIMIT));
    // Every line is understood; there are only too few of them.
    const { code, told } = await train(file);
    assert.equal(code, 2);
    assert.match(told, /3 puzzles rated by 1 persons are too few to learn from/);
  } finally {
    rmSync(folder, { recursive: true });
  }

  // A study that is closed takes nobody in.
  await named(desk, en('studies.close')).click();
  await named(desk, en('studies.open')).waitFor();
  const late = await house.visit();
  await late.open(link);
  await late.page.getByText(en('study.closed')).waitFor();
  assert.equal(await late.page.getByRole('checkbox').count(), 0);
});

test('only researchers see studies', async () => {
  const visitor = await house.visit();
  visitor.tolerate(/401/);
  const page = await visitor.open('/studies');
  assert.equal(await page.locator('[name=title]').count(), 0);
  const response = await visitor.context.request.get(`${house.address}/api/v1/studies`);
  assert.equal(response.status(), 401);
});
