import { INTERVAL_MS } from '../../../contract/index.ts';
import { addSize, type SizeSum } from '../../../contract/sizes.ts';
import type { TimedValue } from '../../../statistics/index.ts';
import { sampleCurve, timeGrid, type TimeGrid } from '../curves.ts';
import type { ReportCandles, ReportData, ReportFill } from '../ReportData.ts';

/** What was held, at instants of equal distance; money in quote units, at the last closes. */
export interface Exposure {
  grid: TimeGrid;
  /** Sizes without and with their signs, times their prices, over all strategies and symbols. */
  gross: number[];
  net: number[];
  /** Gross over equity; null while there is no equity. */
  leverage: (number | null)[];
}

/** A strategy's position in a symbol, signed. */
interface Position extends SizeSum {
  symbol: string;
  price: number;
}

const MOST_STEPS = 2_000;

/** @param fills ascending in time */
export function exposureOf(
  data: ReportData,
  fills: readonly ReportFill[],
  equity: readonly TimedValue[],
): Exposure {
  const grid = timeGrid(data.startTime, data.endTime, MOST_STEPS);
  const worth = sampleCurve(equity, grid, 'last');
  const closes = new Map(
    Object.entries(data.symbols).map(([symbol, candles]) => [symbol, createCloses(candles)]),
  );
  const positions = new Map<string, Position>();
  const result: Exposure = { grid, gross: [], net: [], leverage: [] };
  let next = 0;
  for (let step = 0; step <= grid.steps; step++) {
    const time = grid.start + step * grid.stepMs;
    for (; next < fills.length && fills[next]!.time <= time; next++)
      follow(positions, fills[next]!);
    let [gross, net] = [0, 0];
    for (const { symbol, size, price } of positions.values()) {
      const value = size === 0 ? 0 : size * (closes.get(symbol)?.at(time) ?? price);
      gross += Math.abs(value);
      net += value;
    }
    result.gross.push(gross);
    result.net.push(net);
    result.leverage.push(worth[step]! > 0 ? gross / worth[step]! : null);
  }
  return result;
}

function follow(positions: Map<string, Position>, fill: ReportFill): void {
  const key = JSON.stringify([fill.strategy, fill.symbol]);
  const { symbol, side, size, price } = fill;
  const position = positions.get(key) ?? { symbol, size: 0, dust: 0, price };
  addSize(position, side === 'buy' ? size : -size);
  position.price = price;
  positions.set(key, position);
}

/** The last close at or before times that ascend; undefined before the first. */
function createCloses({ time, close, interval }: ReportCandles): {
  at(instant: number): number | undefined;
} {
  const length = INTERVAL_MS[interval];
  let next = 0;
  return {
    at(instant) {
      while (next < time.length && time[next]! + length <= instant) next++;
      return next === 0 ? undefined : close[next - 1];
    },
  };
}
