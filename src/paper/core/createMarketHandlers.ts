import {
  indicatorRecords,
  type CandlesQuery,
  type CandlesRecord,
  type EndpointId,
  type EvaluateRequest,
} from '../../contract/index.ts';
import type { ShellHandler } from './Admission.ts';
import type { CandleCache } from './createCandleCache.ts';
import { createIndicatorBoard } from './createIndicatorBoard.ts';
import type { Engine } from './Engine.ts';
import { bookRecord, marketRecord } from '../market/marketRecords.ts';
import { paginate } from './paginate.ts';
import { evaluateItem } from './evaluateItem.ts';
import { knownInstrument, servedInterval } from './knownInstrument.ts';
import { readCandles } from './readCandles.ts';

const DEFAULT_DEPTH = 20;
/** Bars are more than records of a list: conventions §3. */
const DEFAULT_CANDLES = 500;

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
      const rows = instruments.map(({ symbol }) => marketRecord(market, symbol, engine.now));
      return { body: paginate(rows, query, pageDefault) };
    },
    'market.price': ({ pathParams }) => {
      const { symbol } = knownInstrument(market, pathParams['symbol']);
      return { body: { symbol, ...market.quote(symbol) } };
    },
    'market.orderbook': ({ pathParams, query }) => {
      const { symbol } = knownInstrument(market, pathParams['symbol']);
      const depth = (query['depth'] as number | undefined) ?? DEFAULT_DEPTH;
      return { body: bookRecord(market, symbol, { depth, now: engine.now }) };
    },
    'market.candles': ({ pathParams, query, wallet }) => {
      const { symbol } = knownInstrument(market, pathParams['symbol']);
      const asked = query as CandlesQuery;
      servedInterval(market, symbol, asked.interval);
      const { cached, ageSeconds } = cache.read(wallet, symbol, asked.interval, engine.now);
      const body: CandlesRecord = {
        symbol,
        interval: asked.interval,
        candles: readCandles(market, symbol, asked, DEFAULT_CANDLES),
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
