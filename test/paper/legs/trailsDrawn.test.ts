/**
 * Trails of several wallets on one market, of longs and shorts, by the same and by other rules: each moves and fires as
 * if it were alone, though those that read the same value are decided together.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EngineEvent } from '../../../src/paper/core/Engine.ts';
import { ServiceError } from '../../../src/paper/core/ServiceError.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { createBench, feedOf, flat, walk } from '../engine/bench.ts';

const BARS = 25;
const WARM_UP = 6;
const FOLLOWED = {
  percent: { pct: 0.8, interval: '1m' },
  far: { pct: 2, interval: '1m' },
  slow: { pct: 0.8, interval: '5m' },
  level: { indicator: 'sma', params: { period: 3 }, interval: '1m' },
  distance: { indicator: 'atr', params: { period: 3 }, mult: 1.5, interval: '1m' },
} as const;
const trail = fc.record({
  by: fc.constantFrom(...(Object.keys(FOLLOWED) as Array<keyof typeof FOLLOWED>)),
  least: fc.constantFrom(undefined, 0, 40),
});
/** Which of a few rules, so that several share one; undefined: no such leg. */
const rule = fc.constantFrom(0, 0, 0, 1, undefined);
const holder = fc.record({
  isLong: fc.boolean(),
  from: fc.nat(8),
  stop: rule,
  target: rule,
});
const drawn = fc.record({
  seed: fc.nat(1e9),
  move: fc.constantFrom(0.004, 0.015),
  rules: fc.tuple(trail, trail),
  holders: fc.array(holder, { minLength: 2, maxLength: 8 }),
});
type Case = typeof drawn extends fc.Arbitrary<infer T> ? T : never;
type Holder = Case['holders'][number];

function trailBy({ by, least }: Case['rules'][number]): object {
  const more = least === undefined ? {} : { min_move_bps: least };
  return { trail: { ...FOLLOWED[by], ...more } };
}

/** What each of these wallets is shown of its legs and its position, with the minute. */
function play(
  { seed, move, rules }: Case,
  holders: ReadonlyMap<string, Holder>,
): Map<string, string[]> {
  // Each bar has volume for all of them; without a least, one in some 60,000 would not.
  const bars = walk(seed, BARS, { move, volume: 1e6, least: 1_000 });
  const rows = [...flat(100, WARM_UP, 1e6), ...bars];
  const seen = new Map<string, string[]>([...holders.keys()].map((wallet) => [wallet, []]));
  let minute = 0;
  const onEvent = ({ event, wallet, data }: EngineEvent): void => {
    const { kind, trigger_price, size, price } = data as Record<string, unknown>;
    if (event !== 'fill' && !/^(leg|trail)_/.test(event)) return;
    const what = [kind, trigger_price, price, size].filter((one) => one !== undefined);
    seen.get(wallet ?? '')?.push(`${minute} ${event} ${what.join(' ')}`);
  };
  const bench = createBench({ feeds: [feedOf(rows)] }, { onEvent });
  for (const wallet of holders.keys()) bench.engine.addAccount(wallet, 1e6);
  bench.run(WARM_UP);
  for (; minute < BARS; minute++) {
    for (const [wallet, { isLong, from, stop, target }] of holders) {
      if (from !== minute) continue;
      bench.order({ side: isLong ? 'buy' : 'sell', size: 2, order_type: 'market' }, { wallet });
      const pathParams = { symbol: 'BTC' };
      for (const [kind, which] of Object.entries({ stop_loss: stop, take_profit: target })) {
        if (which === undefined) continue;
        const body = { [kind]: trailBy(rules[which]!) };
        try {
          bench.call('positions.attachLegs', { wallet, pathParams, body });
        } catch (error) {
          // A level may be on the wrong side now.
          if (!(error instanceof ServiceError)) throw error;
        }
      }
    }
    bench.run(1);
  }
  return seen;
}

test('LEG-4: each trail of many that read the same value moves and fires as if it were alone', async () => {
  const tried = new Tried();
  await holdLaw(60, drawn, (one) => {
    const holders = new Map(one.holders.map((each, at) => [`wallet-${at}`, each]));
    const together = play(one, holders);
    for (const [wallet, each] of holders) {
      const alone = play(one, new Map([[wallet, each]]));
      expect(together.get(wallet), wallet).toEqual(alone.get(wallet));
      const side = each.isLong ? 'long' : 'short';
      for (const line of alone.get(wallet)!) {
        const [, event, kind] = line.split(' ');
        tried.take(`${side} ${kind} ${event}`);
      }
    }
  });
  const all = ['long', 'short'].flatMap((side) =>
    ['stop_loss', 'take_profit'].flatMap((kind) =>
      ['trail_moved', 'leg_triggered'].map((event) => `${side} ${kind} ${event}`),
    ),
  );
  expect(tried.rare(all, 3)).toEqual([]);
});
