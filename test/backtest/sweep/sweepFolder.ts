import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll } from 'vitest';
import { runMain } from '../../cli/runMain.ts';
import { root } from '../../sourceFiles.ts';

export let directory: string;
export let config: string;

/** Gives a file of tests a folder of its own, with the configuration of a sweep, for as long as it runs. */
export function useSweepFolder(): void {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'trimtab-sweep-'));
    config = join(directory, 'bot.yaml');
    await writeFile(config, bot());
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));
}

export const bot = (more = ''): string => `name: swept
link: { kind: paper }
paper:
  feeds:
    - { symbol: BTC, interval: 1m, generate: { seed: 11, bars: 4000, start_price: 61000 } }
  warmup: 500
  speed: max
  budget_clock: replay
  balance: 50000
strategies:
  - { name: breakout, use: ${join(root, 'strategies/breakout.ts')}, symbols: [BTC] }
${more}`;

export const GRID = ['--param', 'channel=10..30:10', '--param', 'reward=1,3'];
export const sweep = (out: string, ...argv: string[]) =>
  runMain('sweep', config, '--threads', '1', ...argv, '--out', join(directory, out));

/** A sweep of the plugin whose points end otherwise than points should. */
export async function endings(out: string, param: string, ...argv: string[]) {
  const file = join(directory, 'ends.yaml');
  const plant = join(root, 'test/backtest/plants/endsItsThread.ts');
  await writeFile(file, bot().replace(join(root, 'strategies/breakout.ts'), plant));
  return runMain('sweep', file, '--param', param, '--out', join(directory, out), ...argv);
}

export function rowsOf(out: string): Array<Record<string, string | number | null>> {
  const db = new DatabaseSync(join(directory, out), { readOnly: true });
  const rows = db.prepare('SELECT * FROM points ORDER BY job').all();
  db.close();
  return rows as Array<Record<string, string | number | null>>;
}
