/** Nothing that the browser gets gives a solution away before the attempt is over. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstMoves, openHouse, puzzleWith, words } from './house.js';
import { drag, named, play, solve } from './hands.js';

const house = openHouse();

const record = puzzleWith('seven plies, themes, and one right first move', (one) =>
  // Themes of one word, as `defence`, may stand in any sentence.
  one.m_win === 7 && one.themes.length > 0 && one.themes.every((theme) => theme.includes('-')) && firstMoves(one).right.length === 1 && firstMoves(one).longer.length > 0
  && /\.\d\d$/.test(String(one.grade.difficulty)) && /\.\d\d$/.test(String(one.grade.interest)));

/** What a result tells and nothing before may. */
const SECRET = ['line', 'difficulty', 'interest', 'basis', 'reasons', 'themes', 'rating', 'deviation', 'red_wall', 'capture_win', 'first_moves', 'quality', 'grade'];

/** Every name in a JSON value that has something in it. */
function namesIn(value) {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, part]) => [...(part === null || Array.isArray(value) ? [] : [name]), ...namesIn(part)]);
}

/** What gives the puzzle away in something that came from the server. */
function betrayals({ url, body }) {
  const path = new URL(url).pathname;
  // Style and modules are the same for every puzzle; the words name every theme there is.
  const forThisPuzzle = !path.startsWith('/assets/');
  const found = [];
  if (path.startsWith('/api/')) found.push(...namesIn(JSON.parse(body)).filter((name) => SECRET.includes(name)).map((name) => `"${name}"`));
  const told = record.line.slice(0, 3);
  if ([' ', ',', '","', ', '].some((between) => body.includes(told.join(between)))) found.push('the line');
  if (forThisPuzzle) {
    found.push(...record.themes.filter((theme) => new RegExp(theme.replace('-', '[- ]')).test(body)));
    // A clock may show any number.
    const still = body.replace(/"elapsed_seconds":[\d.]+/g, '');
    found.push(...[record.grade.difficulty, record.grade.interest].map(String).filter((number) => still.includes(number)));
  } else if (body.includes(record.id)) {
    found.push('an asset knows the puzzle');
  }
  return found.map((what) => `${path}: ${what}`);
}

/** Keeps everything that the server sends to a page, in its order. */
function keepAnswers(page) {
  const answers = [];
  page.on('response', (response) => {
    if (response.status() < 300) answers.push(response.text().then((body) => ({ url: response.url(), body }), () => null));
  });
  return async () => (await Promise.all(answers)).filter(Boolean);
}

test('an open puzzle does not reveal its line, grade or themes', async () => {
  const visitor = await house.visit();
  const everything = keepAnswers(visitor.page);
  const page = await visitor.open('/puzzles?length_min=7&length_max=7');
  await visitor.open('/');
  await visitor.open(`/puzzle/${record.id}`);
  await play(page, firstMoves(record).longer[0].move);
  await named(page, words('en', 'action.take-back')).click();
  await page.waitForFunction(() => document.querySelectorAll('.mark-last').length === 0);
  await page.reload();
  await visitor.settled();
  let before = [];
  await solve(visitor, record, drag, async () => { before = await everything(); });
  assert.ok(before.length > 20, `${before.length} answers were looked at`);
  assert.ok(before.some(({ url }) => url.endsWith('/moves')) && before.some(({ url }) => url.endsWith(`/puzzle/${record.id}`)));
  // The list has names of all themes in its filters.
  assert.deepEqual(before.filter(({ url }) => new URL(url).pathname !== '/puzzles').flatMap(betrayals), []);

  // The same eyes see it all once the puzzle is solved; otherwise they would be blind.
  await page.waitForSelector('.grade');
  const after = (await everything()).filter(({ url }) => url.endsWith('/moves')).at(-1);
  const seen = betrayals(after).map((text) => text.split(': ')[1]);
  for (const what of ['"line"', '"difficulty"', '"interest"', '"themes"', 'the line', ...record.themes]) assert.ok(seen.includes(what), what);
});

test('a hint and a failed attempt do not reveal the line', async () => {
  const visitor = await house.visit();
  const everything = keepAnswers(visitor.page);
  const page = await visitor.open(`/puzzle/${record.id}`);
  await named(page, words('en', 'action.hint')).click();
  await page.getByText(words('en', 'hint.cost')).waitFor();
  assert.deepEqual((await everything()).flatMap(betrayals), []);
  const failed = await play(page, firstMoves(record).lost[0]);
  assert.equal(failed.result.line, null);
});

test('puzzles and lists reveal no more than a book prints above the diagram', async () => {
  const visitor = await house.visit();
  const known = ['ghosts', 'id', 'm_win', 'position', 'revealed', 'v'];
  assert.deepEqual(Object.keys(await visitor.get(`puzzles/${record.id}`)).sort(), known);
  const { puzzles } = await visitor.get('puzzles?length_min=7');
  assert.deepEqual(Object.keys(puzzles[0]).sort(), [...known, 'standing'].sort());
});
