import {
  indicatorRecords,
  type CandlesQuery,
  type CandlesRecord,
  type EndpointId,
  type EvaluateRequest,
  type InstrumentRecord,
  type MarketRecord,
} from '../../contract/index.ts';
import type { ShellHandler } from './Admission.ts';
import type { CandleCache } from './createCandleCache.ts';
import { createIndicatorBoard } from './createIndicatorBoard.ts';
import type { Engine } from './Engine.ts';
import type { BarSeries } from './Market.ts';
import { paginate } from './paginate.ts';
import { synthesiseBook } from './synthesiseBook.ts';
import { evaluateItem } from './evaluateItem.ts';
import { knownInstrument, servedInterval } from './knownInstrument.ts';
import { readCandles } from './readCandles.ts';

const DEFAULT_DEPTH = 20;
const DAY_MS = 24 * 3_600_000;

/** Market data (MKT-1 to MKT-6): the market as it is visible at the replay's time. */
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
      const recorded = market.book(symbol, depth);
      if (recorded !== null) return { body: { symbol, ...recorded, time: engine.now } };
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
        candles: readCandles(market, symbol, asked, pageDefault),
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
        return evaluateItem({ item, index, indicator, bars, barTime });
      });
      return { body: { symbol, interval, bar_time: barTime, values } };
    },
  };
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
