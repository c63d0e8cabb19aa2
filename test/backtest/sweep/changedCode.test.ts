import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  createThreadEngine,
  firstJobs,
  isRun,
  openResults,
  runInFreshThreads,
  runSweep,
  tradableSpan,
  type PointResult,
} from '../../../backtest/index.ts';
import { codeChanged, findCodeChange } from '../../../backtest/sweep/findCodeChange.ts';
import { planDifference } from '../../../backtest/sweep/planDifference.ts';
import { planId } from '../../../backtest/sweep/SweepPlan.ts';
import { createPointThreads } from '../../../backtest/sweep/createPointThreads.ts';
import { planSweep, type SweepFlags } from '../../../src/cli/sweep/planSweep.ts';
import { root } from '../../sourceFiles.ts';

import { bot, directory, rowsOf, useSweepFolder } from './sweepFolder.ts';

useSweepFolder();

/** A bot of its own, whose plugin and configuration a test edits. */
async function openBot(name: string, flags: Partial<SweepFlags> = {}) {
  const stock = join(root, 'strategies/breakout.ts');
  const plugin = join(directory, `${name}.ts`);
  const code = `export { default } from '${relative(directory, stock)}';\n`;
  await writeFile(plugin, code);
  const file = join(directory, `${name}.yaml`);
  await writeFile(file, bot().replace(stock, `./${name}.ts`));
  const chosen = { param: ['channel=10,15,20'], feed: [], set: [], ...flags };
  const { plan, text, tape } = await planSweep(file, chosen);
  const bench = { plan, text, data: tape.data };
  const jobs = [...firstJobs(plan, tradableSpan(plan, tape.data, tape.paper.warmup))];
  const edit = () => writeFile(plugin, `${code}// Changed.\n`);
  return { bench, jobs, edit, file, warmup: tape.paper.warmup };
}

const never = () => false;

test('a configuration that is edited while its sweep runs is computed as it was', async () => {
  const { bench, jobs, file } = await openBot('edited');
  const feesOf = (result: PointResult) => (isRun(result) ? result.figures.fees : result.fault);
  const computed: PointResult[] = [];
  const engine = createThreadEngine(bench, { threads: 1 });
  await engine.run({ jobs, onResult: (result) => computed.push(result), isStopped: never });
  const without = (await readFile(file, 'utf8')).replace(
    'paper:',
    'paper:\n  fees: { taker_bps: 0, maker_bps: 0 }',
  );
  const edited: PointResult[] = [];
  const onResult = (result: PointResult): void => void edited.push(result);
  await writeFile(file, without);
  await engine.run({ jobs, onResult, isStopped: never });
  expect(edited.map(feesOf)).toEqual(computed.map(feesOf));
  expect(computed.every((result) => Number(feesOf(result)) > 0)).toBe(true);
});

test('a plugin that is edited while a walk-forward trains ends it, and its results stay', async () => {
  const { bench, jobs, edit, warmup } = await openBot('trained', {
    walkForward: 'rolling',
    train: 43_200_000,
    test: 43_200_000,
  });
  const out = join(directory, 'trained.sqlite');
  const { plan, data } = bench;
  const results = openResults(out, plan, { now: () => performance.now() });
  const running = runSweep({
    plan,
    data,
    warmup,
    engine: createThreadEngine(bench, { threads: 1 }),
    results,
    async runFresh() {
      return [];
    },
    onProgress: ({ done }) => void (done === jobs.length && edit()),
    isStopped: never,
  });
  await expect(running).rejects.toThrow('trained.ts (strategy breakout) has changed');
  await expect(running).rejects.toMatchObject({ code: 'TRIMTAB_SWEEP_CODE_CHANGED' });
  results.close();
  expect(rowsOf('trained.sqlite').map(({ part }) => part)).toEqual(jobs.map(() => 'train'));
});

test('the second run of the best points, and a thread of a worker, refuse another plugin too', async () => {
  const { bench, jobs, edit } = await openBot('twice');
  await edit();
  await expect(
    runInFreshThreads(bench, jobs, { threads: 1, isStopped: never }),
  ).rejects.toMatchObject({ code: 'TRIMTAB_SWEEP_CODE_CHANGED' });
  const threads = createPointThreads(bench);
  await expect(threads.run(jobs[0]!)).rejects.toThrow('twice.ts (strategy breakout) has changed');
  await threads.close();
});

test('code that can no longer be read is not said to have changed', async () => {
  const { bench } = await openBot('unreadable');
  const found = await findCodeChange({ ...bench, text: 'dialect_module: ./gone.ts' });
  expect(found?.changed).toMatch(/^The code can't be read any more while the sweep runs: /);
  expect(codeChanged(found!).message).not.toContain('changed');
});

describe('a file that a parameter names is part of a sweep', () => {
  const stock = join(root, 'strategies/breakout.ts');
  const plant = (name: string): string => join(root, 'test/backtest/plants', `${name}.ts`);
  const planWith = async (use: string, params: string, param: string) => {
    const file = join(directory, 'signals.yaml');
    const strategy = `symbols: [BTC], params: ${params}`;
    await writeFile(file, bot().replace(stock, plant(use)).replace('symbols: [BTC]', strategy));
    return planSweep(file, { param: [param], feed: [], set: [] });
  };
  const marks = ({ plan }: Awaited<ReturnType<typeof planWith>>) =>
    plan.sources.filter(({ name }) => name.endsWith('(named by a parameter)'));

  test.each([
    ['at any depth', 'knowsTheEnd', '{ sources: [{ file: ./first.csv }] }', 'size=0.01,0.02'],
    ['as a value of the sweep', 'peeks', '{}', 'file=./first.csv,./second.csv'],
    ['as a value in quotes', 'peeks', '{}', 'file="./first.csv"'],
  ])('%s', async (_name, use, params, param) => {
    await writeFile(join(directory, 'first.csv'), 'time,side\n1,buy\n');
    await writeFile(join(directory, 'second.csv'), 'time,side\n1,sell\n');
    const before = await planWith(use, params, param);
    const same = await planWith(use, params, param);
    expect(planId(same.plan)).toBe(planId(before.plan));
    expect(marks(before)[0]!.name).toBe('first.csv (named by a parameter)');
    await writeFile(join(directory, 'first.csv'), 'time,side\n1,sell\n');
    const after = await planWith(use, params, param);
    expect(planId(after.plan)).not.toBe(planId(before.plan));
    expect(planDifference(before.plan, after.plan)).toBe(
      'other code: first.csv (named by a parameter) has changed',
    );
    const { plan, text, tape } = before;
    expect(await findCodeChange({ plan, text, data: tape.data })).toEqual({
      changed: 'The code changed while the sweep ran: first.csv (named by a parameter) has changed',
    });
    const sources = plan.sources.filter((mark) => !marks(before).includes(mark));
    expect(planDifference({ ...plan, sources }, plan)).toBe(
      'other code: first.csv (named by a parameter) was not part of the bot',
    );
  });

  test('and folders, other texts and the tape are not', async () => {
    const bars = ['timestamp,open,high,low,close,volume'];
    for (let at = 0; at < 600; at++) bars.push(`${1_735_689_600_000 + at * 60_000},9,9,9,9,1`);
    await writeFile(join(directory, 'own.csv'), bars.join('\n'));
    const generated = /generate: \{ seed.*\} \}/;
    const file = join(directory, 'signals.yaml');
    const names = ['./own.csv', '""', '"."', 'none.csv', '"a\\0b"', 'x'.repeat(9_000)];
    const texts = `{ sources: [${names.map((name) => `{ file: ${name} }`).join(', ')}] }`;
    const text = bot()
      .replace(stock, plant('knowsTheEnd'))
      .replace('symbols: [BTC]', `symbols: [BTC], params: ${texts}`)
      .replace(generated, 'path: ./own.csv }');
    await writeFile(file, text);
    expect(marks(await planSweep(file, { param: ['size=0.01,0.02'], feed: [], set: [] }))).toEqual(
      [],
    );
  });
});
