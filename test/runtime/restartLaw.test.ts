import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLiveEnv, createRandom } from '../../src/env/index.ts';
import {
  cancelOrder,
  closePosition,
  launch,
  modifyOrder,
  placeOrder,
  type Intent,
} from '../../src/intents/index.ts';
import { createSqliteStore } from '../../src/journal/index.ts';
import { createPostgresStore } from '../../src/journal/postgres/index.ts';
import type { Bot } from '../../src/runtime/createBot.ts';
import { holdLaw } from '../holdLaw.ts';
import { findTestDatabase } from '../journal/findTestDatabase.ts';
import { CUT_MEMBERS, runCut, type CutMember, type CutRun } from './runCut.ts';

const { database, missing } = await findTestDatabase();

const MINUTES = 24;

/** One decision on most bars, sometimes several: entries, exits, changes of an order by the name of an earlier one. */
const decideFrom =
  (seed: string): CutRun['decide'] =>
  ({ name }: CutMember, bar) => {
    const random = createRandom(`${seed} ${name} ${bar.time}`);
    const pick = <T>(...all: T[]): T => all[Math.floor(random.next() * all.length)]!;
    const { symbol, close, time } = bar;
    const earlier = `o${time - pick(1, 1, 2, 3) * 60_000}`;
    const side = pick('buy', 'sell');
    const size = pick(1, 2, 3);
    const price = Math.round(close * (side === 'buy' ? 0.9 : 1.1));
    const one = (at: number): Intent => {
      const ref = at === 0 ? { ref: `o${time}` } : {};
      return pick<() => Intent>(
        () => placeOrder.market({ symbol, side, size }),
        () => placeOrder.limit({ symbol, side, size, price }, ref),
        () => placeOrder.limit({ symbol, side, size, price }, ref),
        () => placeOrder.limit({ symbol, side, size, price }, ref),
        () => modifyOrder({ ref: earlier }, { size: size + 2 }),
        () => modifyOrder({ ref: earlier }, { price: price + 1 }),
        () => cancelOrder({ ref: earlier }),
        () => closePosition.atMarket(symbol),
        () =>
          launch.pacemaker({ symbol, side, total_size: size, params: { duration_seconds: 600 } }),
      )();
    };
    return Array.from({ length: pick(0, 1, 1, 1, 3) }, (_none, at) => one(at));
  };

const minute = fc.integer({ min: 1, max: MINUTES - 1 });
const command = fc.constantFrom<Array<[string, (bot: Bot) => Promise<void>]>[number]>(
  ['pause one', (bot) => bot.pauseStrategy('one', 'a test')],
  ['resume one', (bot) => bot.resumeStrategy('one', 'a test')],
  ['pause two', (bot) => bot.pauseStrategy('two', 'a test')],
  ['kill L1', (bot) => bot.kill('L1', 'a test')],
  ['kill L2', (bot) => bot.kill('L2', 'a test')],
  ['rearm', (bot) => bot.rearm('a test')],
  ['rearm again', (bot) => bot.rearm('a test')],
);

const drawn = fc.record({
  seed: fc.integer({ min: 0, max: 1e9 }).map(String),
  cuts: fc.array(fc.tuple(minute, fc.constantFrom('killed' as const, 'stopped' as const)), {
    minLength: 1,
    maxLength: 4,
  }),
  commands: fc.array(fc.tuple(minute, command), { maxLength: 4 }),
  guards: fc.record(
    {
      max_entries_per_hour: fc.integer({ min: 2, max: 8 }),
      max_intents_per_minute: fc.integer({ min: 2, max: 3 }),
      max_position_notional: fc.integer({ min: 3, max: 9 }).map((size) => size * 1_000),
      max_gross_notional: fc.integer({ min: 3, max: 12 }).map((size) => size * 1_000),
      max_concurrent_executions: fc.integer({ min: 1, max: 2 }),
      daily_loss_limit: fc.integer({ min: 1, max: 40 }),
    },
    { requiredKeys: [] },
  ),
});

test('limits, latches, commands and refs are as if the process had not been cut', async () => {
  await holdLaw(12, drawn, async ({ seed, cuts, commands, guards }) => {
    const folder = mkdtempSync(join(tmpdir(), 'trimtab-cut-'));
    try {
      const runWith = (name: string, when: CutRun['cuts']) =>
        runCut({
          seed,
          minutes: MINUTES,
          guards,
          decide: decideFrom(seed),
          cuts: when,
          commands: new Map(commands.map(([at, [, act]]) => [at, act])),
          openStore: () => createSqliteStore(join(folder, name), 'process'),
        });
      const whole = await runWith('whole', new Map());
      const cut = await runWith('cut', new Map(cuts));
      expect(cut).toEqual(whole);
      expect(whole.length).toBeGreaterThan(CUT_MEMBERS.length);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test.skipIf(database === undefined)(
  `a journal in PostgreSQL, of which a start reads a part, tells the next process as much${missing}`,
  async () => {
    let accounts = 0;
    await holdLaw(4, drawn, async ({ seed, cuts, commands, guards }) => {
      const runWith = (when: CutRun['cuts']) => {
        const account = `restart-${accounts++}`;
        return runCut({
          seed,
          minutes: MINUTES,
          guards: { max_entries_per_hour: 4, ...guards },
          decide: decideFrom(seed),
          cuts: when,
          commands: new Map(commands.map(([at, [, act]]) => [at, act])),
          openStore: () =>
            createPostgresStore({ url: database!.url, account, env: createLiveEnv() }),
        });
      };
      const whole = await runWith(new Map());
      expect(await runWith(new Map(cuts))).toEqual(whole);
    });
  },
);
