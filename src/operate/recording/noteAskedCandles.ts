import type { Strategy } from '../../strategy/index.ts';
import type { RecordedLine } from '../../strategy/recording/index.ts';

/** A strategy that does as before, and what it asked for that a recording does not hold. */
export interface NotedStrategy {
  strategy: Strategy;
  /** @param short candles of which the recording has too little history, and how much it has */
  missingIn(lines: readonly RecordedLine[], short: ReadonlyMap<string, number>): string[];
}

type Ask = (symbol: string, interval: string, ...rest: unknown[]) => unknown;

const ASKS = ['candles', 'candlesWithForming', 'indicator'] as const;

/** Notes whose candles a strategy asks for: those that were not recorded never come, and nobody else says so. */
export function noteAskedCandles(strategy: Strategy): NotedStrategy {
  const asked = new Set<string>();
  const setup: Strategy['setup'] = (ctx) => {
    const noting = ASKS.map((name): [string, Ask] => [
      name,
      (symbol, interval, ...rest) => {
        asked.add(`${symbol} ${interval}`);
        return (ctx[name] as Ask)(symbol, interval, ...rest);
      },
    ]);
    return strategy.setup({ ...ctx, ...Object.fromEntries(noting) });
  };
  return {
    strategy: { ...strategy, setup },
    missingIn(lines, short) {
      const told = new Set(
        lines.flatMap((line) => (line[0] === 'subscribed' ? [candlesOf(line[1])] : [])),
      );
      return [...asked].flatMap((candles) => {
        const history = short.get(candles);
        if (!told.has(candles)) return [`candles of ${candles}: it sees none of them`];
        if (history === undefined) return [];
        return [
          `more than ${history} bars of ${candles} before its start: its warm-up is longer here`,
        ];
      });
    },
  };
}

const candlesOf = (source: string): string => source.split(' ').slice(1, 3).join(' ');
