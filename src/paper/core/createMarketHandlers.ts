import {
  indicatorRecords,
  INTERVAL_MS,
  type CandleRecord,
  type CandlesQuery,
  type CandlesRecord,
  type EndpointId,
  type EvaluateItem,
  type EvaluateRequest,
  type IndicatorValue,
  type InstrumentRecord,
  type Interval,
  type MarketRecord,
} from '../../contract/index.ts';
import type { Indicator } from '../../indicators/index.ts';
import type { ShellHandler } from './Admission.ts';
import type { CandleCache } from './createCandleCache.ts';
import { createIndicatorBoard } from './createIndicatorBoard.ts';
import type { BarSeries, Engine, Market } from './Engine.ts';
import { paginate } from './paginate.ts';
import { ServiceError } from './ServiceError.ts';
import { synthesiseBook } from './synthesiseBook.ts';

const DEFAULT_DEPTH = 20;
const DAY_MS = 24 * 3_600_000;

/** Market data (MKT-1 to MKT-6): what anyone may see of the market at the replay's time. */
export function createMarketHandlers(options: {
  engine: Engine;
  cache: CandleCache;
  pageDefault: number;
}): Partial<Record<EndpointId, ShellHandler>> {
  const { engine, cache, pageDefault } = options;
  const { market } = engine;
  const board = createIndicatorBoard();
  const ofSymbol = <T extends { symbol: string }>(rows: readonly T[], symbol: unknown): T[] =>
    rows.filter((row) => symbol === undefined || row.symbol === symbol);

  return {
    'market.instruments': ({ query }) => ({
      body: paginate(ofSymbol(market.instruments, query['symbol']), query, pageDefault),
    }),
    'market.markets': ({ query }) => {
      const instruments = ofSymbol(market.instruments, query['symbol']);
      const rows = instruments.map((instrument) => marketRecord(engine, instrument));
      return { body: paginate(rows, query, pageDefault) };
    },
    'market.price': ({ pathParams }) => {
      const { symbol } = knownInstrument(market, pathParams['symbol']);
      return { body: { symbol, ...market.quote(symbol) } };
    },
    'market.orderbook': ({ pathParams, query }) => {
      const instrument = knownInstrument(market, pathParams['symbol']);
      const { symbol } = instrument;
      const depth = (query['depth'] as number | undefined) ?? DEFAULT_DEPTH;
      const touch = market.quote(symbol);
      const bars = market.closedBars(symbol, market.feedInterval(symbol));
      const typicalVolume = bars.length === 0 ? 0 : bars.volume[bars.length - 1]!;
      return {
        body: synthesiseBook({ instrument, touch, typicalVolume, depth, time: engine.now }),
      };
    },
    'market.candles': ({ pathParams, query, wallet }) => {
      const { symbol } = knownInstrument(market, pathParams['symbol']);
      const asked = query as CandlesQuery;
      servedInterval(market, symbol, asked.interval);
      const { cached, ageSeconds } = cache.read(wallet, symbol, asked.interval, engine.now);
      const body: CandlesRecord = {
        symbol,
        interval: asked.interval,
        candles: candles(market, symbol, asked, pageDefault),
        cached,
        age_seconds: ageSeconds,
      };
      return { body, cached };
    },
    'market.indicators': ({ query }) => ({
      body: paginate(indicatorRecords(), query, pageDefault),
    }),
    'market.evaluate': ({ body }) => {
      const request = body as EvaluateRequest;
      const { symbol, interval } = request;
      knownInstrument(market, symbol);
      servedInterval(market, symbol, interval);
      const bars = market.closedBars(symbol, interval);
      const barTime = bars.length === 0 ? 0 : bars.time[bars.length - 1]!;
      const values = request.indicators.map((item, index) => {
        const params = item.params ?? {};
        const indicator = board.at({ symbol, interval, indicator: item.indicator, params }, bars);
        return evaluate({ item, index, indicator, bars, barTime });
      });
      return { body: { symbol, interval, bar_time: barTime, values } };
    },
  };
}

/** @throws ServiceError `unknown_symbol` */
export function knownInstrument(market: Market, symbol: string | undefined): InstrumentRecord {
  const instrument = symbol === undefined ? undefined : market.instrument(symbol);
  if (instrument === undefined) throw new ServiceError('unknown_symbol');
  return instrument;
}

/** Bars can be joined to longer ones, never split. @throws ServiceError `validation_failed` */
export function servedInterval(market: Market, symbol: string, interval: Interval): void {
  const shortest = market.feedInterval(symbol);
  if (INTERVAL_MS[interval] >= INTERVAL_MS[shortest]) return;
  const message = `${symbol} is served from ${shortest} on; ${interval} is shorter.`;
  throw new ServiceError('validation_failed', {
    message: `interval: ${message}`,
    details: { fields: [{ path: 'interval', code: 'interval_too_short', message }] },
  });
}

function marketRecord(engine: Engine, { symbol }: InstrumentRecord): MarketRecord {
  const { market, now } = engine;
  const { mark } = market.quote(symbol);
  const funding = market.funding(symbol);
  return {
    symbol,
    mark,
    index: mark,
    funding_rate: funding?.rate ?? null,
    next_funding_time: funding?.nextTime ?? null,
    volume_24h: volumeSince(market.closedBars(symbol, market.feedInterval(symbol)), now - DAY_MS),
    open_interest: null,
  };
}

function volumeSince(bars: BarSeries, time: number): number {
  let sum = 0;
  for (let at = bars.length - 1; at >= 0 && bars.time[at]! >= time; at--) sum += bars.volume[at]!;
  return sum;
}

/**
 * Closed bars in `[start_time, end_time)`, ascending: the last `limit` of them, or the first where a
 * start is given; then the bar in progress where it is asked for (MKT-1).
 */
function candles(
  market: Market,
  symbol: string,
  query: CandlesQuery,
  defaultLimit: number,
): CandleRecord[] {
  const { interval, start_time: from = -Infinity, end_time: until = Infinity } = query;
  const bars = market.closedBars(symbol, interval);
  const limit = query.limit ?? defaultLimit;
  let start = firstAtOrAfter(bars, from);
  let end = firstAtOrAfter(bars, until);
  if (query.start_time === undefined) start = Math.max(start, end - limit);
  else end = Math.min(end, start + limit);
  const rows: CandleRecord[] = [];
  for (let at = start; at < end; at++) rows.push(closedCandle(bars, at));
  const forming = query.include_forming === true ? market.formingBar(symbol, interval) : null;
  if (forming !== null && forming.time >= from && forming.time < until) {
    rows.push({ ...forming, closed: false });
  }
  return rows;
}

/** One closed bar of a series as the wire shows it. */
export function closedCandle(bars: BarSeries, at: number): CandleRecord {
  return {
    time: bars.time[at]!,
    open: bars.open[at]!,
    high: bars.high[at]!,
    low: bars.low[at]!,
    close: bars.close[at]!,
    volume: bars.volume[at]!,
    closed: true,
  };
}

function firstAtOrAfter(bars: BarSeries, time: number): number {
  let low = 0;
  let high = bars.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bars.time[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One value, or every line of an indicator that has several and was asked for none (MKT-2, MKT-4). */
function evaluate(read: {
  item: EvaluateItem;
  index: number;
  indicator: Indicator;
  bars: BarSeries;
  barTime: number;
}): IndicatorValue {
  const { item, index, indicator, bars, barTime } = read;
  const all = item.series === undefined && indicator.series.length > 1;
  const needed = all ? indicator.barsNeeded : indicator.barsNeededFor(item.series);
  if (bars.length < needed) {
    throw new ServiceError('indicator_not_ready', {
      message: `${item.indicator} needs ${needed} closed bars; there are ${bars.length}.`,
      details: {
        path: `indicators.${index}`,
        id: item.id,
        bars_needed: needed,
        bars_available: bars.length,
      },
    });
  }
  const head = { id: item.id, indicator: item.indicator, bar_time: barTime };
  if (!all) return { ...head, value: indicator.value(item.series) };
  const lines = indicator.series.map((name) => [name, indicator.value(name)]);
  return { ...head, series: Object.fromEntries(lines) as Record<string, number> };
}
