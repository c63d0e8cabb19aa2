import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createSqliteStore } from '../../src/journal/index.ts';
import { root } from '../sourceFiles.ts';
import { runMain } from './runMain.ts';

let folder: string;
const path = (name: string): string => join(folder, name);

const START = Date.UTC(2026, 0, 5);
/** Bars of an hour and a half, the first of them `from` minutes after the start. */
const candles = (from: number): string =>
  [
    'timestamp,open,high,low,close,volume',
    ...Array.from({ length: 90 }, (_none, index) => {
      const price = 100 + ((from + index) % 7);
      return [START + (from + index) * 60_000, price, price + 1, price - 1, price, 5].join(',');
    }),
  ].join('\n');

/** Buys once in its life, and counts the bars that it saw. */
const counting = (state: string, field: string): string => `
import { concatMap } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';
export default defineStrategy({
  name: 'counting', contract: 1, description: 'Counts bars.', scopes: ['trade'], params: z.object({}),
  state: ${state},
  setup: (ctx) => ctx.candles('BTC', '1m').pipe(
    concatMap(() => {
      if (ctx.liveness() !== 'live') return [];
      const count = ctx.state.get().${field} + 1;
      ctx.state.set({ ${field}: count });
      return count % 1_000 === 5 ? [placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 })] : [];
    }),
  ),
});
`;
const version1 = counting('z.object({ n: z.int().default(0) })', 'n');
const version2 = counting(
  `{ version: 2, schema: z.object({ bars: z.int() }), initial: { bars: 0 },
     migrate: (old) => ({ bars: old.n * 1000 }) }`,
  'bars',
);
const withoutMigration = counting(
  '{ version: 2, schema: z.object({ bars: z.int() }), initial: { bars: 0 } }',
  'bars',
);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-keep-'));
  mkdirSync(path('node_modules'));
  symlinkSync(root, path('node_modules/trimtab'));
  for (const name of ['rxjs', 'zod'])
    symlinkSync(join(root, 'node_modules', name), path(`node_modules/${name}`));
  writeFileSync(path('first.csv'), candles(0));
  writeFileSync(path('second.csv'), candles(90));
  writeFileSync(
    path('bot.yaml'),
    `name: keeping
link: { kind: paper }
paper: { feeds: [{ symbol: BTC, interval: 1m, path: first.csv }], warmup: 10, speed: max, budget_clock: replay }
strategies: [{ name: own, use: ./own.ts, symbols: [BTC] }]
journal: { path: bot.sqlite, durability: process }
`,
  );
});

const run = (plugin: string, ...flags: string[]) => {
  // A module that was loaded before is not read again.
  const name = `own-${crypto.randomUUID()}.ts`;
  writeFileSync(path(name), plugin);
  const use = ['--set', `strategies[0].use=./${name}`];
  return runMain('run', path('bot.yaml'), '--no-report', ...use, ...flags);
};

async function stored() {
  const store = createSqliteStore(path('bot.sqlite'));
  const state = JSON.parse(store.readState('own')!) as unknown;
  const intents = [...store.intents()].length;
  await store.close();
  return { state, intents };
}

test('a replay goes on with the journal of the one before, its state migrated', async () => {
  expect((await run(version1)).code).toBe(0);
  const before = await stored();
  expect(before).toMatchObject({ intents: 1, state: { version: 1, state: { n: 80 } } });

  const refused = await run(withoutMigration, '--keep-journal');
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.err).toContain('which has no `migrate`');
  expect(await stored()).toEqual(before);

  const later = ['--feed', `BTC@1m=${path('second.csv')}`];
  const second = await run(version2, '--keep-journal', ...later);
  expect(second.code).toBe(0);
  expect(await stored()).toMatchObject({
    intents: 2,
    state: { version: 2, state: { bars: 80_080 } },
  });

  expect((await run(version2, ...later)).code).toBe(0);
  expect(await stored()).toMatchObject({ intents: 1, state: { version: 2, state: { bars: 80 } } });
});

test('a journal in memory has nothing to keep', async () => {
  const refused = await run(version1, '--keep-journal', '--journal', 'memory');
  expect(refused.code).toBe(2);
  expect(refused.err).toContain('--keep-journal: a journal in memory ends with its run.');
});
