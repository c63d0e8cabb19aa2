import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createDevRunner } from '../../../backtest/dev/createDevRunner.ts';
import { createLiveEnv } from '../../../src/env/index.ts';

/** Runs twice in a folder that is gone, where no thread starts, and says what came of it and how many were begun. */
const folder = mkdtempSync(join(tmpdir(), 'trimtab-nowhere-'));
process.chdir(folder);
rmdirSync(folder);
const faults: number[] = [];
let threads = 0;
let ended = 0;
process.on('worker', (worker) => {
  threads++;
  worker.once('exit', () => ended++);
});
const runner = createDevRunner({
  settings: { config: 'none.yaml', range: {}, feeds: [], params: [], set: [] },
  timers: createLiveEnv().timers,
  onMessage: ({ kind, run }) => void (kind === 'fault' && faults.push(run)),
});
for (const run of [1, 2]) {
  runner.run(run);
  // A thread that has not ended yet would be given the next run.
  while (faults.at(-1) !== run || ended < threads) await pause(20);
  await pause(500);
}
runner.close();
process.stdout.write(JSON.stringify({ faults, threads }));
