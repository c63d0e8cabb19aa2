import type { AlgoId, Side } from '../../../src/contract/index.ts';
import { createBench, feedOf, flat, walk } from '../engine/bench.ts';

export interface FillRow {
  order_id: string;
  price: number;
  size: number;
  time: number;
  liquidity: 'maker' | 'taker';
  execution_id: string | null;
}

/** A launch into a random market after five quiet bars, with a position if the algorithm reduces. */
export function launchInto(
  seed: number,
  launch: { algo: AlgoId; side: Side; total_size: number; params: object } & Record<
    string,
    unknown
  >,
  { bars = 60, move = 0.01, volume = 1_000, held = 0 } = {},
) {
  const feed = feedOf([...flat(100, 5, 1e6), ...walk(seed, bars, { move, volume })]);
  const bench = createBench({ feeds: [feed] }, { balance: 10_000_000 });
  bench.run(4);
  if (held !== 0) {
    bench.order({ side: held > 0 ? 'buy' : 'sell', size: Math.abs(held), order_type: 'market' });
  }
  bench.run(1);
  const launched = bench.call('executions.launch', { body: { symbol: 'BTC', ...launch } });
  const id: string = launched.execution_id;
  return {
    ...bench,
    feed,
    id,
    launched,
    record: () => bench.call('executions.get', { pathParams: { id } }),
    /** Its fills, oldest first. */
    fills: (): FillRow[] =>
      bench.events
        .filter(({ event }) => event === 'fill')
        .map(({ data }) => data as FillRow)
        .filter((fill) => fill.execution_id === id),
    orders: () =>
      bench.call('executions.orders', { pathParams: { id }, query: { limit: 500 } }).items,
    runOut: () => bench.engine.advanceTo(bench.engine.endTime),
  };
}
