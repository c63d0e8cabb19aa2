import { MINUTE_MS } from '../../../src/contract/durations.ts';
import { createEngine, generateFeed, type Engine } from '../../../src/paper/index.ts';
import { createCalls, type Calls } from './createCalls.ts';

/**
 * `node --expose-gc backtest/benchmarks/paper/yearOfBars.ts [MONTHS]`: a year of one-minute bars of five
 * symbols through the engine, bar by bar, while orders, legs, executions and monitors come and go. Prints
 * the memory after each month, and fails if it keeps growing after the first quarter.
 */
const MONTH_MS = 30 * 24 * 60 * MINUTE_MS;
const SYMBOLS = ['BTC', 'ETH', 'SOL', 'DOGE', 'xyz:TSLA'];
const MONTHS = Number(process.argv[2] ?? 12);
/** Noise of the collector, not growth. */
const TOLERATED_BYTES = 4e6;
const WALLET = 'main';

interface Memory {
  heap: number;
  /** Columns of the feeds and of the bars made of them. */
  columns: number;
  rss: number;
}

function measure(): Memory {
  const { gc } = globalThis as { gc?: () => void };
  if (gc === undefined) throw new Error('Start it with --expose-gc.');
  gc();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { heap: heapUsed, columns: arrayBuffers, rss };
}

function start(): Engine {
  const feeds = SYMBOLS.map((symbol, index) =>
    generateFeed({
      symbol,
      interval: '1m',
      bars: (MONTHS * MONTH_MS) / MINUTE_MS + 1_000,
      seed: `year ${symbol}`,
      startTime: Date.UTC(2024, 0, 1),
      startPrice: [60_000, 3_000, 150, 0.2, 250][index]!,
      volume: [40, 700, 9_000, 5e6, 8_000][index]!,
    }),
  );
  const engine = createEngine({ feeds, startTime: feeds[0]!.time[1_000]!, retention: 1_000 });
  let events = 0;
  engine.listen(() => void events++);
  engine.setMarketInterest({
    ticks: [],
    bars: SYMBOLS.map((symbol) => ({ symbol, interval: '1m' as const, forming: false })),
  });
  return engine;
}

/** An hour's trading: in or out of each symbol, a trail, a working order, an algorithm, a monitor. */
function trade(engine: Engine, calls: Calls, hour: number): void {
  const symbol = SYMBOLS[hour % SYMBOLS.length]!;
  const { mark } = engine.market.quote(symbol);
  const size = Number((2_000 / mark).toFixed(3));
  const side = Math.floor(hour / SYMBOLS.length) % 2 === 0 ? 'buy' : 'sell';
  calls.send(WALLET, 'orders.bulkCancel');
  calls.send(WALLET, 'orders.place', {
    symbol,
    side,
    size,
    order_type: 'market',
    stop_loss: { trail: { pct: 5, interval: '5m' } },
  });
  const algo = { algo: 'pacemaker', params: { duration_seconds: 1_800 } };
  calls.send(WALLET, 'executions.launch', { ...algo, symbol, side, total_size: size });
  const trigger = { type: 'indicator_level', symbol, indicator: 'ema', interval: '15m' };
  const request = { symbol, side: side === 'buy' ? 'sell' : 'buy', size, order_type: 'market' };
  const monitor = calls.send(WALLET, 'monitors.create', {
    trigger: { ...trigger, direction: side === 'buy' ? 'above' : 'below' },
    action: { type: 'order', request },
  }) as { monitor_id: string };
  monitors.push(monitor.monitor_id);
  if (monitors.length > 10) calls.send(WALLET, 'monitors.remove', undefined, monitors.shift());
}

const monitors: string[] = [];
const engine = start();
const calls = createCalls(engine);
calls.wallet(WALLET, 1e9);
const write = (text: string): void => void process.stdout.write(`${text}\n`);
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const months: Memory[] = [];
const started = process.hrtime.bigint();
let hour = 0;
while (engine.now < engine.endTime) {
  if (engine.now % (60 * MINUTE_MS) === 0) trade(engine, calls, hour++);
  engine.advanceTo(Math.min(engine.now + MINUTE_MS, engine.endTime));
  if ((engine.now - engine.startTime) % MONTH_MS !== 0) continue;
  const memory = measure();
  months.push(memory);
  const { heap, columns, rss } = memory;
  const figures = [
    `heap ${megabytes(heap)}`,
    `columns ${megabytes(columns)}`,
    `resident ${megabytes(rss)}`,
  ];
  write(`month ${months.length}: ${figures.join(', ')}`);
}
const seconds = Number(process.hrtime.bigint() - started) / 1e9;
const bars = (SYMBOLS.length * (engine.endTime - engine.startTime)) / MINUTE_MS;
write(`${bars.toLocaleString('en-US')} bars, ${hour} hours of trading, ${seconds.toFixed(1)} s`);
const settled = months
  .slice(Math.ceil(months.length / 4))
  .map(({ heap, columns }) => heap + columns);
const growth = (settled.at(-1) ?? 0) - (settled[0] ?? 0);
write(`growth of heap and columns after the first quarter: ${megabytes(growth)}`);
process.exitCode = growth > TOLERATED_BYTES ? 1 : 0;
