import { createDrawdown } from './createDrawdown.ts';

/** Results of the same trades in other orders; quote units. */
export interface ShuffledTrades {
  runs: number;
  /** Largest fall from a peak: 5th, 50th and 95th percentile over all orders. */
  drawdown: Percentiles;
  /** The sum, if each run draws as many trades as there were, with replacement. */
  pnl: Percentiles;
}

export interface Percentiles {
  p5: number;
  p50: number;
  p95: number;
}

/** Fewer trades than this have no meaningful percentiles. */
const FEWEST_TRADES = 10;

/**
 * Monte Carlo on trades: their order shuffled (same sum, different path), and drawn with replacement (different
 * sum). Null below ten trades.
 *
 * @param next uniform in [0, 1)
 */
export function shuffleTrades(
  pnls: readonly number[],
  { runs, next }: { runs: number; next: () => number },
): ShuffledTrades | null {
  if (pnls.length < FEWEST_TRADES) return null;
  const [drawdowns, sums] = [new Float64Array(runs), new Float64Array(runs)];
  const order = Float64Array.from(pnls);
  for (let run = 0; run < runs; run++) {
    shuffle(order, next);
    drawdowns[run] = deepest(order);
    for (let draw = 0; draw < pnls.length; draw++) {
      sums[run]! += pnls[Math.floor(next() * pnls.length)]!;
    }
  }
  return { runs, drawdown: percentiles(drawdowns), pnl: percentiles(sums) };
}

/** Fisher–Yates. */
function shuffle(values: Float64Array, next: () => number): void {
  for (let last = values.length - 1; last > 0; last--) {
    const other = Math.floor(next() * (last + 1));
    [values[last], values[other]] = [values[other]!, values[last]!];
  }
}

function deepest(pnls: Float64Array): number {
  const drawdown = createDrawdown((value) => value);
  let sum = 0;
  for (let at = 0; at < pnls.length; at++) drawdown.sample(at, (sum += pnls[at]!));
  return drawdown.deepest(sum).amount;
}

/** Nearest rank. */
function percentiles(values: Float64Array): Percentiles {
  const sorted = values.toSorted();
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1]!;
  return { p5: at(0.05), p50: at(0.5), p95: at(0.95) };
}
