import { compare, median, processorSeconds, type ComparisonResult } from '../harness.ts';
import { rawCross } from './rawCross.ts';
import { loadCross, runCross, WARM_UP } from './smaCross.ts';

const BARS = 500_000;
/** The raw loop takes some milliseconds; this often, it is measured under the same load as the others. */
const RAW_RUNS = 100;
/** Five microseconds an order where the raw loop takes 3.9 nanoseconds a bar. */
const GOAL = 0.000_77;
/** A loaded machine shows twice this. Below it, an order costs what 50,000 bars of the raw loop do. */
const MUST = 0.000_02;

/**
 * What an order adds to a backtest, from the strategy's intent to the last frame: the processor time of an SMA cross
 * that trades, less that of one that looks for the same crossings and never trades, by the number of its orders. As a
 * ratio to a bar of the raw loop: 0.001 means that an order costs as much as 1,000 of its bars.
 *
 * Bars between orders are dearer while a position is held, and are counted with the orders.
 */
export async function benchOrderCost(): Promise<ComparisonResult[]> {
  const traded = await loadCross('fusedCross.ts', BARS);
  const quiet = { ...(await loadCross('quietCross.ts', 2)), data: traded.data };
  const feed = traded.data.feeds[0]!;
  const bars = feed.close.length - WARM_UP;
  const costs: number[] = [];

  async function costOfAnOrder(): Promise<number> {
    const without = await processorSeconds(() => runCross(quiet));
    let orders = 0;
    const all = await processorSeconds(async () => {
      orders = (await runCross(traded)).data.fills.length;
    });
    const seconds = (all - without) / orders;
    costs.push(seconds);
    return seconds;
  }
  const raw = async (): Promise<number> => {
    const seconds = await processorSeconds(() => {
      for (let run = 0; run < RAW_RUNS; run++) rawCross(feed, WARM_UP);
    });
    return (bars * RAW_RUNS) / seconds;
  };
  return compare({
    name: 'backtest/order-cost: a market order of an SMA cross',
    contenders: [
      { name: 'a bar of the raw loop', run: async () => ({ 'units/CPU-s': await raw() }) },
      {
        name: 'an order',
        run: async () => ({ 'units/CPU-s': 1 / (await costOfAnOrder()) }),
        note: () => `${(median(costs) * 1e6).toFixed(1)} µs an order`,
        goal: GOAL,
        must: MUST,
      },
    ],
  });
}
