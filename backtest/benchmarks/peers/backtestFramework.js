import { join } from 'node:path';
import { runStrategy, scanStrategies } from '@backtest/framework';
import { PrismaClient } from '@prisma/client';

const MINUTE_MS = 60_000;
const NAME = 'BTC-1m';
const ROOT = join(import.meta.dirname, 'backtestFramework', 'strategies');

/** @backtest/framework as in its README, with its candles in memory. @param {Float64Array} closes */
export default async (closes) => {
  const candles = Array.from(closes, (close, at) => {
    const open = closes[Math.max(0, at - 1)];
    const [low, high] = [Math.min(open, close), Math.max(open, close)];
    const [openTime, closeTime] = [at * MINUTE_MS, (at + 1) * MINUTE_MS - 1];
    return { openTime, open, high, low, close, volume: 1, closeTime };
  });
  const [startTime, endTime] = [candles[0].closeTime, candles.at(-1).closeTime];
  const data = { name: NAME, symbol: 'BTC', interval: '1m', startTime, endTime, candles };
  await new PrismaClient().metaCandle.create({ data });
  await scanStrategies(ROOT);
  const options = {
    strategyName: 'cross',
    historicalData: [NAME],
    params: {},
    startingAmount: 1e8,
    startTime: candles[29].closeTime,
    endTime,
    percentFee: 0.045,
    percentSlippage: 0.01,
    rootPath: ROOT,
  };
  return async () => {
    const { allOrders } = await runStrategy(options);
    // The first one is not a crossing: it begins where the averages do.
    return allOrders.filter(({ type }) => type === 'buy').length - 1;
  };
};
