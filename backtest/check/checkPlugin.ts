import { withCode } from '../../src/contract/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import type { Feed } from '../../src/paper/index.ts';
import type { Strategy } from '../../src/strategy/index.ts';
import { BarFeed } from '../../src/testing/BarFeed.ts';
import { TEST_START, testRefusal, type BarsOf } from '../../src/testing/index.ts';
import { compareRuns, RunFailed } from './compareRuns.ts';
import { createMemoryTape } from './createMemoryTape.ts';
import { formatFinding } from './formatCheck.ts';
import type { Reproduced, ReproducibleOptions } from './Reproduced.ts';

/** The work of {@link assertReproducible}, loaded with the backtester when it is called. */
export async function checkPlugin(
  plugin: Strategy,
  feeds: readonly BarsOf[],
  options: ReproducibleOptions,
): Promise<Reproduced> {
  const { startTime = TEST_START, capital = 10_000, points = 3, seed = 0 } = options;
  const columns = feeds.map((feed) => toFeed(feed, startTime));
  requireOnePerSymbol(columns);
  const bars = Math.min(...columns.map(({ time }) => time.length));
  const history = options.history ?? Math.floor(bars / 4);
  if (!(Number.isInteger(history) && history >= 0 && history < bars)) {
    throw testRefusal(
      `assertReproducible: ${history} bars of history, and the shortest feed has ${bars} bars.`,
      'Give more bars than are history; the rest is traded.',
    );
  }
  const symbols = options.symbols ?? columns.map(({ symbol }) => symbol);
  const { params } = options;
  const about = { strategy: plugin, params, feeds: columns, symbols, capital, history, seed };
  const tape = createMemoryTape(about);
  const live = createLiveEnv();
  const { bench, runs } = await compareRuns({ tape, live, points, onRun: () => {} }).catch(
    (error: unknown) => {
      throw error instanceof RunFailed ? withCode(error.code, new Error(error.message)) : error;
    },
  );
  const { base, findings, notes } = bench;
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
  return { intents: base.intents.length, runs: runs(), notes };
}

function toFeed({ symbol, interval, bars }: BarsOf, startTime: number): Feed {
  const records = new BarFeed(symbol, interval).live(bars, startTime);
  const column = (name: 'time' | 'open' | 'high' | 'low' | 'close' | 'volume') =>
    Float64Array.from(records, (record) => record[name]);
  return {
    symbol,
    interval,
    time: column('time'),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
  };
}

function requireOnePerSymbol(feeds: readonly Feed[]): void {
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
