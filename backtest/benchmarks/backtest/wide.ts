import { join } from 'node:path';
import { counted } from '../../../src/env/index.ts';
import type { LoadedTape } from '../../../src/operate/run/index.ts';
import { compare, processorSeconds, type ComparisonResult, type Contender } from '../harness.ts';
import { rawCross } from './rawCross.ts';
import { loadTapeWith, runCross, WARM_UP } from './smaCross.ts';

/**
 * Bars of each symbol, whatever the number of strategies: a start costs about a millisecond for each strategy, which is
 * none of a bar's cost.
 */
const STRATEGIES_BARS = 500_000;
const SYMBOLS_BARS = 100_000;
/** The raw loop takes some milliseconds; so often it is measured under the same load as the others. */
const FLOOR_RUNS = 50;
const FLOOR_BARS = 1_000_000;

/**
 * 1, 10 and 100 strategies on one symbol, each with its own wallet, that decide nothing: what a strategy-bar costs, and
 * whether strategies share what they read.
 */
export function benchQuietStrategies(): Promise<ComparisonResult[]> {
  const counts = [1, 10, 100].map((count) => ({
    name: counted(count, 'strategy', 'strategies'),
    symbols: 1,
    count,
    ...(count === 1 ? {} : { goal: 1 / 5 }),
  }));
  const name = 'backtest/quiet-strategies: one-minute bars, no orders';
  return benchWide(name, counts, STRATEGIES_BARS);
}

/** 1, 5 and 50 symbols, each with a strategy of its own that decides nothing: what a bar of one of them costs. */
export function benchQuietSymbols(): Promise<ComparisonResult[]> {
  const counts = [1, 5, 50].map((count) => ({
    name: counted(count, 'symbol'),
    symbols: count,
    count,
  }));
  const name = 'backtest/quiet-symbols: one-minute bars, no orders';
  return benchWide(name, counts, SYMBOLS_BARS);
}

interface Wide {
  name: string;
  /** Strategies, dealt to the symbols in turn. */
  count: number;
  symbols: number;
  goal?: number;
}

async function benchWide(
  name: string,
  all: readonly Wide[],
  bars: number,
): Promise<ComparisonResult[]> {
  const alone = await loadQuiet({ count: 1, symbols: 1 }, FLOOR_BARS);
  const floor = (): void => {
    for (let run = 0; run < FLOOR_RUNS; run++) rawCross(alone.data.feeds[0]!, WARM_UP);
  };
  const rateOf = async (strategyBars: number, work: () => unknown) => ({
    'strategy-bars/CPU-s': strategyBars / (await processorSeconds(work)),
  });
  const contenders: [Contender, ...Contender[]] = [
    { name: 'raw loop', run: () => rateOf(FLOOR_BARS * FLOOR_RUNS, floor) },
  ];
  for (const wide of all) {
    const tape = await loadQuiet(wide, bars);
    const { goal } = wide;
    contenders.push({
      name: wide.name,
      run: () => rateOf(bars * wide.count, () => runCross(tape)),
      ...(goal === undefined ? {} : { goal }),
    });
  }
  return compare({ name, contenders });
}

const symbolOf = (index: number): string => (index === 0 ? 'BTC' : `S${index}`);

function loadQuiet({ count, symbols }: Omit<Wide, 'name'>, bars: number): Promise<LoadedTape> {
  const plugin = join(import.meta.dirname, 'quietCross.ts');
  const strategies = Array.from({ length: count }, (_each, index) => [
    `strategies[${index}].name=cross-${index}`,
    `strategies[${index}].use=${plugin}`,
    `strategies[${index}].symbols=[${symbolOf(index % symbols)}]`,
    `strategies[${index}].wallet=w${index}`,
    `paper.connections[${index}].label=w${index}`,
    `paper.connections[${index}].balance=100000000`,
  ]);
  const feeds = Array.from({ length: symbols }, (_each, index) => [
    `paper.feeds[${index}].symbol=${symbolOf(index)}`,
    `paper.feeds[${index}].interval=1m`,
    `paper.feeds[${index}].generate.seed=${7 + index}`,
    `paper.feeds[${index}].generate.start_price=60000`,
    `paper.feeds[${index}].generate.bars=${bars + WARM_UP}`,
  ]);
  const names = Array.from({ length: symbols }, (_each, index) => symbolOf(index)).join(', ');
  return loadTapeWith({
    set: [...strategies.flat(), ...feeds.flat(), `guards.allowed_symbols=[${names}]`],
  });
}
