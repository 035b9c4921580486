/** Phantom tic-tac-toe by a link: tries, refusals, what each sees, the draw and the replay. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onPhone, openHouse, words } from './house.js';
import { announced, cell, middle, named } from './hands.js';
import { assertEnd, begin, idOf, symbols, title, viewOf } from './tables.js';

const house = openHouse();
const KIND = 'phantom-tic-tac-toe';

/** A full board; `!` marks tries that are refused. X leaves c2 out, and then O a2. */
const COURSE = ['b2', '!b2', 'a1', 'c3', 'b1', '!a1', 'c1', 'a3', 'b3', 'c2', 'a2'];

const click = (page, { x, y }) => page.mouse.click(x, y);
const touch = (page, { x, y }) => page.touchscreen.tap(x, y);

/** Tries a square and waits until the server has it. */
async function attempt({ page, hand }, square) {
  await page.waitForSelector('.cell.goal');
  const answered = page.waitForResponse((response) => response.url().endsWith('/moves'));
  await hand(page, await middle(page, square));
  assert.equal((await answered).status(), 200);
  return (await answered).json();
}

/** A refused try says so to the one who tried, and shows whose the square is. */
async function assertRefused({ page, language }, square, mark) {
  await page.getByText(words(language, 'game.taken', { square }), { exact: true }).waitFor();
  await page.getByText(words(language, 'game.try-again')).waitFor();
  assert.ok((await announced(page)).includes(words(language, 'game.log-taken', { square })));
  assert.match(await cell(page, square).getAttribute('aria-label'), new RegExp(mark));
}

test('a game by invite link to a full board: English by mouse against Japanese on a phone, with a spectator', async () => {
  const host = Object.assign(await house.visit(), { language: 'en', hand: click });
  const guest = Object.assign(await house.visit({ ...onPhone, locale: 'ja-JP' }), { language: 'ja', hand: touch });
  const watcher = await house.visit();
  await begin(host, KIND, '', 'first');
  await guest.page.goto(await host.page.locator('#invite-link').inputValue());
  await named(guest.page, words('ja', 'game.join')).tap();
  await watcher.open(`/game/${idOf(host.page)}`);
  let plies = 0;
  for (const text of COURSE) {
    const [visitor, other] = plies % 2 === 0 ? [host, guest] : [guest, host];
    const square = text.replace('!', '');
    const before = await viewOf(other);
    const view = await attempt(visitor, square);
    if (text.startsWith('!')) {
      assert.equal(view.ply, plies, 'the turn stays');
      await assertRefused(visitor, square, plies % 2 === 0 ? 'O' : 'X');
      assert.deepEqual(await viewOf(other), before, 'the opponent hears nothing');
      if (plies === 1) await visitor.picture('phantom-tic-tac-toe-refused');
    } else {
      plies += 1;
      assert.equal(view.ply, plies, text);
    }
    if (plies < 9) assert.deepEqual(await symbols(watcher.page), []);
  }
  for (const visitor of [host, guest]) {
    await visitor.page.waitForSelector('.replay-course .ply');
    const { end } = await assertEnd(visitor, visitor.language);
    assert.deepEqual(end, { how: 'full-board', winner: null });
    assert.equal((await symbols(visitor.page)).length, 9, 'everything is shown');
  }
  const { page } = host;
  await page.waitForSelector('.missed li');
  assert.equal(await page.locator('.missed li').count(), 2);
  assert.equal(await page.locator('.curve').count(), 0, 'there is nothing to draw curves of');
  await host.picture('phantom-tic-tac-toe-end');
  await named(page, `${words('en', 'replay.at-move', { n: 7 })} ${words('en', 'replay.show')}`).click();
  assert.equal(await page.locator('.target-dot').count(), 1, 'the square that would have won');
  await named(page, words('en', 'replay.eyes.own')).click();
  await page.locator('.replay-course .ply').nth(4).click();
  assert.deepEqual((await symbols(page)).toSorted(), ['#mark-O', '#mark-X', '#mark-X', '#mark-X'], 'three own marks and one found');
  assert.match(await page.locator('.replay-told').textContent(), /a1/);
  assert.equal(await title(page), words('en', 'game.drawn'));
});

test('a game against every program to its end', async () => {
  for (const program of ['phantom-random', 'phantom-maximax', 'phantom-determinized']) {
    const visitor = Object.assign(await house.visit(), { hand: click });
    const page = await begin(visitor, KIND, program, 'second');
    for (;;) {
      await page.waitForSelector('.cell.goal, .actions a[href="/play"]');
      const view = await viewOf(visitor);
      if (view.stage === 'over') break;
      await attempt(visitor, view[KIND].tries[0]);
    }
    await assertEnd(visitor, 'en');
  }
});
