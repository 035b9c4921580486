/** The tests themselves: whatever goes wrong on a page is noticed. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHouse } from './house.js';

const house = openHouse();

test('errors, broken policies, failed requests and bad answers are noticed', async () => {
  const visitor = await house.visit();
  const page = await visitor.open('/rules');
  assert.deepEqual(visitor.unexpected(), []);
  await page.evaluate(async () => {
    setTimeout(() => { throw new Error('thrown on purpose'); });
    const script = document.createElement('script');
    script.textContent = 'window.inlineRan = true';
    document.body.append(script);
    document.body.setAttribute('style', 'color: red');
    await fetch('/api/v1/puzzles/nothing');
  });
  await page.waitForTimeout(200);
  for (const pattern of [/thrown on purpose/, /policy: script-src-elem/, /policy: style-src-attr/, /response: 404/]) {
    assert.ok(visitor.unexpected().some((trouble) => pattern.test(trouble)), `${pattern} in ${visitor.unexpected()}`);
  }
  assert.equal(await page.evaluate(() => window.inlineRan), undefined);
  visitor.tolerate(/./);
});
