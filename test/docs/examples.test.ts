import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { filter, tap, type Observable } from 'rxjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import * as trimtab from '../../src/index.ts';
import * as conformance from '../../src/conformance.ts';
import * as postgres from '../../src/postgres.ts';
import * as service from '../../src/service.ts';
import * as testing from '../../src/testing.ts';
import { openTestDatabase, type TestDatabase } from '../journal/openTestDatabase.ts';
import { root } from '../sourceFiles.ts';
import { examplesOf, toModule, type Example } from './examplesOf.ts';

/** Where each public name has an example; `trimtab/technicalindicators` is one long list with an example at its head. */
const ENTRIES = {
  trimtab,
  'trimtab/conformance': conformance,
  'trimtab/postgres': postgres,
  'trimtab/service': service,
  'trimtab/testing': testing,
};
/** What examples use without saying where it comes from; a name of two entries is taken from the first. */
const SOURCES = {
  ...Object.fromEntries(Object.entries(ENTRIES).map(([name, entry]) => [name, Object.keys(entry)])),
  rxjs: ['filter', 'map', 'merge', 'of', 'take'],
  zod: ['z'],
  './paper.ts': ['paper'],
  './database.ts': ['url'],
  './plugin.ts': ['plugin'],
};
const PLUGIN = `
import { filter, map } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';
export const plugin = defineStrategy({
  name: 'first', contract: 1, description: 'Buys once.', scopes: ['trade'],
  params: z.object({ period: z.int().default(1) }),
  setup: (ctx) => ctx.candles(ctx.symbol, '1h').pipe(
    filter(() => ctx.liveness() === 'live'),
    filter((_bar, at) => at === 1),
    map(() => placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: 0.5 })),
  ),
});
export default plugin;
`;

const names = new Set(Object.values(ENTRIES).flatMap((entry) => Object.keys(entry)));
const examples = examplesOf().filter(({ name }) => names.has(name));
// Below the project, so that 'trimtab' is the sources.
const folder = mkdtempSync(join(root, 'var-examples-'));
const fileOf = (example: Example): string => `${example.name}${examples.indexOf(example)}.ts`;
let paper: testing.StartedPaper;
let database: TestDatabase;
beforeAll(async () => {
  paper = await testing.startPaper({ feeds: [{ symbol: 'BTC', interval: '1m', generate: {} }] });
  const { base_url, ws_url, key_id, secret } = paper;
  const address = JSON.stringify({ base_url, ws_url, key_id, secret });
  writeFileSync(join(folder, 'paper.ts'), `export const paper = ${address};\n`);
  const opened = await openTestDatabase();
  if ('reason' in opened) throw new Error(opened.reason);
  database = opened;
  writeFileSync(join(folder, 'database.ts'), `export const url = '${database.url}';\n`);
  for (const file of ['plugin.ts', 'mine.ts']) writeFileSync(join(folder, file), PLUGIN);
  for (const example of examples)
    writeFileSync(join(folder, fileOf(example)), toModule(example, SOURCES));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await paper.close();
  await database.drop();
});

test.each(Object.entries(ENTRIES))('%s: each name has an example', (_entry, exported) => {
  const shown = new Set(examples.map(({ name }) => name));
  expect(Object.keys(exported).filter((name) => !shown.has(name))).toEqual([]);
});

test('they compile', async () => {
  const config = {
    extends: '../tsconfig.json',
    // Against the types of the package, as a user's project does.
    compilerOptions: { customConditions: [], noUnusedLocals: false, noUnusedParameters: false },
    include: ['.'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/.bin/tsc');
  const said = await promisify(execFile)(tsc, ['--project', folder, '--pretty', 'false']).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(said).toBe('');
}, 60_000);

/** Bars that rise and fall, so that lines cross; a position is open from the middle on. */
const closes = Array.from(
  { length: 60 },
  (_none, bar) => 60_000 + 4_800 * Math.sin(bar / 5) + 600 * (bar % 3),
);

/** Runs a strategy over the bars; its intents are accepted. */
function runOver(strategy: trimtab.Strategy, code: string): testing.StrategyTest {
  const interval = code.includes("'15m'") ? '15m' : '1h';
  const readsBars = code.includes('candles(');
  const bot = testing.testStrategy(strategy, { symbols: ['BTC', 'ETH'], answers: 'accept' });
  // An example of prices alone follows no bars, and the harness refuses what nothing follows.
  const close = (bars: readonly number[]): void => {
    if (readsBars) bot.bars(code.includes("candles('ETH'") ? 'ETH' : 'BTC', interval, bars);
  };
  bot.price('BTC', 60_000).price('ETH', 2_000);
  close(closes.slice(0, 30));
  bot.position('BTC', { side: 'long', size: 0.5, entry_price: 54_000 });
  close(closes.slice(30));
  return bot.price('BTC', 60_600);
}

type Check = (actual: unknown, expected: unknown) => void;
interface Module {
  default?: trimtab.Strategy;
  example?: (ctx: trimtab.StrategyContext | null, check: Check) => unknown;
}

test.each(examples.map((example) => [example.name, example] as const))(
  '%s: its example runs',
  async (_name, example) => {
    const module = (await import(join(folder, fileOf(example)))) as Module;
    if (module.default !== undefined) {
      expect(runOver(module.default, example.code).intents).not.toHaveLength(0);
      return;
    }
    let results = 0;
    const check: Check = (actual, expected) => {
      results++;
      expect(actual).toEqual(expected);
    };
    if (!/\bctx\b/.test(example.code)) {
      await module.example!(null, check);
      return;
    }
    const strategy = trimtab.defineStrategy({
      name: 'example',
      contract: 1,
      description: 'Runs an example.',
      scopes: ['trade', 'algo'],
      params: z.object({}),
      setup: (ctx) =>
        (module.example!(ctx as trimtab.StrategyContext, check) as Observable<unknown>).pipe(
          tap(() => results++),
          filter((value) => typeof value === 'object' && value !== null && 'kind' in value),
        ) as Observable<trimtab.Intent>,
    });
    expect(runOver(strategy, example.code).faults).toEqual([]);
    expect(results).toBeGreaterThan(0);
  },
);
