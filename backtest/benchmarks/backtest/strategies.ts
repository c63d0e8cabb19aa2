import { join } from 'node:path';
import { counted } from '../../../src/env/index.ts';
import type { LoadedTape } from '../../../src/operate/run/index.ts';
import { compare, processorSeconds, type ComparisonResult, type Contender } from '../harness.ts';
import { rawCross } from './rawCross.ts';
import { loadTapeWith, runCross, WARM_UP } from './smaCross.ts';

/** Strategy-bars of a round, whatever the number of strategies. */
const WORK = 200_000;
/** All strategies trade on the same bars, and none of their intents may be refused or wait. */
const WIDE = [
  'paper.limits=off',
  'guards.max_intents_per_minute=1000',
  'guards.max_position_notional=5000000',
  'guards.max_gross_notional=10000000',
];

/**
 * 1, 10 and 100 strategies on one tape in one pass, each with its own wallet: strategy-bars per second of
 * processor time, so that 1 is the cost of a single strategy.
 */
export async function benchStrategies(): Promise<ComparisonResult[]> {
  const contenders = await Promise.all(
    [1, 10, 100].map(async (count): Promise<Contender> => {
      const tape = await loadCrosses(count, WORK / count);
      const expected = count * rawCross(tape.data.feeds[0]!, WARM_UP).fills;
      const trade = async (): Promise<void> => {
        const { fills } = (await runCross(tape)).data;
        if (fills.length === expected) return;
        throw new Error(`${count} strategies filled ${fills.length} orders, not ${expected}.`);
      };
      const run = async () => ({
        'strategy-bars/CPU-s': WORK / (await processorSeconds(trade)),
      });
      return { name: counted(count, 'strategy', 'strategies'), run };
    }),
  );
  const name = 'backtest/strategies: SMA cross, one-minute bars';
  return compare({ name, contenders: contenders as [Contender, ...Contender[]] });
}

function loadCrosses(count: number, bars: number): Promise<LoadedTape> {
  const plugin = join(import.meta.dirname, 'fusedCross.ts');
  const strategies = Array.from({ length: count }, (_each, index) => [
    `strategies[${index}].name=cross-${index}`,
    `strategies[${index}].use=${plugin}`,
    `strategies[${index}].symbols=[BTC]`,
    `strategies[${index}].wallet=w${index}`,
    // Small, because all take from the same book, and unfilled orders would be less work.
    `strategies[${index}].params.size=0.001`,
    `paper.connections[${index}].label=w${index}`,
    `paper.connections[${index}].balance=100000000`,
  ]);
  const set = [...strategies.flat(), ...WIDE, `paper.feeds[0].generate.bars=${bars + WARM_UP}`];
  return loadTapeWith({ set });
}
