/** Whole games: from the lobby to the end, by every kind of hand, between two people, and watched. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onPhone, openHouse, words } from './house.js';
import { announced, cell, drag, focusedCell, keys, middle, named, status, tap, walkTo } from './hands.js';
import { assertEnd, begin, boldMove, idOf, move, playToTheEnd, symbols, title, turn } from './tables.js';

const house = openHouse();
const en = (key, values) => words('en', key, values);

test('a game of Geister by mouse, from the lobby to the end', async () => {
  // With motion: the board must also be right after what moves has come to rest.
  const visitor = await house.visit({ reducedMotion: 'no-preference' });
  await visitor.open('/play');
  await visitor.picture('lobby');
  const page = await begin(visitor, 'geister', 'random', 'first');
  assert.equal(await title(page), en('game.set-up'));
  const ready = named(page, en('game.ready'));
  assert.equal(await ready.isDisabled(), true);
  for (const square of ['b1', 'c1', 'd1', 'b2']) {
    const { x, y } = await middle(page, square);
    await page.mouse.click(x, y);
  }
  // Two ghosts change places.
  await drag(page, 'b2e1');
  await visitor.picture('game-setup');
  await ready.click();
  const view = await turn(visitor);
  assert.deepEqual(view.geister.red.toSorted(), ['b1', 'c1', 'd1', 'e1']);
  assert.equal(await title(page), en('game.your-turn'));
  assert.deepEqual(await page.locator('.player strong').allTextContents(), [en('game.you'), en('opponent.random')]);

  await playToTheEnd(visitor, drag, async ({ geister }, own) => {
    assert.equal((await symbols(page)).length, Object.keys(geister.pieces).length, 'the board shows what there is');
    assert.equal(await page.locator('.moves li span').count(), geister.events.length);
    if (own === 5) await visitor.picture('game-geister');
  });
  const { geister } = await assertEnd(visitor, 'en');
  assert.deepEqual((await symbols(page)).toSorted(), Object.values(geister.pieces).map((letter) => `#ghost-${letter}`).toSorted());
  assert.ok(!(await symbols(page)).includes('#ghost-u'), 'everything is open');
  await visitor.picture('game-over');

  await named(page, en('game.again')).click();
  await page.waitForURL((url) => url.pathname.startsWith('/game/') && !url.pathname.endsWith(view.game));
  await named(page, en('game.by-chance')).click();
  await ready.click();
  const again = await turn(visitor);
  assert.deepEqual([again.role, again.ply, again.players[0].program], ['second', 1, 'random']);
});

test('a game of Geister by two taps each, in Japanese', async () => {
  const visitor = await house.visit({ ...onPhone, locale: 'ja-JP' });
  const page = await begin(visitor, 'geister', 'random', 'second');
  assert.equal(await title(page), words('ja', 'game.set-up'));
  for (const square of ['c1', 'd1', 'c2', 'd2']) {
    const { x, y } = await middle(page, square);
    await page.touchscreen.tap(x, y);
  }
  await named(page, words('ja', 'game.ready')).tap();
  await playToTheEnd(visitor, tap, async (view, own) => {
    assert.equal(await title(page), words('ja', 'game.your-turn'));
    if (own === 4) await visitor.picture('game-phone');
  });
  await assertEnd(visitor, 'ja');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is too wide');
});

test('a game of Geister by keys: the focus stays, and everything is said', async () => {
  const visitor = await house.visit();
  const page = await begin(visitor, 'geister', 'random', 'first');
  await page.locator('.cell[tabindex="0"]').focus();
  for (const square of ['b1', 'c1', 'd1', 'e1']) {
    await walkTo(page, square);
    await page.keyboard.press(square === 'b1' ? ' ' : 'Enter');
    assert.match((await announced(page)).at(-1), new RegExp(`${square}, ${en('piece.R')}`));
  }
  await named(page, en('game.ready')).focus();
  await page.keyboard.press('Enter');
  await turn(visitor);
  assert.ok(await focusedCell(page), 'the focus goes to the board');
  for (let own = 0; own < 3; own += 1) {
    const view = await turn(visitor);
    if (view.stage === 'over') return;
    const text = boldMove(view.geister);
    await move(visitor, text, keys);
    const { geister: { events } } = await turn(visitor);
    assert.ok(await focusedCell(page), 'the focus stays on the board');
    const said = (await announced(page)).join(' ');
    for (const { move: played } of events.slice(-2)) {
      if (!played.endsWith('-out')) assert.match(said, new RegExp(`${played.slice(0, 2)} to ${played.slice(2)}\\.`));
    }
  }
  await named(page, en('game.resign')).focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), en('game.resign-really'));
  await page.keyboard.press('Enter');
  await page.getByText(en('game.how.lost.resigned')).waitFor();
  assert.ok(await page.evaluate(() => document.activeElement !== document.body), 'the end does not take the focus away');
});

/** A long way into what one cannot see: sooner or later something stands there. */
function rashTry(tries) {
  const rashness = (text) => {
    const [across, up] = [0, 1].map((at) => Math.abs(text.charCodeAt(at) - text.charCodeAt(at + 2)));
    return Number(text[3]) * 10 + Math.max(across, up);
  };
  return tries.filter((text) => text.length === 4).sort((one, other) => rashness(other) - rashness(one))[0];
}

test('Kriegspiel: a refused try is reverted, notes stay, and the end reveals everything', async () => {
  const visitor = await house.visit();
  const page = await begin(visitor, 'kriegspiel', 'greedy', 'first');
  await turn(visitor);
  assert.equal((await symbols(page)).length, 16, 'only own men are seen');
  await move(visitor, 'e2e4');
  let refused = null;
  for (let own = 0; own < 20 && !refused; own += 1) {
    const { kriegspiel, ply } = await turn(visitor);
    const text = rashTry(kriegspiel.tries);
    if ((await move(visitor, text)).ply === ply) refused = text;
  }
  assert.ok(refused, 'something was in the way');
  const told = refused.replace(/(..)(..)/, '$1–$2');
  await page.getByText(en('game.illegal', { move: told })).waitFor();
  assert.match(await cell(page, refused.slice(0, 2)).getAttribute('aria-label'), /white/, 'the man is back');
  assert.match(await page.locator('.umpire').textContent(), new RegExp(en('game.log-illegal', { move: told })));
  assert.ok((await announced(page)).includes(en('game.log-illegal', { move: told })));

  const queen = en('game.black-man', { piece: en('game.piece.q') });
  const noted = page.waitForResponse((response) => response.url().endsWith('/notes'));
  await named(page, queen).click();
  const { x, y } = await middle(page, 'd6');
  await page.mouse.click(x, y);
  assert.equal((await (await noted).json()).kriegspiel.notes, 'd6q');
  await visitor.picture('game-kriegspiel');
  await page.reload();
  await turn(visitor);
  assert.match(await cell(page, 'd6').getAttribute('aria-label'), new RegExp(en('game.noted', { piece: queen })));
  assert.equal((await symbols(page)).filter((href) => href.endsWith('-noted')).length, 1);

  await named(page, en('game.resign')).click();
  await named(page, en('game.resign-really')).click();
  await page.getByText(en('game.how.lost.resigned')).waitFor();
  const { kriegspiel } = await turn(visitor);
  const shown = await symbols(page);
  assert.equal(shown.length, Object.keys(kriegspiel.pieces).length);
  assert.ok(shown.includes('#man-black-k') && shown.includes('#man-white-k'));
});

test('Kriegspiel: the promotion dialog can be cancelled', async () => {
  const visitor = await house.visit();
  const view = await visitor.post('games', { kind: 'kriegspiel', opponent: 'greedy', seat: 'first' });
  view.kriegspiel.pieces = { e1: 'K', e7: 'P' };
  view.kriegspiel.tries = ['e7e8b', 'e7e8n', 'e7e8q', 'e7e8r', 'e1e2'];
  const body = `retry: 600000\nevent: game\ndata: ${JSON.stringify(view)}\n\n`;
  await visitor.context.route('**/events', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
  await visitor.context.route(new RegExp(`games/${view.game}(/moves)?$`), (route) => route.fulfill({ json: view }));
  const page = await visitor.open(`/game/${view.game}`);
  await page.waitForSelector('.cell.movable');
  await drag(page, 'e7e8');
  await page.getByText(en('game.promote')).waitFor();
  const pieces = ['q', 'r', 'b', 'n'].map((kind) => en(`game.piece.${kind}`));
  assert.deepEqual(await page.locator('.actions button').allTextContents(), [...pieces, en('game.promote-not')]);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), pieces[0]);
  await named(page, en('game.promote-not')).click();
  await page.waitForSelector('.cell.movable');
  await drag(page, 'e7e8');
  const asked = page.waitForRequest((request) => request.url().endsWith('/moves'));
  await named(page, pieces[1]).click();
  assert.deepEqual((await asked).postDataJSON(), { move: 'e7e8r', ply: 0 });
});

test('Kriegspiel as Black is seen from Black\'s side', async () => {
  const visitor = await house.visit({ ...onPhone, colorScheme: 'dark' });
  const page = await begin(visitor, 'kriegspiel', 'greedy', 'second');
  const { kriegspiel: { log } } = await turn(visitor);
  assert.equal(log.length, 1);
  assert.match(await page.locator('.umpire').textContent(), new RegExp(en('game.moved.white')));
  const [own, other] = [await middle(page, 'e8'), await middle(page, 'e1')];
  assert.ok(own.y > other.y, 'the own king is below');
  await move(visitor, 'g8f6', tap);
  await turn(visitor);
  assert.match(await cell(page, 'f6').getAttribute('aria-label'), new RegExp(en('game.piece.n')));
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is too wide');
  await visitor.picture('game-kriegspiel-phone');
});

/** Sets up by chance. */
async function setUp({ page }) {
  await named(page, en('game.by-chance')).click();
  await named(page, en('game.ready')).click();
}

test('two players by invite link, one of whom reloads, and a spectator who sees no colours', async () => {
  const [host, guest, watcher] = [await house.visit(), await house.visit(), await house.visit()];
  await begin(host, 'geister', '', 'first');
  const link = await host.page.locator('#invite-link').inputValue();
  await host.picture('game-invite');
  await setUp(host);
  await guest.page.goto(link);
  await named(guest.page, en('game.join')).click();
  await named(guest.page, en('game.ready')).waitFor();
  assert.equal(new URL(guest.page.url()).search, '', 'the secret leaves the address');
  await host.page.getByText(en('game.waiting-set-up')).waitFor();
  await setUp(guest);
  await watcher.open(`/game/${idOf(host.page)}`);

  // The first move is taken back and another one made.
  await turn(host);
  await move(host, 'b2b3');
  await named(host.page, en('action.take-back')).click();
  await turn(host);
  await move(host, 'c2c3');
  await host.page.getByText(en('game.their-turn')).waitFor();
  const { geister: { events } } = await turn(guest);
  assert.deepEqual(events.map((event) => event.move), ['d5d4'], 'each sees the own side below');

  await guest.page.reload();
  await turn(guest);
  await move(guest, 'e2e3');
  const seen = await turn(host);
  assert.equal(seen.geister.events.length, 2);
  assert.equal(await host.page.locator('.moves li span').count(), 2);

  await watcher.page.waitForFunction(() => document.querySelectorAll('.moves li span').length === 2);
  assert.deepEqual([...new Set(await symbols(watcher.page))].sort(), ['#ghost-U', '#ghost-u']);
  assert.equal(await title(watcher.page), en('game.turn-of', { name: en('game.seat.geister.first') }));
  assert.equal(await watcher.page.locator('.cell.movable').count(), 0);
  const labels = await watcher.page.locator('.cell').evaluateAll((cells) => cells.map((one) => one.getAttribute('aria-label')).join());
  assert.doesNotMatch(labels, /blue|red/);
  await watcher.picture('game-watched');

  await named(guest.page, en('game.resign')).click();
  await named(guest.page, en('game.resign-really')).click();
  await host.page.getByText(en('game.won')).waitFor();
  assert.match(await status(host.page).textContent(), new RegExp(en('game.how.won.resigned')));
  await watcher.page.getByText(en('game.has-won', { name: en('game.seat.geister.first') })).waitFor();
  assert.deepEqual([...new Set(await symbols(watcher.page))].sort(), ['#ghost-B', '#ghost-R', '#ghost-b', '#ghost-r']);
});

test('a lost connection is shown, and the game continues after it is restored', async () => {
  const visitor = await house.visit();
  visitor.tolerate(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  const page = await begin(visitor, 'geister', 'random', 'first');
  await setUp(visitor);
  await turn(visitor);
  await visitor.context.route('**/events', (route) => route.abort());
  await page.reload();
  await page.getByText(en('game.connection-lost')).waitFor();
  const view = await turn(visitor);
  await move(visitor, boldMove(view.geister));
  await visitor.context.unroute('**/events');
  await page.waitForFunction(() => document.querySelector('.connection').textContent === '');
  assert.equal((await turn(visitor)).your_turn, true);
});

test('a downloaded record is imported again, and an invalid one shows an error', async () => {
  const visitor = await house.visit();
  const { game } = await visitor.post('games', { kind: 'kriegspiel', opponent: 'greedy', seat: 'first' });
  await visitor.post(`games/${game}/moves`, { move: 'e2e4', ply: 0 });
  await visitor.post(`games/${game}/resign`);
  const record = await (await visitor.context.request.get(`${visitor.address}/api/v1/games/${game}/record?form=pgn`)).text();
  const page = await visitor.open('/play');
  await page.getByText(en('play.import')).click();
  visitor.tolerate(/400/);
  await page.getByLabel(en('play.import-paste')).fill('1. nonsense');
  await named(page, en('play.import-open')).click();
  await page.waitForFunction((words) => document.querySelector('.import .form-status').textContent.startsWith(words), en('error.not-a-record'));
  await page.getByLabel(en('play.import-paste')).fill(record);
  await named(page, en('play.import-open')).click();
  await page.waitForSelector('.replay-course .ply');
  assert.notEqual(new URL(page.url()).pathname, `/game/${game}`);
  assert.match(await page.locator('.replay-course .ply').first().textContent(), /e2–e4/);
});
