/** A game after its end: replayed with everybody's eyes, its curves, what was missed, its records. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bringAxe } from './faults.js';
import { PHONE, collection, openHouse, words, wordsOf } from './house.js';
import { cell, named } from './hands.js';
import { place, reviewed, shown } from './tables.js';

const house = openHouse();
const en = (key, values) => words('en', key, values);

const REDS = ['b1', 'c2', 'd1', 'e2'];

/** Plays on against a program and gives up at one's first turn after so many moves; the game then. */
async function finished(visitor, wish, moves) {
  let game = await visitor.post('games', wish);
  const path = `games/${game.game}`;
  while (game.stage === 'playing') {
    const { ply } = game;
    const choices = game.geister?.legal ?? game.kriegspiel.tries;
    if (!game.your_turn) game = await visitor.get(path);
    else if (ply >= moves) game = await visitor.post(`${path}/resign`);
    else game = await visitor.post(`${path}/moves`, { move: choices[ply % choices.length], ply });
  }
  return visitor.get(path);
}

const ghosts = (visitor, wish = {}) => finished(visitor, { kind: 'geister', opponent: 'random', seat: 'first', red: REDS, ...wish }, 10);
const men = (visitor, wish = {}) => finished(visitor, { kind: 'kriegspiel', opponent: 'greedy', seat: 'first', ...wish }, 8);

/** A review that could be one of this game: it falls, it rises, and at one place nothing is seen. */
function reviewOf(game, moves = {}) {
  const seat = (first) => {
    const plies = [...Array(game.ply).keys()].filter((ply) => ply % 2 === first).concat(game.ply);
    const number = (index) => (index === 1 ? null : index + 3 * first);
    return {
      turns: plies.map((ply, index) => ({ ply, number: number(index), velocity: 0.25, mass: 0.75, momentum: 0.1875, energy: 0.09 })),
      turning: [{ ply: plies[1], rise: true, from: 2, to: null }, { ply: plies[2], rise: false, from: null, to: 4 }],
      missed: [], kept: first, beliefs: [], knowledge: [], ...moves[first],
    };
  };
  return { v: 1, status: 'done', seats: [seat(0), seat(1)] };
}

/** Opens a finished game whose review comes at the second question. */
async function openReplay(visitor, game, review = reviewOf(game)) {
  let asked = 0;
  await visitor.page.route(`**/games/${game.game}/review`, (route) => {
    asked += 1;
    return route.fulfill({ json: asked > 1 ? review : { v: 1, status: 'thinking' } });
  });
  const page = await visitor.open(`/game/${game.game}`);
  await page.waitForSelector('.replay-course .ply');
  const language = await page.locator('html').getAttribute('lang');
  const seen = (eyes) => named(page, words(language, `replay.eyes.${eyes}`));
  assert.equal(await seen('all').getAttribute('aria-pressed'), 'true', 'at the end everything is open');
  await seen('own').click();
  return page;
}

const turned = (square) => `${'fedcba'['abcdef'.indexOf(square[0])]}${7 - Number(square[1])}`;

test('a game of Geister is replayed from both points of view and fully revealed', async () => {
  const visitor = await house.visit();
  const game = await ghosts(visitor);
  const page = await openReplay(visitor, game);
  const eyes = (name) => named(page, en(`replay.eyes.${name}`)).click();

  assert.equal(await place(page), game.ply);
  const own = await shown(page);
  assert.ok(Object.values(own).every((letter) => 'BRu'.includes(letter)), 'their colours stay hidden');
  await eyes('all');
  assert.deepEqual(await shown(page), game.geister.pieces);
  await eyes('other');
  const theirs = await shown(page);
  for (const [square, letter] of Object.entries(game.geister.pieces)) {
    assert.equal(theirs[turned(square)], letter === letter.toUpperCase() ? 'u' : letter.toUpperCase());
  }

  await eyes('own');
  await page.keyboard.press('Home');
  assert.equal(await page.locator('.replay-told').textContent(), en('replay.start'));
  const start = await shown(page);
  for (const column of 'bcde') {
    for (const row of '12') assert.equal(start[column + row], REDS.includes(column + row) ? 'R' : 'B');
    for (const row of '56') assert.equal(start[column + row], 'u');
  }
  await page.keyboard.press('ArrowRight');
  assert.equal(await place(page), 1);
  assert.equal(await page.locator('.mark-last').count(), 2);
  await named(page, en('playback.next')).click();
  assert.equal(await place(page), 2);
  await page.locator('.replay-course .ply').nth(4).click();
  assert.equal(await place(page), 5);
  await named(page, en('playback.last')).click();
  assert.deepEqual(await shown(page), own);
});

test('the list of moves is one stop of the Tab key, and the arrow keys go along it', async () => {
  const visitor = await house.visit();
  const game = await ghosts(visitor);
  const page = await openReplay(visitor, game);
  await reviewed(page);
  const name = (ply) => page.locator('.replay-course .ply').nth(ply - 1).getAttribute('aria-label');
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  await named(page, en('playback.last')).focus();
  await page.keyboard.press('Tab');
  assert.equal(await focused(), await name(game.ply));
  for (const back of [1, 2, 3]) {
    await page.keyboard.press('ArrowLeft');
    assert.equal(await focused(), await name(game.ply - back));
    assert.equal(await place(page), game.ply - back);
  }
  await page.keyboard.press('Home');
  assert.equal(await focused(), await name(1), 'before the first move the focus is on it');
  await page.keyboard.press('End');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.closest('.replay-course')), null, 'one step further the list is left');
});

test('the second seat replays its game from its own side', async () => {
  const visitor = await house.visit();
  const game = await ghosts(visitor, { seat: 'second' });
  const page = await openReplay(visitor, game);
  await named(page, en('replay.eyes.all')).click();
  assert.deepEqual(await shown(page), game.geister.pieces);
  await page.keyboard.press('Home');
  const start = await shown(page);
  for (const square of REDS) assert.equal(start[square], 'R');
  for (const square of game.geister.truth[0]) assert.equal(start[turned(square)], 'r');
});

test('curves, turning points and keys lead through the game', async () => {
  const visitor = await house.visit();
  const game = await ghosts(visitor);
  const page = await openReplay(visitor, game);
  await page.getByText(en('replay.thinking')).waitFor();
  await reviewed(page);
  const chart = page.locator('.curve svg[role=slider]');
  assert.equal(await chart.count(), 1);
  // One value of each seat is infinite: a sign above a gap.
  assert.equal(await chart.locator('.infinite').count(), 2);

  await chart.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await chart.boundingBox();
  await page.mouse.move(x + width - 9, y + height / 2);
  await page.mouse.move(x + 35, y + height / 2);
  assert.equal(await chart.getAttribute('aria-valuenow'), '0');
  await chart.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.equal(await place(page), 2);
  assert.equal(await chart.getAttribute('aria-valuetext'), en('replay.curves.told', {
    n: 2, first: `${en('replay.you')} ∞`, second: `${en('replay.other')} 3`,
  }));

  const own = page.getByRole('button', { name: en('replay.turn.own.open', { to: 4 }) });
  await own.click();
  assert.equal(await place(page), 4);
  await named(page, en('replay.curves.motion')).click();
  assert.equal(await chart.count(), 2);
  assert.equal(await chart.first().getAttribute('aria-valuenow'), '4');
  await page.getByText(words('en', 'replay.kept.other.one', { name: en('replay.other'), n: 1 })).waitFor();
});

test('a missed win is shown and becomes a puzzle; beliefs are shown on the ghosts', async () => {
  const visitor = await house.visit();
  const game = await ghosts(visitor);
  const played = game.geister.events[2].move;
  const miss = { ply: 2, plies: 7, move: 'b2b3', played, position: collection[0].position };
  const blue = Object.fromEntries(Object.entries(game.geister.pieces).filter(([, letter]) => 'BR'.includes(letter)).map(([square]) => [square, 0.43]));
  const beliefs = [{ ply: game.ply - 1, by: 'champion', blue }];
  const page = await openReplay(visitor, game, reviewOf(game, [{ missed: [miss], beliefs }]));
  await reviewed(page);

  await page.getByLabel(en('replay.belief.geister')).check();
  await page.keyboard.press('End');
  assert.equal(await page.locator('.badge.label').count(), Object.keys(blue).length);
  await page.getByText(en('replay.belief.instead', { where: en('replay.belief.on-own'), name: en('opponent.champion') })).waitFor();
  const [square] = Object.keys(blue);
  assert.match(await cell(page, square).getAttribute('aria-label'), new RegExp(en('replay.belief.said', { n: 43 })));

  await named(page, en('replay.eyes.other')).click();
  await page.getByRole('button', { name: `${en('replay.at-move', { n: 3 })} ${en('replay.show')}` }).click();
  assert.equal(await named(page, en('replay.eyes.all')).getAttribute('aria-pressed'), 'true');
  assert.equal(await place(page), 2);
  assert.equal(await page.locator('.arrow.best').count(), 1);

  let asked = null;
  await page.route('**/puzzle', (route) => {
    asked = route.request().postDataJSON();
    return route.fulfill({ json: { v: 1, puzzle: collection[0].id } });
  });
  await page.getByRole('button', { name: en('replay.puzzle') }).click();
  await page.waitForURL(`**/puzzle/${collection[0].id}`);
  assert.deepEqual(asked, { ply: 2, seat: 'first' });
});

test('a game of Kriegspiel is replayed as each side knew it', async () => {
  const visitor = await house.visit();
  const game = await men(visitor);
  const known = { ply: game.ply - 1, sure: '0000000000000010', possible: '00000000000000ff' };
  const page = await openReplay(visitor, game, reviewOf(game, [{ knowledge: [known] }]));
  const eyes = (name) => named(page, en(`replay.eyes.${name}`)).click();
  const isWhite = (letter) => letter === letter.toUpperCase();

  const own = await shown(page);
  assert.ok(Object.values(own).every(isWhite));
  assert.deepEqual(await page.locator('.replay-course .ply').nth(1).textContent(), '?');
  assert.match(await page.locator('.replay-told').textContent(), new RegExp(en('replay.umpire', { words: '' })));
  await eyes('all');
  assert.deepEqual(await shown(page), game.kriegspiel.pieces);
  assert.notEqual(await page.locator('.replay-course .ply').nth(1).textContent(), '?');
  await eyes('other');
  assert.ok(Object.values(await shown(page)).every((letter) => !isWhite(letter)));
  const [top, bottom] = await Promise.all(['a1', 'a8'].map((square) => cell(page, square).boundingBox()));
  assert.ok(top.y < bottom.y, 'Black is below');

  await reviewed(page);
  await eyes('own');
  await page.getByLabel(en('replay.belief.kriegspiel')).check();
  assert.equal(await page.locator('.board-marks .shade-sure').count(), 1);
  assert.equal(await page.locator('.board-marks .shade-possible').count(), 7);
  assert.deepEqual(
    await page.locator('.replay-forms a[download]').evaluateAll((links) => links.map((link) => new URL(link.href).search)),
    ['?form=pgn']);
});

test('on a phone and in Japanese everything fits and can be used', async () => {
  const visitor = await house.visit({ locale: 'ja-JP', viewport: PHONE, hasTouch: true });
  await bringAxe(visitor);
  const game = await ghosts(visitor);
  const page = await openReplay(visitor, game);
  await reviewed(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  const text = await page.locator('#panel').innerText();
  assert.deepEqual(Object.keys(wordsOf('en')).filter((key) => key.startsWith('replay.') && text.includes(key)), []);
  const chart = page.locator('.curve svg[role=slider]');
  await chart.tap({ position: { x: 35, y: 60 } });
  assert.equal(await chart.getAttribute('aria-valuenow'), '0');
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    const found = await page.evaluate(async () => (await window.axe.run('#panel')).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)}`));
    assert.deepEqual(found, []);
  }
});
