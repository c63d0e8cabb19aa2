import { once } from 'node:events';
import { join } from 'node:path';
import { openSweepKey, publicText } from '../../backtest/sweep/workers/sweepKey.ts';
import { root } from '../sourceFiles.ts';
import type { Started } from './startProcess.ts';

/** Forty points. */
export const BOT = `name: swept
link: { kind: paper }
paper:
  feeds:
    - { symbol: BTC, interval: 1m, generate: { seed: 5, bars: 1500, start_price: 61000 } }
  warmup: 500
  speed: max
  budget_clock: replay
strategies:
  - { name: breakout, use: ${join(root, 'strategies/breakout.ts')}, symbols: [BTC] }
sweep: { params: { channel: '5..24', reward: [1, 2] } }
`;

/** Waits for its end. */
export async function ended({
  child,
  text,
}: Started): Promise<[code: number | null, said: string]> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  return [child.exitCode, text()];
}

/** Stops these workers, and returns what each printed. */
export function pointsRan(workers: readonly Started[]): Promise<number[]> {
  return Promise.all(
    workers.map(async (worker) => {
      worker.child.kill('SIGTERM');
      const [, words] = await ended(worker);
      return Number(/(\d+) points? ran, 0 failed/.exec(words)?.[1]);
    }),
  );
}

/** Arguments with which a worker takes the sweeps that are started in this folder. */
export async function trust({ folder }: { folder: string }): Promise<string[]> {
  return ['--trust', publicText(await openSweepKey(join(folder, 'sweeps/sweep.key')))];
}
