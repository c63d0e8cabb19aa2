import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { attachTpsl, closePosition, placeOrder, stopLoss } from '../../../src/intents/index.ts';
import { createCatchUp } from '../../../src/runtime/pipe/createCatchUp.ts';
import type { Emission } from '../../../src/strategy/Emission.ts';
import { holdLaw } from '../../holdLaw.ts';

/** A burst of old bars, with decisions that follow from others: nothing is lost or sent twice. */

const KINDS = {
  close: (symbol: string) => closePosition.atMarket(symbol),
  stop: (symbol: string) => attachTpsl(symbol, { stop_loss: stopLoss.price(1) }),
  enter: (symbol: string) => placeOrder.market({ symbol, side: 'buy', size: 1 }),
} as const;

const decision = fc.record({
  kind: fc.constantFrom<Array<keyof typeof KINDS>>('close', 'close', 'stop', 'enter'),
  symbol: fc.constantFrom('BTC', 'BTC', 'ETH'),
  instance: fc.constantFrom('one', 'one', 'two'),
  isCatchUp: fc.constantFrom(true, true, true, false),
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
    const take = ({ kind, symbol, instance, isCatchUp }: (typeof decisions)[number]): void => {
      const emission = {
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
      expect(taken.slice(place + 1).map(kindOf)).toContain(kindOf(one));
      expect(submitted.slice(at + 1).map(kindOf)).toContain(kindOf(one));
    }
    // The newest of each kind is never overtaken.
    const newest = new Map(taken.map((one) => [kindOf(one), one.decisionKey]));
    for (const key of newest.values()) {
      expect(submitted.find(({ decisionKey }) => decisionKey === key)?.isOvertaken).toBeUndefined();
    }
  });
});
