import { endpointSpec, type EndpointId, type Interval } from '../../../src/contract/index.ts';
import { createRandom } from '../../../src/env/index.ts';
import type { Call, EngineEvent } from '../../../src/paper/core/Engine.ts';
import { ServiceError } from '../../../src/paper/core/ServiceError.ts';
import { createEngine, type EngineOptions } from '../../../src/paper/engine/createEngine.ts';
import type { Feed } from '../../../src/paper/feed/Feed.ts';

export const MINUTE = 60_000;
/** A Monday's midnight, so that all intervals start here. */
export const START = Date.UTC(2024, 0, 1);

export type Row = readonly [
  open: number,
  high: number,
  low: number,
  close: number,
  volume?: number,
];

/** A feed from rows; null is a missing bar. */
export function feedOf(
  rows: ReadonlyArray<Row | null>,
  { symbol = 'BTC', interval = '1m' as Interval, stepMs = MINUTE, start = START } = {},
): Feed {
  const retained = rows.flatMap((row, index) => (row === null ? [] : [{ row, index }]));
  const column = (value: (row: Row, index: number) => number): Float64Array =>
    Float64Array.from(retained, ({ row, index }) => value(row, index));
  return {
    symbol,
    interval,
    time: column((_row, index) => start + index * stepMs),
    open: column((row) => row[0]),
    high: column((row) => row[1]),
    low: column((row) => row[2]),
    close: column((row) => row[3]),
    volume: column((row) => row[4] ?? 1_000),
  };
}

/** Bars at a constant price. */
export function flat(price: number, bars: number, volume = 1_000): Row[] {
  return Array.from({ length: bars }, () => [price, price, price, price, volume] as const);
}

/** A seeded random walk of legal bars. */
export function walk(
  seed: string | number,
  bars: number,
  { price = 100, move = 0.01, volume = 1_000, least = 0 } = {},
): Row[] {
  const random = createRandom(seed);
  const round = (value: number): number => Math.max(0.01, Math.round(value * 100) / 100);
  let last = price;
  return Array.from({ length: bars }, () => {
    const open = round(last * (1 + move * 0.1 * (random.next() - 0.5)));
    const close = round(open * (1 + move * (random.next() - 0.5)));
    const high = round(Math.max(open, close) * (1 + move * 0.5 * random.next()));
    const low = round(Math.min(open, close) * (1 - move * 0.5 * random.next()));
    last = close;
    const traded = Math.max(least, Math.round(volume * 2 * random.next()));
    return [open, Math.max(high, open, close), Math.min(low, open, close), close, traded] as const;
  });
}

/** At a price of 100 the default tick is ten spreads wide; tests use cents. */
const CENTS = { BTC: { price_decimals: 2 }, ETH: { price_decimals: 2 } };

/** An engine with one funded wallet, its events, and calls by endpoint id. */
export function createBench(
  options: EngineOptions,
  { balance = 100_000, onEvent = (_event: EngineEvent): void => {} } = {},
) {
  const engine = createEngine({ ...options, instruments: { ...CENTS, ...options.instruments } });
  const events: EngineEvent[] = [];
  engine.listen((event) => {
    events.push(structuredClone(event));
    onEvent(event);
  });
  engine.setMarketInterest({ ticks: [], bars: [] });
  // A saved state has its wallets.
  if (options.saved === undefined) engine.addAccount('main', balance);

  const send = (endpoint: EndpointId, parts: Partial<Call> = {}): unknown => {
    const handler = engine.handlers[endpoint];
    if (handler === undefined) throw new Error(`No handler for ${endpoint}.`);
    const reply = handler({
      endpoint,
      pathParams: {},
      query: {},
      body: null,
      wallet: 'main',
      idempotencyKey: null,
      requireScope: () => {},
      ...parts,
    });
    // Every response must match the contract.
    endpointSpec(endpoint).response.parse(reply.body);
    return reply.body;
  };
  return {
    engine,
    events,
    // Answers are untyped JSON; tests name the fields they read.
    // oxlint-disable-next-line typescript/no-explicit-any
    call: (endpoint: EndpointId, parts: Partial<Call> = {}): any => send(endpoint, parts),
    // oxlint-disable-next-line typescript/no-explicit-any
    order: (body: Record<string, unknown>, parts: Partial<Call> = {}): any =>
      send('orders.place', { body: { symbol: 'BTC', ...body }, ...parts }),
    refusal: (endpoint: EndpointId, parts: Partial<Call> = {}): ServiceError => {
      try {
        send(endpoint, parts);
      } catch (error) {
        if (error instanceof ServiceError) return error;
        throw error;
      }
      throw new Error(`${endpoint} was not refused.`);
    },
    /** Advances by a number of minutes. */
    run: (minutes: number): void => engine.advanceTo(engine.now + minutes * MINUTE),
    named: (event: string): EngineEvent[] => events.filter((each) => each.event === event),
  };
}
