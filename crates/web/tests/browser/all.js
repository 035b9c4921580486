/** Runs every file of tests, two at a time: each has a site and a browser of its own. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const here = new URL('.', import.meta.url).pathname;
const files = readdirSync(here).filter((name) => name.endsWith('.test.js')).map((name) => join(here, name));

run({ files, concurrency: 2 })
  .on('test:fail', () => { process.exitCode = 1; })
  .compose(new spec())
  .pipe(process.stdout);
