import { withCode } from '../../src/contract/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import type { Strategy } from '../../src/strategy/index.ts';
import { BarFeed } from '../../src/testing/BarFeed.ts';
import { TEST_START, testRefusal, type BarsOf } from '../../src/testing/index.ts';
import { compareRuns, RunFailed } from './compareRuns.ts';
import { formatFinding } from './formatCheck.ts';
import { loadMemoryTape } from './loadMemoryTape.ts';
import type { Reproduced, ReproducibleOptions } from './Reproduced.ts';

/** The work of {@link assertReproducible}, loaded with the backtester when it is called. */
export async function checkPlugin(
  plugin: Strategy,
  feeds: readonly BarsOf[],
  options: ReproducibleOptions,
): Promise<Reproduced> {
  const { startTime = TEST_START, capital = 10_000, points = 3, seed = 0, params = {} } = options;
  requireOnePerSymbol(feeds);
  const given = feeds.map(({ symbol, interval, bars }) => ({
    symbol,
    interval,
    bars: new BarFeed(symbol, interval, () => startTime).live(bars, startTime),
  }));
  const bars = Math.min(...given.map((feed) => feed.bars.length));
  const { history = Math.floor(bars / 4), symbols = given.map(({ symbol }) => symbol) } = options;
  if (!(Number.isInteger(history) && history >= 0 && history < bars)) {
    throw testRefusal(
      `assertReproducible: ${history} bars of history, and the shortest feed has ${bars} bars.`,
      'Give more bars than are history; the rest is traded.',
    );
  }
  const bot = { strategy: plugin, params, symbols, feeds: given };
  const tape = await loadMemoryTape({ ...bot, balance: capital, warmup: history, seed });
  const live = createLiveEnv();
  const { bench, runs } = await compareRuns({ tape, live, points, onRun: () => {} }).catch(
    (error: unknown) => {
      throw error instanceof RunFailed ? withCode(error.code, new Error(error.message)) : error;
    },
  );
  const { base, findings, unchecked } = bench;
  const [ended] = base.run.quarantined;
  if (ended !== undefined) throw withCode('TRIMTAB_STRATEGY_ENDED', new Error(ended));
  if (findings.length > 0) {
    const texts = findings.flatMap(formatFinding).join('\n');
    const title = `${plugin.name} does not decide the same each time:`;
    throw withCode('TRIMTAB_CHECK_FAILED', new Error(`${title}\n${texts}`));
  }
  if (base.intents.length === 0) {
    throw withCode(
      'TRIMTAB_TEST_EXPECTATION',
      new Error(
        `${plugin.name} made no decision on these bars, so that nothing was compared.\n  Give bars on which it trades, or more of them.`,
      ),
    );
  }
  const notes = [
    ...bench.notes,
    ...Array.from(unchecked, ([check, reason]) => `${check} was not checked: ${reason}.`),
  ];
  return { intents: base.intents.length, runs: runs(), notes };
}

function requireOnePerSymbol(feeds: readonly BarsOf[]): void {
  if (feeds.length === 0) {
    throw testRefusal('assertReproducible: there are no feeds.', 'Give bars of each symbol.');
  }
  const seen = new Set<string>();
  for (const { symbol } of feeds) {
    if (seen.has(symbol)) {
      throw testRefusal(
        `assertReproducible: there are two feeds of ${symbol}.`,
        'Give the bars of its shortest interval; the longer ones are made of them.',
      );
    }
    seen.add(symbol);
  }
}
