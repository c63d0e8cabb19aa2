/** Texts that a configuration lists for a sweep: each reaches the plugin as it is written, and a reader without quotes. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { overridesOf, shownValue } from '../../../backtest/index.ts';
import { loadConfigText } from '../../../src/config/index.ts';
import { planSweep } from '../../../src/cli/sweep/planSweep.ts';
import { runMain } from '../../cli/runMain.ts';
import { root } from '../../sourceFiles.ts';
import { bot, directory, rowsOf, useSweepFolder } from './sweepFolder.ts';

useSweepFolder();

const TEXTS = ['1', 'a #1', 'null', 'true', 'plain', 'a: b', ' x ', '~', '[1', 'it"s', '1.5e3'];

const written = (values: unknown): string =>
  bot(`sweep: { params: { mode: ${JSON.stringify(values)} } }\n`).replace(
    join(root, 'strategies/breakout.ts'),
    join(root, 'test/backtest/plants/echoesMode.ts'),
  );

test('each is the plugin’s value, of its type', async () => {
  const file = join(directory, 'texts.yaml');
  const values = [...TEXTS, 5, false];
  await writeFile(file, written(values));
  const { plan, text } = await planSweep(file, { param: [], feed: [], set: [] });
  const [mode] = plan.params;
  const read = await Promise.all(
    mode!.values.map(async (value) => {
      const overrides = overridesOf(plan, { values: [value] });
      const loaded = await loadConfigText(file, text, { overrides });
      if (!loaded.ok) throw new Error(`${value} is refused`);
      return (loaded.config.strategies[0]!.params as { mode: unknown }).mode;
    }),
  );
  expect(read).toEqual(values);
  expect(mode!.values.map(shownValue)).toEqual(values.map(String));
  expect(mode!.values).toContain('plain');
});

test('results show them as they are written', async () => {
  const file = join(directory, 'shown.yaml');
  await writeFile(file, written(['1', 'a #1']));
  const out = join(directory, 'shown.sqlite');
  const { code, out: said } = await runMain('sweep', file, '--out', out, '--threads', '1');
  expect(code).toBe(0);
  expect(said).toMatch(/^\d +a #1 /m);
  expect(said).not.toContain('"');
  expect(await readFile(join(directory, 'shown.csv'), 'utf8')).toContain(',a #1,');
  expect(rowsOf('shown.sqlite').map((row) => row['param_mode'])).toEqual(['1', 'a #1']);
});

test.each([
  ["['a', 'b', 'a']", 'it has a twice'],
  ["['1', 1]", 'it has 1 twice'],
])('of %s one is refused', async (list, reason) => {
  const file = join(directory, 'twice.yaml');
  await writeFile(file, written([]).replace('mode: []', `mode: ${list}`));
  const { code, err } = await runMain('sweep', file, '--out', join(directory, 'twice.sqlite'));
  expect([code, err]).toEqual([1, expect.stringContaining(`sweep.params.mode: ${reason}`)]);
});
