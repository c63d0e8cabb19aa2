/** What a sweep computes follows from its flags, then its file, then the defaults. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { planSweep, type SweepFlags } from '../../../src/cli/sweep/planSweep.ts';
import { root } from '../../sourceFiles.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-plan-'));
afterAll(() => rmSync(folder, { recursive: true }));

const HOUR = 3_600_000;
const NONE = { param: [], feed: [], set: [] };

function writeBot(sweep = ''): string {
  const path = join(folder, 'bot.yaml');
  writeFileSync(
    path,
    `name: swept
link: { kind: paper }
paper: { feeds: [{ symbol: BTC, interval: 1m, generate: { seed: 11, bars: 3000 } }], warmup: 500 }
strategies: [{ name: breakout, use: ${join(root, 'strategies/breakout.ts')}, symbols: [BTC] }]
${sweep}`,
  );
  return path;
}
const planOf = async (path: string, flags: Partial<SweepFlags>) =>
  (await planSweep(path, { ...NONE, ...flags })).plan;

/** Which of the flags are there, and what the file has. */
const FILES = ['nothing', 'a sweep', 'a walk-forward'] as const;
const BOTH = [false, true];
const CASES = FILES.flatMap((file) =>
  BOTH.flatMap((kind) =>
    BOTH.flatMap((train) => BOTH.map((test) => ({ file, kind, train, test }))),
  ),
);

test('each flag is taken before what the file has, and that before the default', async () => {
  for (const { file, kind: hasKind, train, test: hasTest } of CASES) {
    const [random, objective] = [hasKind !== train, train !== hasTest];
    const [isWritten, hasWalk] = [file !== 'nothing', file === 'a walk-forward'];
    const walk = hasWalk
      ? ', walk_forward: { kind: rolling, train_days: 0.5, test_days: 0.25 }'
      : '';
    const section = `sweep: { params: { channel: '10,20' }, random: 3, objective: pnl${walk} }\n`;
    const path = writeBot(isWritten ? section : '');
    const planned = planOf(path, {
      ...(isWritten ? {} : { param: ['channel=10,20'] }),
      ...(random ? { random: 2 } : {}),
      ...(objective ? { objective: 'calmar' } : {}),
      ...(hasKind ? { walkForward: 'anchored' } : {}),
      ...(train ? { train: 8 * HOUR } : {}),
      ...(hasTest ? { test: 4 * HOUR } : {}),
    });
    const kind = hasKind ? 'anchored' : hasWalk ? 'rolling' : undefined;
    const trainMs = train ? 8 * HOUR : hasWalk ? 12 * HOUR : undefined;
    const testMs = hasTest ? 4 * HOUR : hasWalk ? 6 * HOUR : undefined;
    if (kind === undefined && (train || hasTest))
      await expect(planned).rejects.toThrow('Add --walk-forward rolling or anchored.');
    else if (kind !== undefined && (trainMs === undefined || testMs === undefined))
      await expect(planned).rejects.toThrow('needs --train and --test');
    else
      expect(await planned).toMatchObject({
        random: random ? 2 : isWritten ? 3 : null,
        objective: objective ? 'calmar' : isWritten ? 'pnl' : 'sharpe',
        walk: kind === undefined ? null : { kind, trainMs, testMs },
        params: [{ name: 'channel', values: ['10', '20'] }],
      });
  }
});

test('a range of a flag takes the place of the file’s of this name, and joins the others', async () => {
  const path = writeBot("sweep: { params: { channel: '10..30:10', reward: [1, 3] } }\n");
  const { params } = await planOf(path, { param: ['channel=5,7', 'stop_atr=1,2'] });
  expect(params).toEqual([
    { name: 'channel', values: ['5', '7'] },
    { name: 'reward', values: ['1', '3'] },
    { name: 'stop_atr', values: ['1', '2'] },
  ]);
});

test('a million points are planned, and one row more is refused unless points of it are drawn', async () => {
  const path = writeBot();
  const most = ['channel=2..1001:1', 'reward=1..10.99:0.01'];
  expect((await planOf(path, { param: most })).params.map(({ values }) => values.length)).toEqual([
    1_000, 1_000,
  ]);
  const more = ['channel=2..1002:1', 'reward=1..10.99:0.01'];
  await expect(planOf(path, { param: more })).rejects.toThrow('The grid has 1,001,000 points');
  expect(await planOf(path, { param: more, random: 1_000 })).toMatchObject({ random: 1_000 });
  const few = ['channel=10,20'];
  expect(await planOf(path, { param: few, random: 2_000_000 })).toMatchObject({
    random: 2_000_000,
  });
});

test('a decimal fraction of a day is a whole number of milliseconds', async () => {
  const walk = { walkForward: 'rolling', train: 0.7 * 24 * HOUR, test: 0.7 * 24 * HOUR } as const;
  expect(await planOf(writeBot(), { param: ['channel=10,20'], ...walk })).toMatchObject({
    walk: { trainMs: 60_480_000, testMs: 60_480_000 },
  });
});

test('a recording of many backtests is refused', async () => {
  const flags = { param: ['channel=10,20'], set: ['record=x.jsonl'] };
  await expect(planOf(writeBot(), flags)).rejects.toThrow('--set record=: sweep runs many');
});
