import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createDevRunner } from '../../../backtest/dev/createDevRunner.ts';
import { createLiveEnv } from '../../../src/env/index.ts';

/** Runs twice in a folder that is gone, where no thread starts, and says what came of it and how many were begun. */
const folder = mkdtempSync(join(tmpdir(), 'trimtab-nowhere-'));
process.chdir(folder);
rmdirSync(folder);
const faults: number[] = [];
const runner = createDevRunner({
  settings: { config: 'none.yaml', range: {}, feeds: [], params: [], set: [] },
  timers: createLiveEnv().timers,
  onMessage: ({ kind, run }) => void (kind === 'fault' && faults.push(run)),
});
for (const run of [1, 2]) {
  runner.run(run);
  while (faults.at(-1) !== run) await pause(20);
  await pause(500);
}
runner.close();
const worker = new Worker('', { eval: true }).on('error', () => {});
process.stdout.write(JSON.stringify({ faults, threads: worker.threadId - 1 }));
