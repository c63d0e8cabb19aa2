import {
  delay,
  distinctUntilChanged,
  filter,
  ignoreElements,
  map,
  merge,
  share,
  skip,
  take,
} from 'rxjs';
import { defineStrategy, placeOrder, type Interval, type Strategy } from 'trimtab';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { INTERVAL_MS } from '../../../src/contract/index.ts';
import { generateFeed } from '../../../src/paper/index.ts';
import { rotation } from '../../tiers.ts';
import { runDirect, runDriven, type ParityTape } from '../runParity.ts';
import { firstDifference } from './describeRun.ts';

/** Bars that are shorter than an hour, as long, and longer: then a settlement comes within one. */
const FINEST = ['1m', '15m', '1h', '4h'] as const;
const BARS = 400;

/** Holds a position, and trades as funding of it is reported, or some time later; its bars alone decide nothing. */
function payingStrategy(interval: Interval): Strategy {
  return defineStrategy({
    name: 'paying',
    contract: 1,
    description: 'Trades when funding was paid.',
    params: z.object({}),
    scopes: ['trade'],
    setup({ symbol, candles, account$, now, instrument, scheduler }) {
      let close = 0;
      const order = (side: 'buy' | 'sell', share: number) => {
        const size = instrument(symbol).roundSize(share / close);
        return placeOrder.market({ symbol, side, size }, { note: `${now()} ${close}` });
      };
      const bars$ = candles(symbol, interval).pipe(map((bar) => (close = bar.close)));
      const opens$ = bars$.pipe(
        skip(3),
        take(1),
        map(() => order('buy', 400)),
      );
      const paid$ = account$.pipe(
        map(({ funding_paid }) => funding_paid),
        distinctUntilChanged(),
        skip(1),
        map((_paid, index) => index),
        share(),
      );
      const answers$ = paid$.pipe(
        filter((index) => index % 4 === 0),
        map(() => order('sell', 200)),
      );
      const later$ = paid$.pipe(
        filter((index) => index % 4 === 2),
        delay(95_000, scheduler),
        map(() => order('buy', 200)),
      );
      return merge(opens$, bars$.pipe(ignoreElements()), answers$, later$);
    },
  }) as Strategy;
}

function payingTape(interval: (typeof FINEST)[number], latencyMs: number): ParityTape {
  const feed = generateFeed({
    symbol: 'BTC',
    interval,
    bars: BARS,
    seed: `${rotation} ${interval}`,
    startTime: Date.UTC(2026, 0, 5, 21, 48),
    startPrice: 61_000,
  });
  return {
    data: { feeds: [feed], funding: {} },
    settings: {
      feeds: [{ symbol: 'BTC', interval, generate: { seed: 1, bars: 2 } }],
      warmup: 0,
      latency: { order_ms: latencyMs, cancel_ms: 0 },
    },
    members: [{ strategy: payingStrategy(interval), symbols: ['BTC'], wallet: 'main' }],
    stepMs: INTERVAL_MS[interval],
    isDescribed: true,
  };
}

test.each(
  FINEST.flatMap((interval) => [0, 250].map((latencyMs) => [interval, latencyMs] as const)),
)(
  'what a settlement causes is the same in spans: bars of %s, orders after %d ms',
  async (interval, latencyMs) => {
    const times: number[][] = [];
    const tape: ParityTape = {
      ...payingTape(interval, latencyMs),
      onBot({ bot, env }) {
        const own: number[] = [];
        times.push(own);
        bot.events$.subscribe(() => own.push(env.clock.wallNow(), bot.instant));
      },
    };
    const [exact, other] = [await runDirect(tape), await runDriven(tape)];
    expect(exact.fills.length).toBeGreaterThan(2);
    expect(firstDifference(exact.lines!, other.lines!)).toBe(undefined);
    expect(times[1]).toEqual(times[0]);
  },
);
