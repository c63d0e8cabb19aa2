import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import {
  attachTpsl,
  closePosition,
  placeOrder,
  stopLoss,
  takeProfit,
} from '../../../src/intents/index.ts';
import { createCatchUp } from '../../../src/runtime/pipe/createCatchUp.ts';
import type { Emission } from '../../../src/strategy/Emission.ts';
import { holdLaw } from '../../holdLaw.ts';

/** A burst of old bars, with decisions that follow from others: nothing is lost or sent twice. */

const KINDS = {
  close: (symbol: string) => closePosition.atMarket(symbol),
  stop: (symbol: string) => attachTpsl(symbol, { stop_loss: stopLoss.price(1) }),
  target: (symbol: string) => attachTpsl(symbol, { take_profit: takeProfit.price(3) }),
  enter: (symbol: string) => placeOrder.market({ symbol, side: 'buy', size: 1 }),
} as const;

const decision = fc.record({
  kind: fc.constantFrom<Array<keyof typeof KINDS>>('close', 'close', 'stop', 'target', 'enter'),
  symbol: fc.constantFrom('BTC', 'BTC', 'ETH'),
  instance: fc.constantFrom('one', 'one', 'two'),
  isCatchUp: fc.constantFrom(true, true, true, false),
  /** Whether it belongs to the same bar as the one before it. */
  isSameBar: fc.boolean(),
  /** Milliseconds after the one before it. */
  wait: fc.constantFrom(0, 0, 100, 249, 250, 251, 2_000),
});
const drawn = fc.record({
  decisions: fc.array(decision, { minLength: 1, maxLength: 10 }),
  /** What the strategy decides as soon as something was submitted, by its place. */
  follows: fc.array(fc.record({ on: fc.integer({ min: 1, max: 6 }), what: decision }), {
    maxLength: 4,
  }),
});

test('each decision of a burst is submitted once, and of its kind only the newest counts', async () => {
  await holdLaw(3_000, drawn, ({ decisions, follows }) => {
    const { timers, queue } = createVirtualEnv();
    const taken: Emission[] = [];
    const submitted: Emission[] = [];
    let bar = 0;
    const take = (one: (typeof decisions)[number]): void => {
      const { kind, symbol, instance, isCatchUp, isSameBar } = one;
      if (!isSameBar) bar++;
      const emission = {
        cause: `bar:BTC:1m:${bar}`,
        intent: KINDS[kind](symbol),
        instance,
        wallet: 'main',
        decisionKey: `d${taken.length}`,
        ...(isCatchUp ? { isCatchUp } : {}),
      } as Emission;
      taken.push(emission);
      catchUp.take(emission);
    };
    const catchUp = createCatchUp({
      timers,
      submit(emission) {
        submitted.push(emission);
        const at = submitted.length;
        for (const { on, what } of follows) if (on === at) take(what);
      },
    });
    for (const one of decisions) {
      queue.advanceTo(queue.now() + one.wait);
      take(one);
    }
    queue.advanceTo(queue.now() + 60_000);
    const keys = (all: readonly Emission[]): string[] =>
      all.map(({ decisionKey }) => decisionKey).toSorted();
    expect(keys(submitted)).toEqual(keys(taken));
    const kindOf = ({ intent, instance }: Emission): string => JSON.stringify([instance, intent]);
    for (const [at, one] of submitted.entries()) {
      if (one.isOvertaken !== true) continue;
      // What overtakes comes later, and is sent itself or overtaken in its turn.
      const place = taken.findIndex(({ decisionKey }) => decisionKey === one.decisionKey);
      const isOther = (other: Emission): boolean =>
        kindOf(other) === kindOf(one) && other.cause !== one.cause;
      expect(taken.slice(place + 1).some(isOther)).toBe(true);
      // A decision that follows from one end may be sent before the next end is told.
      if (follows.length === 0) expect(submitted.slice(at + 1).some(isOther)).toBe(true);
    }
    // What the last bar of a kind decides is never overtaken.
    const newest = new Map(taken.map((one) => [kindOf(one), one.cause]));
    for (const one of submitted) {
      if (newest.get(kindOf(one)) === one.cause) expect(one.isOvertaken).toBeUndefined();
    }
  });
});
