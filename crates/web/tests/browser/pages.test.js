/** Every page: both languages, both colours, every size, and no more bytes than needed. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bringAxe, faults } from './faults.js';
import { PAGES, PHONE, TOKEN, firstMoves, openHouse, puzzleWith, words } from './house.js';
import { named, play, solve } from './hands.js';

const house = openHouse();

const record = puzzleWith('five plies', (one) => one.m_win === 5 && firstMoves(one).lost.length > 0);
const longer = puzzleWith('a longer win', (one) => one.m_win <= 9 && firstMoves(one).longer.length > 0);

/**
 * Opens every page and every state of a page that looks different, one after the other.
 * @param {(name: string) => Promise<void>} look
 */
async function throughEverything(visitor, language, look) {
  const say = (key, values) => words(language, key, values);
  visitor.tolerate(/\/nothing-here|\/studies|\/analysis\?|401|404/);
  const { page } = visitor;
  for (const path of PAGES) {
    await visitor.open(path);
    await look(path);
  }
  await throughGames(visitor, say, look);
  await visitor.open(`/puzzle/${longer.id}`);
  await play(page, firstMoves(longer).longer[0].move);
  await look('a longer win');
  await visitor.open(`/puzzle/${record.id}`);
  await look('a puzzle');
  await named(page, say('timer.show')).click();
  await named(page, say('action.hint')).click();
  await page.getByText(say('hint.cost')).waitFor();
  await look('a hint');
  await play(page, firstMoves(record).lost[0]);
  await look('a wrong move');
  await named(page, say('action.take-back')).click();
  await page.getByText(say('solve.practice')).waitFor();
  await solve(visitor, record);
  await page.locator('.grade').waitFor();
  await look('a result');
  await named(page, say('playback.first')).click();
  await page.waitForSelector('.move-value', { state: 'attached' });
  await look('a solution');
  await visitor.open('/analysis');
  await page.waitForSelector('.move-value');
  await named(page, say('analysis.set-up')).click();
  await look('a set-up');
  await page.locator('#position-text').fill('7/4u1/B5/6/6/R5 3');
  await named(page, say('analysis.apply')).click();
  await page.locator('.field-error:not(:empty)').waitFor();
  await look('a text that is no position');
  for (const path of ['/', '/progress', '/review']) {
    await visitor.open(path);
    await look(`${path} with something in it`);
  }
  await visitor.open('/streak');
  await named(page, say('streak.start')).click();
  await page.waitForSelector('.cell.movable');
  await look('a streak');
  await visitor.open('/studies');
  await page.locator('input[name=token]').fill(TOKEN);
  await named(page, say('studies.sign-in')).click();
  await page.waitForSelector('[name=title]');
  await page.locator('[name=title]').fill('?');
  await page.locator('[name=puzzles]').fill(`${record.id}\n${longer.id}`);
  await named(page, say('studies.create')).click();
  await page.waitForSelector('td');
  await visitor.settled();
  await look('the desk of a researcher');
  await page.locator('td a.code').first().click();
  await visitor.settled();
  await look('the consent of a study');
  await page.locator('input[type=checkbox]').check();
  await named(page, say('study.take-part')).click();
  await named(page, say('study.start')).waitFor();
  await look('a study before the start');
  await named(page, say('study.start')).click();
  await page.waitForSelector('.cell.movable');
  await look('a study');
}

/** The page of a game before it, in it, and after it. */
async function throughGames(visitor, say, look) {
  const { page } = visitor;
  const begin = async (wish) => visitor.open(`/game/${(await visitor.post('games', wish)).game}`);
  await begin({ kind: 'geister', opponent: null, seat: 'first' });
  await named(page, say('game.by-chance')).click();
  await look('a game that waits for somebody');
  await begin({ kind: 'geister', opponent: 'random', seat: 'second' });
  await named(page, say('game.by-chance')).click();
  await named(page, say('game.ready')).click();
  await page.waitForSelector('.board:not(.editing) .cell.movable');
  await look('a game of Geister');
  await begin({ kind: 'kriegspiel', opponent: 'greedy', seat: 'second' });
  await page.waitForSelector('.cell.movable');
  await look('a game of Kriegspiel');
  await named(page, say('game.resign')).click();
  await look('giving up');
  await named(page, say('game.resign-really')).click();
  await page.getByText(say('game.how.lost.resigned')).waitFor();
  await look('the end of a game');
}

for (const [language, locale] of [['en', 'en-GB'], ['ja', 'ja-JP']]) {
  test(`every page in ${language}: its words are of that language, and axe has nothing to complain about by day or night`, async () => {
    const visitor = await house.visit({ locale });
    await bringAxe(visitor);
    const found = [];
    let looked = 0;
    await throughEverything(visitor, language, async (name) => {
      looked += 1;
      found.push(...(await faults(visitor, language)).map((fault) => `${name}: ${fault}`));
    });
    assert.ok(looked > 25, `${looked} pages`);
    assert.deepEqual(found, []);
  });
}

test('the language is the browser\'s, until one chooses', async () => {
  const visitor = await house.visit({ locale: 'ja-JP' });
  const page = await visitor.open('/rules');
  assert.equal(await page.locator('h1').textContent(), words('ja', 'rules.title'));
  await named(page, 'English').click();
  await page.waitForSelector('html[lang=en]');
  assert.equal(new URL(page.url()).pathname, '/rules', 'one stays on the page');
  assert.equal(await page.locator('h1').textContent(), words('en', 'rules.title'));
  await visitor.open(`/puzzle/${record.id}`);
  await page.getByText(words('en', 'solve.your-move')).waitFor();
  await named(page, '日本語').click();
  await page.waitForSelector('html[lang=ja]');
  await page.getByText(words('ja', 'solve.your-move')).waitFor();
});

test('no page scrolls sideways on the narrowest phone, and fingers hit what matters', async () => {
  const visitor = await house.visit({ viewport: { width: 320, height: PHONE.height }, hasTouch: true, isMobile: true });
  await throughEverything(visitor, 'en', async (name) => {
    const { wide, small } = await visitor.page.evaluate(() => {
      const shown = (element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility !== 'hidden';
      const controls = [...document.querySelectorAll('button, .button, .brand, select, input:not([type=hidden], [type=checkbox], [type=radio]), .five-levels label, summary')];
      return {
        wide: document.documentElement.scrollWidth - innerWidth,
        small: controls.filter(shown).map((element) => [element.getBoundingClientRect(), element])
          .filter(([box]) => box.height < 43.5 || box.width < 40)
          .map(([box, element]) => `${element.outerHTML.slice(0, 90)} ${Math.round(box.width)}x${Math.round(box.height)}`),
      };
    });
    assert.ok(wide <= 0, `${name} is ${wide} px too wide`);
    assert.deepEqual(small, [], name);
  });
});

/** Bytes over the wire, with everything that a page loads. */
async function weigh(visitor, path) {
  const protocol = await visitor.context.newCDPSession(visitor.page);
  await protocol.send('Network.enable');
  let bytes = 0;
  protocol.on('Network.loadingFinished', ({ encodedDataLength }) => { bytes += encodedDataLength; });
  await visitor.page.goto(visitor.address + path, { waitUntil: 'networkidle' });
  return bytes;
}

for (const path of ['/', `/puzzle/${record.id}`]) {
  test(`${path === '/' ? 'the first page' : 'the page of a puzzle'} is light`, async (context) => {
    const bytes = await weigh(await house.visit(), path);
    context.diagnostic(`${bytes} bytes`);
    assert.ok(bytes > 10_000, 'something was weighed');
    assert.ok(bytes < 150_000, `${bytes} bytes`);
  });
}
