import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import {
  attachTpsl,
  bulkCancel,
  closePosition,
  controlExecution,
  launchBasket,
  modifyOrder,
  placeOrder,
  retireTpsl,
  setLeverage,
  stopLoss,
  takeProfit,
  type Intent,
} from '../../../src/intents/index.ts';
import { createJournal, createMemoryStore, type Step } from '../../../src/journal/index.ts';
import type { PersistedIntent } from '../../../src/runtime/pipe/PersistedIntent.ts';
import { recoverIntents } from '../../../src/runtime/recovery/recoverIntents.ts';
import { createExposure } from '../../../src/runtime/wallet/createExposure.ts';
import { createOpenWork } from '../../../src/runtime/wallet/createOpenWork.ts';
import { createRefs } from '../../../src/runtime/wallet/createRefs.ts';
import { holdLaw } from '../../holdLaw.ts';

/** What a start makes of a drawn journal: two strategies, two wallets, each state, each kind, each age. */

const NOW = 1_700_000_000_000;
const FRESH_MS = 60_000;
/** What an exit outlives its process by, unless it ends one thing by its id. */
const WANTED_MS = 600_000;
const ENDS: readonly string[] = ['pause', 'stop'];
const leg = {
  algo: 'pacemaker',
  side: 'buy',
  total_size: 2,
  params: { duration_seconds: 60 },
} as const;
const trail = stopLoss.trail({ pct: 1, interval: '1h' });

interface Kind {
  intent: Intent;
  isExit: boolean;
  adds: ReadonlyArray<[symbol: string, side: 'buy' | 'sell', size: number]>;
  /** The side by which it closes a position of a symbol. */
  closes?: Readonly<Record<string, 'buy' | 'sell' | 'both'>>;
  rows: number;
  /** What it overwrites. */
  sets: readonly string[];
  added?: object[];
  reduced?: object[];
}
const KINDS: readonly Kind[] = [
  {
    intent: placeOrder.market({ symbol: 'BTC', side: 'sell', size: 1, stop_loss: trail }),
    isExit: false,
    adds: [['BTC', 'sell', 1]],
    rows: 1,
    sets: [],
  },
  {
    intent: placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1, reduce_only: true }),
    isExit: true,
    adds: [],
    closes: { BTC: 'buy' },
    rows: 0,
    sets: [],
  },
  {
    intent: launchBasket({
      legs: [
        { ...leg, symbol: 'BTC' },
        { ...leg, symbol: 'ETH' },
        { ...leg, symbol: 'ETH' },
      ],
    }),
    isExit: false,
    adds: [
      ['BTC', 'buy', 2],
      ['ETH', 'buy', 4],
    ],
    rows: 0,
    sets: [],
  },
  {
    intent: modifyOrder({ order_id: 'x' }, { size: 3 }),
    isExit: false,
    adds: [['ETH', 'sell', 2]],
    rows: 0,
    sets: ['x size'],
    added: [{ symbol: 'ETH', side: 'sell', size: 2 }],
  },
  {
    intent: modifyOrder({ order_id: 'y' }, { size: 3 }),
    isExit: false,
    adds: [],
    closes: { ETH: 'sell' },
    rows: 0,
    sets: ['y size'],
    reduced: [{ symbol: 'ETH', side: 'sell', size: 2 }],
  },
  {
    intent: modifyOrder({ order_id: 'x' }, { price: 3 }),
    isExit: false,
    adds: [],
    rows: 0,
    sets: ['x price'],
  },
  {
    intent: closePosition.atMarket('BTC'),
    isExit: true,
    adds: [],
    closes: { BTC: 'both' },
    rows: 0,
    sets: [],
  },
  {
    intent: placeOrder.market({ symbol: 'ETH', side: 'sell', size: 3, reduce_only: true }),
    isExit: true,
    adds: [],
    closes: { ETH: 'sell' },
    rows: 0,
    sets: [],
  },
  { intent: bulkCancel(), isExit: true, adds: [], rows: 0, sets: [] },
  {
    intent: attachTpsl('BTC', { stop_loss: trail }),
    isExit: true,
    adds: [],
    rows: 1,
    sets: ['BTC stop_loss'],
  },
  {
    intent: attachTpsl('BTC', { take_profit: takeProfit.price(9) }),
    isExit: true,
    adds: [],
    rows: 0,
    sets: ['BTC take_profit'],
  },
  {
    intent: attachTpsl('BTC', { stop_loss: stopLoss.price(1), take_profit: takeProfit.price(9) }),
    isExit: true,
    adds: [],
    rows: 0,
    sets: ['BTC stop_loss', 'BTC take_profit'],
  },
  {
    intent: retireTpsl('BTC'),
    isExit: true,
    adds: [],
    rows: 0,
    sets: ['BTC stop_loss', 'BTC take_profit'],
  },
  {
    intent: setLeverage('BTC', { leverage: 2 }),
    isExit: false,
    adds: [],
    rows: 0,
    sets: ['BTC leverage'],
  },
  {
    intent: controlExecution.pause({ execution_id: 'e' }),
    isExit: true,
    adds: [],
    rows: 0,
    sets: ['e'],
  },
  {
    intent: controlExecution.resume({ execution_id: 'e' }),
    isExit: false,
    adds: [],
    rows: 0,
    sets: ['e'],
  },
  {
    intent: controlExecution.stop({ execution_id: 'e' }),
    isExit: true,
    adds: [],
    rows: 0,
    sets: [],
  },
];

const STATES: Readonly<Record<string, readonly Step[]>> = {
  emitted: [],
  guarded: [{ state: 'guarded' }],
  deferred: [{ state: 'guarded' }, { state: 'deferred' }],
  again: [{ state: 'guarded' }, { state: 'sending' }, { state: 'deferred' }],
  sending: [{ state: 'guarded' }, { state: 'sending' }],
  unknown: [{ state: 'guarded' }, { state: 'sending' }, { state: 'unknown' }],
  unresolved: [
    { state: 'guarded' },
    { state: 'sending' },
    { state: 'unknown' },
    { state: 'unresolved' },
  ],
  accepted: [
    { state: 'guarded' },
    { state: 'sending' },
    { state: 'accepted', data: { record: {} } },
  ],
  rejected: [{ state: 'guarded' }, { state: 'sending' }, { state: 'rejected' }],
  denied: [{ state: 'denied' }],
};
const UNSENT = ['emitted', 'guarded', 'deferred', 'again'];
const SENT = ['sending', 'unknown', 'unresolved'];

const AGES_MS = [0, FRESH_MS - 1, FRESH_MS, FRESH_MS + 1, WANTED_MS, WANTED_MS + 1, 3_600_000];

const row = fc.record({
  kind: fc.constantFrom(...KINDS),
  state: fc.constantFrom(...Object.keys(STATES)),
  instance: fc.constantFrom('one', 'two', 'gone'),
  wallet: fc.constantFrom('main', 'side'),
  ageMs: fc.constantFrom(...AGES_MS),
  notAfter: fc.constantFrom(undefined, undefined, undefined, -1, 0, 1),
});

const legsOf = (intent: Intent): object => ('legs' in intent ? (intent.legs ?? {}) : {});

function validMs({ intent, isExit }: Kind): number {
  if (!isExit) return FRESH_MS;
  return 'action' in intent && ENDS.includes(intent.action) ? Infinity : WANTED_MS;
}

test('what was never sent goes on or ends by its age, what may have been sent counts whole and is queried', async () => {
  await holdLaw(1_200, fc.array(row, { minLength: 1, maxLength: 6 }), async (rows) => {
    const store = createMemoryStore();
    const env = createVirtualEnv({ startTime: NOW });
    let time = NOW;
    const journal = createJournal(store, { clock: env.clock, market: { now: () => time } });
    for (const [at, { kind, state, instance, wallet, ageMs, notAfter }] of rows.entries()) {
      time = NOW - ageMs;
      const key = `k${at}`;
      const intent =
        notAfter === undefined ? kind.intent : { ...kind.intent, not_after: NOW + notAfter };
      const steps = STATES[state]!.map((step) =>
        step.state === 'sending'
          ? { ...step, data: { body: JSON.stringify(legsOf(kind.intent)) } }
          : step.state === 'guarded'
            ? {
                ...step,
                data: {
                  ...(kind.added && { added: kind.added }),
                  ...(kind.reduced && { reduced: kind.reduced }),
                },
              }
            : step,
      );
      const identity = { key, decisionKey: key, generation: 0, instance, wallet };
      await journal.open(
        { ...identity, kind: kind.intent.kind, intent: JSON.stringify({ intent, trigger: {} }) },
        [{ state: 'emitted', data: { marketTime: time } }, ...steps],
      );
    }
    const resumed = new Map<string, PersistedIntent>();
    const dropped = new Set<string>();
    const exposure = createExposure();
    const report = recoverIntents({
      store,
      clock: env.clock,
      market: { now: () => NOW } as never,
      pipe: {
        resume: (one) => void resumed.set(one.key, one),
        drop: (one) => void dropped.add(one.key),
      },
      exposure,
      refs: createRefs({ liveOf: () => undefined, executionOf: () => undefined }),
      refLogs: new Map(),
      bookOf: () => createOpenWork(),
      instances: ['one', 'two'],
      wallets: ['main', 'side'],
    });
    const sent = rows.filter(({ state }) => SENT.includes(state));
    for (const [at, one] of rows.entries()) {
      const key = `k${at}`;
      const isSent = SENT.includes(one.state);
      const setSince = rows
        .slice(at + 1)
        .filter((later) => later.state === 'accepted' && later.wallet === one.wallet)
        .flatMap(({ kind: { sets } }) => sets);
      const { sets } = one.kind;
      const left = sets.filter((field) => !setSince.includes(field));
      const isAttached = one.kind.intent.kind === 'attach_tpsl';
      // Legs are attached one by one; what retires them, retires both or nothing.
      const isOvertaken = left.length < sets.length && (!isAttached || left.length === 0);
      const isLate =
        one.instance === 'gone' ||
        (one.notAfter === undefined ? one.ageMs > validMs(one.kind) : one.notAfter < 0);
      const goesOn = isSent || (UNSENT.includes(one.state) && !isLate && !isOvertaken);
      expect(resumed.has(key), key).toBe(goesOn);
      expect(dropped.has(key), key).toBe(UNSENT.includes(one.state) && !goesOn);
      if (!goesOn) continue;
      const found = resumed.get(key)!;
      expect(found.stage).toBe(isSent ? 'sent' : 'unsent');
      if (isSent) expect(found.isOvertaken).toBe(isOvertaken);
      if (isAttached && !isOvertaken) {
        const { intent } = found.emission;
        const goesOut =
          found.stage === 'sent' ? (JSON.parse(found.request.body) as object) : legsOf(intent);
        expect(Object.keys(goesOut).map((leg) => `BTC ${leg}`)).toEqual(left);
      }
      expect(found.emission).toMatchObject({ instance: one.instance, wallet: one.wallet });
    }
    expect(report).toMatchObject({
      sent: sent.length,
      resumed: resumed.size - sent.length,
      dropped: dropped.size,
    });
    for (const wallet of ['main', 'side']) {
      const own = sent.filter((one) => one.wallet === wallet);
      expect(exposure.rows(wallet)).toBe(own.reduce((sum, { kind }) => sum + kind.rows, 0));
      for (const symbol of ['BTC', 'ETH'])
        for (const side of ['buy', 'sell'] as const) {
          const adds = own.flatMap(({ kind }) => kind.adds);
          const pending = adds.filter(([of, on]) => of === symbol && on === side);
          expect(exposure.pending(wallet, symbol, side)).toBe(
            pending.reduce((sum, [, , size]) => sum + size, 0),
          );
          const isClosing = own.some(({ kind }) =>
            ['both', side].includes(kind.closes?.[symbol] ?? ''),
          );
          expect(exposure.closing(wallet, symbol, side) > 0).toBe(isClosing);
          const isArmed = own.some(({ kind: { intent } }) => intent.kind === 'attach_tpsl');
          expect(exposure.armed(wallet, symbol, side) > 0).toBe(isArmed && symbol === 'BTC');
        }
    }
  });
});
