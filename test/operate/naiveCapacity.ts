import type { ReportData } from '../../src/operate/report/index.ts';
import { naiveEquity } from './naiveFigures.ts';

/**
 * Lean's estimated strategy capacity step by step, as `CapacityEstimate.UpdateMarketCapacity` is called after each bar:
 * no jumps, no state of a market that is not looked at anew.
 */

const [MINUTE, DAY] = [60_000, 86_400_000];
const LENGTHS: Record<string, number> = { '1m': MINUTE, '5m': 5 * MINUTE, '1h': 60 * MINUTE };

interface Market {
  symbol: string;
  sale: number;
  trades: number;
  dollars: number;
  average: number;
  fast: number;
  previous: { time: number; volume: number } | null;
  ordered: number;
  reset: boolean;
  monitored: boolean;
}

export function naiveCapacity(data: ReportData): number | null {
  const ends = new Map<string, Map<number, number>>();
  const steps = new Set<number>([data.endTime]);
  for (const [symbol, { time, interval }] of Object.entries(data.symbols)) {
    const own = new Map<number, number>();
    for (let bar = 0; bar < time.length; bar++) {
      const end = time[bar]! + LENGTHS[interval]!;
      own.set(end, bar);
      if (end <= data.endTime) steps.add(end);
    }
    ends.set(symbol, own);
  }
  const sorted = [...ends].map(([symbol, own]) => [symbol, [...own.keys()]] as const);
  const lists = new Map(sorted);
  const curve = naiveEquity(data);
  const fills = [...data.fills].sort((a, b) => a.time - b.time);
  const markets = new Map<string, Market>();
  const positions = new Map<string, { symbol: string; size: number }>();
  const prices = new Map<string, number>();
  const days = Math.max(Math.min((data.endTime - data.startTime) / DAY - 1, 7), 1);
  let snapshot = Math.floor(data.startTime / DAY) * DAY + days * DAY;
  let capacity: number | null = null;
  let equity = 0;
  let next = 0;
  for (const now of [...steps].sort((a, b) => a - b)) {
    for (; next < fills.length && fills[next]!.time <= now; next++) {
      const { symbol, strategy, side, price, size, time } = fills[next]!;
      const key = `${strategy} ${symbol}`;
      const held = positions.get(key) ?? { symbol, size: 0 };
      held.size += side === 'buy' ? size : -size;
      if (Math.abs(held.size) < size / 1e9) held.size = 0;
      positions.set(key, held);
      if (!prices.has(symbol)) prices.set(symbol, price);
      const ordered = (lists.get(symbol) ?? []).find((end) => end >= time) ?? time;
      const market = markets.get(symbol) ?? {
        symbol,
        sale: 0,
        trades: 0,
        dollars: 0,
        average: 0,
        fast: 1,
        previous: null,
        ordered: ordered - DAY,
        reset: false,
        monitored: false,
      };
      markets.set(symbol, market);
      market.sale += price * size;
      market.fast = (2 * ((ordered - market.ordered) / MINUTE)) / 390;
      market.fast = market.fast > 1 ? 1 : Math.max(0.2, market.fast);
      if (market.reset) Object.assign(market, { dollars: 0, trades: 0, reset: false });
      market.trades++;
      market.ordered = ordered;
      market.monitored = true;
    }
    for (const [symbol, { close, volume, interval }] of Object.entries(data.symbols)) {
      const bar = ends.get(symbol)!.get(now);
      if (bar === undefined) continue;
      prices.set(symbol, close[bar]!);
      const market = markets.get(symbol);
      const traded = volume?.[bar] ?? 0;
      if (market?.monitored !== true || traded === 0) continue;
      const between = (now - (market.previous?.time ?? now)) / MINUTE;
      market.average =
        between === 0
          ? close[bar]! * traded
          : (close[bar]! * (traded + market.previous!.volume)) / between;
      market.previous = { time: now, volume: traded };
      const k = market.average === 0 ? 10 : 6_000_000 / market.average;
      const minutes = k > 120 ? 120 : Math.trunc(Math.max(1, k));
      const included =
        LENGTHS[interval]! >= 60 * MINUTE
          ? now === market.ordered
          : now <= market.ordered + minutes * MINUTE;
      if (included) market.dollars += close[bar]! * market.fast * traded;
      else market.monitored = false;
    }
    while (curve[equity + 1] !== undefined && curve[equity + 1]![0] <= now) equity++;
    const isDue = Math.floor(now / DAY) * DAY >= snapshot || now === data.endTime;
    if (!isDue || markets.size === 0) continue;
    const worth = curve[equity]![1];
    const scale = (symbol: string): number => {
      const length = LENGTHS[data.symbols[symbol]?.interval ?? '1m']!;
      return length >= 60 * MINUTE ? 0.05 : 0.2;
    };
    const ranked = [...markets.values()]
      .filter(({ trades, dollars }) => trades > 0 && dollars > 0)
      .sort((a, b) => a.dollars * scale(a.symbol) - b.dollars * scale(b.symbol));
    const smallest = ranked[0];
    if (smallest !== undefined) {
      let total = 0;
      for (const { sale } of markets.values()) total += sale;
      let holdings = 0;
      for (const { symbol, size } of positions.values())
        if (symbol === smallest.symbol) holdings += Math.abs(size) * prices.get(symbol)!;
      const factor = Math.max(total === 0 ? 0 : smallest.sale / total, holdings / worth);
      const daily = (smallest.dollars * scale(smallest.symbol)) / smallest.trades;
      const old: number = capacity ?? 0;
      const fresh: number = factor === 0 ? old : daily / factor;
      capacity = old === 0 ? fresh : 0.33 * fresh + old * 0.66;
    }
    for (const market of markets.values()) {
      const own = [...positions.values()].filter(({ symbol }) => symbol === market.symbol);
      const invested = own.some(({ size }) => size !== 0);
      if (invested || now < market.ordered + 30 * DAY)
        Object.assign(market, { reset: true, sale: 0 });
      else markets.delete(market.symbol);
    }
    snapshot = Math.floor(now / DAY) * DAY + days * DAY;
  }
  return capacity;
}
