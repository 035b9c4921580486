/** What is wrong with a page as it stands: words of another language, gaps, and all that axe knows. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { wordsOf } from './house.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Lets axe look at the pages that a visitor opens from now on. */
export const bringAxe = (visitor) => visitor.context.addInitScript({ content: axe });

/** Everything on a page that can be read or heard. */
const readable = (page) => page.evaluate(() => {
  const texts = [document.title, document.body.innerText];
  for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
    for (const element of document.querySelectorAll(`[${name}]`)) texts.push(element.getAttribute(name));
  }
  for (const element of document.querySelectorAll('svg title, svg desc, [role=log] p, .unseen, meta[name=description], meta[property^="og:"]')) {
    texts.push(element.content ?? element.textContent);
  }
  return texts.join('\n');
});

const latinWords = (text) => text.match(/(?<![\w/.&=?-])[A-Za-z]{2,}(?![\w/=-])/g) ?? [];

/** What axe has to say about a page by day, and about its colours by night; nothing else differs. */
async function complaints(page) {
  const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  await page.emulateMedia({ colorScheme: 'light' });
  const byDay = await askAxe(page, everything);
  await page.emulateMedia({ colorScheme: 'dark' });
  const byNight = await askAxe(page, ['color-contrast', 'link-in-text-block']);
  return [...byDay, ...byNight.map((complaint) => `by night, ${complaint}`)];
}

function askAxe(page, runOnly) {
  return page.evaluate(async (rules) => {
    const { violations } = await window.axe.run({ runOnly: rules });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${[...node.any, ...node.all, ...node.none].map((one) => one.message)}`));
  }, runOnly);
}

/** What stays as it is in Japanese: names, forms of files, and the switch to English. */
const sameInJapanese = () => new Set([...Object.values(wordsOf('ja')).flatMap(latinWords), 'English', 'website']);

/** Words that are not of the language of a page, and names of words where words should stand. */
async function strangeWords(page, language) {
  const text = await readable(page);
  const found = Object.keys(wordsOf('en')).filter((key) => key.includes('.') && text.includes(key)).map((key) => `the name of a word, ${key}`);
  if (await page.getAttribute('html', 'lang') !== language) found.push('the language of the page');
  if (language === 'ja') {
    const same = sameInJapanese();
    if (!/[ぁ-ん]/.test(text)) found.push('no Japanese');
    found.push(...latinWords(text).filter((word) => !same.has(word)).map((word) => `"${word}" is not Japanese`));
  }
  return found;
}

/** All that is wrong with the page of a visitor who brought axe. */
export const faults = async ({ page }, language) => [...await strangeWords(page, language), ...await complaints(page)];
