import { expect, test } from 'vitest';
import { createVirtualEnv, pause } from '../../../src/env/index.ts';
import { stopBot, type StopParts } from '../../../src/runtime/control/stopBot.ts';

/** A bot without work, whose parts note their end; each strategy takes so many milliseconds to stop. */
function openParts(strategiesMs: readonly number[]) {
  const env = createVirtualEnv({ startTime: 1_000_000 });
  const ends: string[] = [];
  const note = (what: string): void => void ends.push(`${what} ${env.queue.now() - 1_000_000}`);
  const parts = {
    env,
    wallets: [],
    workOf: () => ({}),
    symbolsOf: () => [],
    settled: () => Promise.resolve(),
    unanswered: () => [],
    waiting: () => [],
    closePipe: () => Promise.resolve(),
    stopping: strategiesMs.map((ms, at) =>
      pause(env.timers, ms).then(() => note(`strategy ${at}`)),
    ),
    unsubscribe: () => note('subscriptions'),
    closeLink: () => Promise.resolve(note('link')),
    closeStore: () => note('journal'),
  } as unknown as StopParts;
  return { env, ends, parts };
}

/** Runs it to its end in virtual time. */
async function stopped(strategiesMs: readonly number[], limitMs: number): Promise<string[]> {
  const { env, ends, parts } = openParts(strategiesMs);
  let isOver = false;
  const over = stopBot(parts, { limitMs }).finally(() => {
    isOver = true;
  });
  for (let turn = 0; turn < 1_000 && !isOver; turn++) {
    for (let tick = 0; tick < 20; tick++) await Promise.resolve();
    const next = env.queue.nextTime();
    if (!isOver && next !== undefined) env.queue.advanceTo(next);
  }
  await over;
  return ends;
}

test('the journal is open until each strategy has stopped, the slow second one, too', async () => {
  expect(await stopped([10, 700, 300], 8_000)).toEqual([
    'strategy 0 10',
    'strategy 2 300',
    'strategy 1 700',
    'subscriptions 700',
    'link 700',
    'journal 700',
  ]);
});

test('a strategy that hangs has its share of the time, and the journal is closed within the whole', async () => {
  const ends = await stopped([10, 60_000], 8_000);
  expect(ends.slice(0, 2)).toEqual(['strategy 0 10', 'subscriptions 7600']);
  expect(ends.slice(2)).toEqual(['link 7600', 'journal 7600']);
});
