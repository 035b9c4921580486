/**
 * Whole games, from the form that asks for one to the last word of the review: each kind, in each
 * language, by each kind of hand.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bringAxe, faults } from './faults.js';
import { HANDS, announced, cell, endsOf, focus, focusedCell, named } from './hands.js';
import { openHouse, words, wordsOf } from './house.js';
import { assertEnd, begin, idOf, move, place, playToTheEnd, reviewed, shown, symbols, title, turn } from './tables.js';

const house = openHouse();

const LOCALES = { en: 'en-GB', ja: 'ja-JP' };

/** A visitor with a language and one kind of hand, who never uses another. */
async function player(language, way) {
  const hand = HANDS[way];
  const visitor = await house.visit({ ...hand.browser, locale: LOCALES[language] });
  await bringAxe(visitor);
  const say = (key, values) => words(language, key, values);
  const press = (key) => hand.press(visitor.page, named(visitor.page, say(key)));
  return Object.assign(visitor, { language, way, hand, say, press });
}

/** A picture of the visitor's page, to be looked at by eye. */
const look = (visitor, kind, name) =>
  visitor.picture(`whole-${kind}-${visitor.language}-${visitor.way}-${name}`, { fullPage: name === 'replay' });

/** Whoever uses keys is where they were: nothing that happened took the focus away. */
async function assertFocus({ page, way }, where = focusedCell) {
  if (way === 'keyboard') assert.ok(await where(page), 'the focus stays');
}

/** Whether a sentence is made from words of the language whose names start like this. */
function isSaid(language, start, sentence) {
  const plain = (text) => text.replace(/[.*+?^$()[\]\\|]/g, '\\$&');
  const patterns = Object.entries(wordsOf(language)).filter(([key]) => key.startsWith(start))
    .map(([, text]) => new RegExp(`^${plain(text).replace(/\{\w+\}/g, '.+')}$`));
  return patterns.some((pattern) => pattern.test(sentence));
}

/* The replay */

/** One step of the replay. Once the focus is beside the board, keys do it without their buttons. */
const KEYS = { next: 'ArrowRight', last: 'End' };
const step = (visitor, where) => (visitor.way === 'keyboard' && KEYS[where]
  ? visitor.page.keyboard.press(KEYS[where])
  : visitor.press(`playback.${where}`));

/** Goes through a finished game from its start, ply by ply; what is told at each. */
async function stepThrough(visitor, plies) {
  const { page, say } = visitor;
  const told = page.locator('.replay-told');
  await step(visitor, 'first');
  assert.equal(await told.textContent(), say('replay.start'));
  const all = [];
  for (let ply = 1; ply <= plies; ply += 1) {
    await step(visitor, 'next');
    assert.equal(await place(page), ply);
    all.push(await told.textContent());
    assert.ok(all.at(-1).startsWith(say('replay.place', { n: ply, all: plies })), all.at(-1));
  }
  return all;
}

/** The review has its curves and its sentences, and both lead to places of the game. */
async function assertReview(visitor) {
  const { page, say, hand, language } = visitor;
  await reviewed(page);
  const titles = ['curves', 'turns', 'missed'].map((name) => say(`replay.${name}`));
  assert.deepEqual(await page.locator('.replay-review h3').allTextContents(), titles);
  await visitor.press('replay.curves.motion');
  const measures = ['velocity', 'mass'].map((name) => say(`replay.measure.${name}`));
  const charts = page.locator('.curve svg[role=slider]');
  assert.deepEqual(await charts.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))), measures);

  const { seats } = await visitor.get(`games/${idOf(page)}/review`);
  const turnings = seats.flatMap((seat) => seat.turning.map(({ ply }) => ply)).sort((one, other) => one - other);
  const buttons = page.locator('.turnings button');
  const sentences = turnings.length ? await buttons.locator('span:last-child').allTextContents() : [];
  assert.equal(sentences.length, turnings.length);
  for (const sentence of sentences) assert.ok(isSaid(language, 'replay.turn.', sentence), sentence);
  if (turnings.length === 0) {
    await page.getByText(say('replay.turn.none')).waitFor();
  } else {
    await hand.press(page, buttons.first());
    assert.equal(await place(page), turnings[0]);
  }
}

/** Looks at the game after its end, with this hand: all is open, all can be stepped through. */
async function assertReplay(visitor, { pieces, hidden, plies, kind }) {
  const { page, say, language } = visitor;
  await page.waitForSelector('.replay-course .ply');
  assert.equal(await page.locator('.replay-course .ply').count(), plies);
  assert.deepEqual(await shown(page), pieces, 'at the end everything is open');
  const told = await stepThrough(visitor, plies);
  await visitor.press('replay.eyes.own');
  assert.ok(Object.values(await shown(page)).every((letter) => !hidden.includes(letter)), 'with one\'s own eyes the secrets are kept');
  await visitor.press('replay.eyes.all');
  await assertReview(visitor);
  await step(visitor, 'last');
  assert.deepEqual(await shown(page), pieces);
  await look(visitor, kind, 'replay');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is too wide');
  assert.deepEqual(await faults(visitor, language), []);
  return told;
}

/* Geister */

const REDS = ['b1', 'c2', 'd1', 'e2'];

/** Colours the ghosts, one square after the other. */
async function setUp(visitor) {
  const { page, hand, say } = visitor;
  assert.equal(await title(page), say('game.set-up'));
  for (const square of REDS) await hand.square(page, square);
  await page.getByText(say('game.reds', { n: 4, all: 4 }), { exact: true }).waitFor();
  await look(visitor, 'geister', 'set-up');
  await visitor.press('game.ready');
}

/** Against whom, and on which seat. */
const WISHES = { en: ['random', 'first'], ja: ['rush', 'second'] };

for (const language of ['en', 'ja']) {
  for (const way of ['mouse', 'touch', 'keyboard']) {
    test(`Geister from the form to the replay: ${language}, ${way}`, async () => {
      const visitor = await player(language, way);
      const { page, say, hand } = visitor;
      await begin(visitor, 'geister', ...WISHES[language], hand);
      await setUp(visitor);
      assert.deepEqual((await turn(visitor)).geister.red.toSorted(), REDS);

      await playToTheEnd(visitor, hand.move, async (_, own) => {
        assert.equal(await title(page), say('game.your-turn'));
        await assertFocus(visitor);
        if (own === 4) await look(visitor, 'geister', 'middle');
      });
      const { geister, end, ply } = await assertEnd(visitor, language);
      assert.notEqual(end.how, 'resigned');
      await assertFocus(visitor, focus);
      await look(visitor, 'geister', 'end');
      const told = await assertReplay(visitor, { pieces: geister.pieces, hidden: 'br', plies: ply, kind: 'geister' });
      assert.equal(told.length, geister.events.length);
    });
  }
}

/* Kriegspiel */

/** A mate in few moves, with tries of both sides that run into men they cannot see. */
const WHITE_MATES = ['e2e4', 'e7e5', 'f1c4', 'f8c5', 'd1h5', 'c5g1?', 'g8f6', 'h5e8?', 'h5f7'];
const BLACK_MATES = ['e2e4', 'e7e5', 'f1c4', 'f8c5', 'c4g8?', 'a2a3', 'd8f6', 'a3a4', 'f6f1?', 'f6f2'];

const isRefused = (text) => text.endsWith('?');
const tryText = (text) => `${text.slice(0, 2)}–${text.slice(2, 4)}`;

/** Two people at one table: the first asks for it and sends a link, the second comes by it. */
async function sitDown(host, guest) {
  await begin(host, 'kriegspiel', '', 'first', host.hand);
  await host.page.getByText(host.say('game.waiting-link')).waitFor();
  await look(host, 'kriegspiel', 'set-up');
  await guest.page.goto(await host.page.locator('#invite-link').inputValue());
  await guest.press('game.join');
  await host.page.getByText(host.say('game.your-turn')).waitFor();
  await guest.page.getByText(guest.say('game.their-turn')).waitFor();
  await assertFocus(guest);
}

/** A try that the umpire refuses: the page says so in its language, and the man is back. */
async function assertRefused(visitor, text) {
  const { page, say, hand } = visitor;
  const [from, to] = endsOf(text);
  const before = await shown(page);
  const { ply } = await turn(visitor);
  assert.equal((await move(visitor, text, hand.move)).ply, ply, 'nothing was moved');
  await page.getByText(say('game.illegal', { move: tryText(text) })).waitFor();
  await page.getByText(say('game.try-again')).waitFor();
  assert.deepEqual(await shown(page), before, 'the man is back');
  assert.ok((await announced(page)).includes(say('game.log-illegal', { move: tryText(text) })));
  assert.doesNotMatch(await cell(page, to).getAttribute('aria-label'), new RegExp(say('cell.target')), `${from} is let go`);
  await assertFocus(visitor);
  await look(visitor, 'kriegspiel', 'middle');
}

/** Plays moves and tries in turn. */
async function playOut([white, black], course, afterMove = async () => {}) {
  let plies = 0;
  for (const text of course) {
    const visitor = [white, black][plies % 2];
    await turn(visitor);
    if (isRefused(text)) {
      await assertRefused(visitor, text.slice(0, 4));
    } else {
      plies += 1;
      assert.equal((await move(visitor, text, visitor.hand.move)).ply, plies, text);
      await afterMove(plies);
    }
  }
}

/** What both are told at the end, and the game as each finds it in the replay. */
async function assertMate(players, course) {
  for (const [seat, visitor] of players.entries()) {
    const { say, language } = visitor;
    const { kriegspiel, end, ply } = await assertEnd(visitor, language);
    assert.equal(end.how, 'checkmate');
    await assertFocus(visitor, focus);
    await look(visitor, 'kriegspiel', 'end');
    const hidden = ['pnbrqk', 'PNBRQK'][seat];
    const told = await assertReplay(visitor, { pieces: kriegspiel.pieces, hidden, plies: ply, kind: 'kriegspiel' });
    assert.ok(told.at(-1).includes(say('game.umpire.checkmate')), told.at(-1));
    const refused = course.filter(isRefused).map((text) => say('replay.refused', { moves: tryText(text) }));
    for (const sentence of refused) assert.ok(told.some((text) => text.includes(sentence)), sentence);
  }
}

/** Everything on the board that is told to those who cannot see it. */
const labels = (page) => page.locator('.cell').evaluateAll((cells) => cells.map((one) => one.getAttribute('aria-label')).join('\n'));

/** Those who watch see an empty board and hear the umpire. */
async function assertDark({ page, say }, plies) {
  await page.waitForFunction((count) => document.querySelectorAll('.umpire li').length === count, plies);
  assert.deepEqual(await symbols(page), []);
  const men = ['k', 'q', 'r', 'b', 'n', 'p'].map((kind) => say(`game.piece.${kind}`));
  assert.doesNotMatch(await labels(page), new RegExp(men.join('|')));
  await page.getByText(say('game.watch-dark')).waitFor();
}

test('Kriegspiel to the mate by a link: English by mouse against Japanese on a phone, with a reload and somebody who watches', async () => {
  const players = [await player('en', 'mouse'), await player('ja', 'touch')];
  const watcher = await player('ja', 'mouse');
  await sitDown(...players);
  await watcher.open(`/game/${idOf(players[0].page)}`);
  await playOut(players, WHITE_MATES, async (plies) => {
    if (plies < 7) await assertDark(watcher, plies);
    if (plies === 3) await players[1].page.reload();
    if (plies === 4) await players[0].page.reload();
    if (plies === 5) await look(watcher, 'kriegspiel', 'watched');
  });
  await watcher.page.getByText(watcher.say('game.has-won', { name: watcher.say('game.seat.kriegspiel.first') })).waitFor();
  await watcher.page.waitForSelector('.replay-course .ply');
  const { kriegspiel } = await turn(watcher);
  assert.equal(Object.keys(kriegspiel.pieces).length, 31);
  assert.deepEqual(await shown(watcher.page), kriegspiel.pieces, 'after the end those who watched see all');
  await assertMate(players, WHITE_MATES);
  await watcher.press('replay.eyes.black');
  assert.ok(Object.values(await shown(watcher.page)).every((letter) => letter === letter.toLowerCase()));
});

test('Kriegspiel to the mate by a link: by keys alone against a mouse, both Japanese', async () => {
  const players = [await player('ja', 'keyboard'), await player('ja', 'mouse')];
  await sitDown(...players);
  await playOut(players, WHITE_MATES);
  await assertMate(players, WHITE_MATES);
});

test('Kriegspiel to the mate by a link: a phone against keys alone, both English', async () => {
  const players = [await player('en', 'touch'), await player('en', 'keyboard')];
  await sitDown(...players);
  await playOut(players, BLACK_MATES);
  await assertMate(players, BLACK_MATES);
});
