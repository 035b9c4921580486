/**
 * What every file of tests needs: the program with a fresh database, a browser, and visitors who
 * notice whatever goes wrong on a page.
 */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach, before } from 'node:test';
import { chromium } from 'playwright-core';

/** The researcher's token in all tests. */
export const TOKEN = 'a-token-for-tests';

/** How the program is started. */
export const PROGRAM = process.env.SPUK_BIN;

const REPOSITORY = new URL('../../../../', import.meta.url).pathname;

const BROWSER_ARGUMENTS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];

/** How long a page may take for anything, in milliseconds. */
const PATIENCE = 20_000;

export const WIDE = { width: 1100, height: 760 };
export const PHONE = { width: 360, height: 740 };

/** A browser in somebody's hand. */
export const onPhone = { viewport: PHONE, hasTouch: true, isMobile: true, deviceScaleFactor: 1 };

/** The pages that everybody can open without having done anything. */
export const PAGES = [
  '/', '/play', '/gallery', '/puzzles', '/puzzles?theme=zugzwang&order=hard', '/daily', '/streak', '/review', '/analysis', '/progress',
  '/rules', '/settings', '/settings/delete', '/settings/deleted', '/studies', '/nothing-here',
];

/** All puzzles of the collection as the repository has them. */
export const collection = readdirSync(join(REPOSITORY, 'puzzles'))
  .filter((name) => name.endsWith('.jsonl'))
  .sort()
  .flatMap((name) => readFileSync(join(REPOSITORY, 'puzzles', name), 'utf8').trim().split('\n').map((line) => JSON.parse(line)));

/** The words of a language. */
export const wordsOf = (language) => JSON.parse(readFileSync(join(REPOSITORY, `crates/web/words/${language}.json`), 'utf8'));

/** The words for a key, with what stands in place of each `{name}`. */
export function words(language, key, values = {}) {
  const text = wordsOf(language)[key];
  assert.ok(text, `there are words for ${key}`);
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** The first puzzle of the collection with such a record; a test without one would be worth nothing. */
export function puzzleWith(description, holds) {
  const found = collection.find(holds);
  assert.ok(found, `the collection has a puzzle with ${description}`);
  return found;
}

/** First moves of a record that win as fast as can be, win later, or win no more. */
export const firstMoves = ({ first_moves: moves, m_win: shortest }) => ({
  right: moves.filter((one) => one.m_win === shortest).map((one) => one.move),
  longer: moves.filter((one) => one.result === 'win' && one.m_win > shortest),
  lost: moves.filter((one) => one.result === 'no-win').map((one) => one.move),
});

/** Starts the program and waits until it says where it listens. */
async function startProgram() {
  assert.ok(PROGRAM && existsSync(PROGRAM), 'SPUK_BIN names the program to test');
  const data = mkdtempSync(join(tmpdir(), 'spuk-browser-'));
  // Without the tables that this machine may have, tests see the same everywhere.
  const program = spawn(PROGRAM, ['serve', '--log-level', 'warn', '--listen', '127.0.0.1:0', '--data', data, '--json', '--unlimited', '--token', TOKEN, '--no-tables'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await Promise.race([
    new Promise((resolve) => createInterface(program.stdout).once('line', (text) => resolve([text]))),
    new Promise((_, reject) => program.once('exit', (code) => reject(new Error(`the program ended with ${code}`)))),
  ]);
  const stop = async () => {
    const ended = new Promise((resolve) => program.once('exit', resolve));
    program.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  };
  return { address: JSON.parse(line).address, data, stop };
}

/** Somebody with a browser of their own: cookies, storage, one page. */
class Visitor {
  constructor(address, context, page) {
    this.address = address;
    this.context = context;
    this.page = page;
    this.troubles = [];
    this.tolerated = [];
  }

  /** Notes everything on the page that must not happen. */
  watch() {
    const note = (trouble) => this.troubles.push(trouble);
    this.page.on('pageerror', (error) => note(`error: ${error.message}`));
    this.page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') note(`console: ${message.text()} ${message.location().url}`);
    });
    this.page.on('requestfailed', (request) => {
      // What is still under way when a page is left, or is asked for anew, is given up on purpose.
      const { errorText } = request.failure();
      if (errorText !== 'net::ERR_ABORTED') note(`request: ${request.url()} ${errorText}`);
    });
    this.page.on('response', (response) => {
      if (response.status() >= 400) note(`response: ${response.status()} ${response.url()}`);
    });
  }

  /** Says that a trouble like this is what a test is about. */
  tolerate(pattern) {
    this.tolerated.push(pattern);
  }

  /** What went wrong and was not expected. */
  unexpected() {
    return this.troubles.filter((trouble) => !this.tolerated.some((pattern) => pattern.test(trouble)));
  }

  async open(path) {
    await this.page.goto(this.address + path);
    await this.settled();
    return this.page;
  }

  /** Waits until the modules of the page have run: the last of them shows the switch of colours. */
  settled() {
    return this.page.waitForSelector('#theme:not([hidden])');
  }

  /** Asks the interface for programs, as this visitor. */
  async get(path) {
    const response = await this.context.request.get(`${this.address}/api/v1/${path}`);
    assert.equal(response.status(), 200, path);
    return response.json();
  }

  async post(path, data = {}) {
    const response = await this.context.request.post(`${this.address}/api/v1/${path}`, { data });
    assert.ok(response.ok(), `${path}: ${response.status()}`);
    return response.json();
  }

  /** The attempt of the page, as the server has it. */
  attempt(id) {
    return this.get(`attempts/${id}`);
  }

  /** A move of the bottom side that is proved to win as fast as can be. */
  async bestMove(position) {
    const { moves, turn } = await this.get(`analysis?position=${encodeURIComponent(position)}`);
    assert.equal(turn, 'own');
    return moves.find((one) => one.best).move;
  }

  /** Saves what the page shows for the README, if that is wanted. */
  async picture(name, options = {}) {
    const folder = process.env.SCREENSHOTS;
    if (folder) await this.page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', ...options });
  }
}

/** A site for the tests of one file. What goes wrong on a page of a visitor fails the test. */
export function openHouse() {
  const house = { visitors: [] };
  before(async () => {
    house.program = await startProgram();
    house.address = house.program.address;
    house.browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: BROWSER_ARGUMENTS });
  });
  after(async () => {
    await house.browser?.close();
    await house.program?.stop();
  });
  afterEach(async () => {
    const visitors = house.visitors.splice(0);
    const troubles = visitors.flatMap((visitor) => visitor.unexpected());
    await Promise.all(visitors.map((visitor) => visitor.context.close()));
    assert.deepEqual(troubles, [], 'nothing goes wrong on the pages');
  });
  /** A visitor in English before a wide screen, who wants no motion so that tests are quick. */
  house.visit = async (options = {}) => {
    const context = await house.browser.newContext({ viewport: WIDE, locale: 'en-GB', reducedMotion: 'reduce', ...options });
    // A page that breaks its own policy says so where the watch hears it.
    await context.addInitScript(() => document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
    }));
    context.setDefaultTimeout(PATIENCE);
    const visitor = new Visitor(house.address, context, await context.newPage());
    visitor.watch();
    house.visitors.push(visitor);
    return visitor;
  };
  return house;
}
