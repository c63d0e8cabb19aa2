import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import {
  closePosition,
  launchBasket,
  modifyOrder,
  placeOrder,
  type Intent,
} from '../../../src/intents/index.ts';
import { createJournal, createMemoryStore, type Step } from '../../../src/journal/index.ts';
import { createThrottle } from '../../../src/runtime/control/createThrottle.ts';
import { createIntentRate } from '../../../src/runtime/pipe/createIntentRate.ts';
import { holdLaw } from '../../holdLaw.ts';

/** Entries an hour and intents a minute, as a list of times counts them, whatever process asks. */

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const INSTANCES = ['one', 'two'];

const leg = {
  algo: 'pacemaker',
  side: 'buy',
  total_size: 1,
  params: { duration_seconds: 60 },
} as const;
const KINDS: Readonly<Record<string, { intent: Intent; adds: boolean; added?: object[] }>> = {
  order: { intent: placeOrder.market({ symbol: 'BTC', side: 'sell', size: 1 }), adds: true },
  explicit: {
    intent: placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1, reduce_only: false }),
    adds: true,
  },
  basket: {
    intent: launchBasket({
      legs: [{ ...leg, symbol: 'BTC', reduce_only: true } as never, { ...leg, symbol: 'ETH' }],
    }),
    adds: true,
  },
  exit: {
    intent: placeOrder.market({ symbol: 'BTC', side: 'sell', size: 1, reduce_only: true }),
    adds: false,
  },
  close: { intent: closePosition.atMarket('BTC'), adds: false },
  enlarges: {
    intent: modifyOrder({ order_id: 'o' }, { size: 3 }),
    adds: true,
    added: [{ symbol: 'BTC', side: 'buy', size: 1 }],
  },
  reprices: { intent: modifyOrder({ order_id: 'o' }, { price: 3 }), adds: false },
};

/** How an intent ended; what never was sent and is still open is evaluated again by the next process. */
const ENDS: Readonly<Record<string, readonly Step[]>> = {
  accepted: [{ state: 'sending' }, { state: 'accepted' }],
  rejected: [{ state: 'sending' }, { state: 'rejected' }],
  unknown: [{ state: 'sending' }, { state: 'unknown' }],
  expired: [{ state: 'expired' }],
  open: [],
};

const op = fc.oneof(
  fc.record({
    op: fc.constant('emit' as const),
    instance: fc.constantFrom(...INSTANCES),
    kind: fc.constantFrom(...Object.keys(KINDS)),
    end: fc.constantFrom(...Object.keys(ENDS)),
    denied: fc.constantFrom(
      undefined,
      undefined,
      undefined,
      'request',
      'data_age',
      'max_entries_per_hour',
    ),
    isCatchUp: fc.constantFrom(undefined, undefined, true),
  }),
  fc.record({
    op: fc.constant('wait' as const),
    ms: fc.constantFrom(
      1,
      1_000,
      MINUTE_MS - 1,
      MINUTE_MS,
      HOUR_MS - 1,
      HOUR_MS,
      HOUR_MS + 1,
      1_200_000,
    ),
  }),
  fc.constant({ op: 'restart' as const }),
  fc.constant({ op: 'rearm' as const }),
);

test('what passed within the hour, and what was proposed within the minute, counts across restarts', async () => {
  await holdLaw(800, fc.array(op, { minLength: 3, maxLength: 25 }), async (ops) => {
    const store = createMemoryStore();
    let now = 1_700_000_000_000;
    const market = { now: () => now } as never;
    const env = createVirtualEnv();
    const journal = createJournal(store, { clock: env.clock, market });
    const open = () => {
      const instances = INSTANCES;
      const throttle = createThrottle({
        store,
        env,
        market,
        limit: 3,
        instances,
        onTrip: () => {},
        onFatal(error) {
          throw error;
        },
      });
      throttle.restore();
      return { throttle, rate: createIntentRate({ store, market, limit: 3, instances }) };
    };
    let process = open();
    const entered: Array<{ instance: string; time: number; isOpen: boolean }> = [];
    const emitted: typeof entered = [];
    const latched = new Map<string, string>();
    let count = 0;
    for (const one of ops) {
      if (one.op === 'wait') now += one.ms;
      else if (one.op === 'rearm') {
        await process.throttle.rearm('looked at it');
        entered.length = 0;
        latched.clear();
      } else if (one.op === 'restart') {
        process = open();
        // The next process evaluates again what was never sent; here it has other things to do.
        for (const all of [entered, emitted])
          for (const item of all.filter(({ isOpen }) => isOpen)) all.splice(all.indexOf(item), 1);
      } else {
        const { instance, isCatchUp, denied } = one;
        const { intent, adds, added } = KINDS[one.kind]!;
        const key = `key ${count++}`;
        const row = {
          key,
          decisionKey: key,
          generation: 0,
          instance,
          wallet: 'main',
          kind: intent.kind,
        };
        const isOpen = denied === undefined && one.end === 'open';
        const steps: Step[] =
          denied === undefined
            ? [{ state: 'guarded', data: added === undefined ? {} : { added } }, ...ENDS[one.end]!]
            : [{ state: 'denied', data: { guard: denied } }];
        // As the guards do, before it is journaled.
        process.rate.recent(instance);
        await journal.open({ ...row, intent: JSON.stringify({ intent, trigger: {} }) }, [
          { state: 'emitted', data: isCatchUp === undefined ? {} : { isCatchUp } },
          ...steps,
        ]);
        if (isCatchUp !== true && denied !== 'request') {
          process.rate.emitted(instance);
          emitted.push({ instance, time: now, isOpen });
        }
        if (denied === undefined && adds) {
          process.throttle.entered(instance);
          entered.push({ instance, time: now, isOpen });
        }
        if (denied === 'max_entries_per_hour') {
          process.throttle.trip(instance, `reason ${count}`);
          if (!latched.has(instance)) latched.set(instance, `reason ${count}`);
        }
      }
      const since = (all: typeof entered, instance: string, ms: number): number =>
        all.filter((item) => item.instance === instance && item.time > now - ms).length;
      for (const instance of INSTANCES) {
        expect(process.throttle.recent(instance)).toBe(since(entered, instance, HOUR_MS));
        expect(process.rate.recent(instance)).toBe(since(emitted, instance, MINUTE_MS));
        expect(process.throttle.latched(instance)).toBe(latched.get(instance));
      }
    }
  });
});
