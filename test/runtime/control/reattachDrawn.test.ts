import fc from 'fast-check';
import { BehaviorSubject } from 'rxjs';
import { expect, test } from 'vitest';
import { createVirtualEnv, type MarketClock } from '../../../src/env/index.ts';
import { attachTpsl, closePosition, retireTpsl, stopLoss } from '../../../src/intents/index.ts';
import { createMemoryStore, type IntentState } from '../../../src/journal/index.ts';
import {
  reattachStops,
  type LostStop,
  type Reattach,
} from '../../../src/runtime/control/reattachStops.ts';
import type { PipeEvent } from '../../../src/runtime/PipeEvent.ts';
import type { Emission } from '../../../src/strategy/index.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';

/** Stops that are gone after a restart: two wallets, two symbols, both sides, and what the journal says of them. */

const WALLETS = ['main', 'side'];
const SYMBOLS = ['BTC', 'ETH'];
const ARMED_AT = 1_700_000_000_000;
const GRACE_MS = 2_000;
/** In these states the service did not do it. */
const FAILED: readonly IntentState[] = ['denied', 'rejected', 'expired', 'absent'];
const STEPS: Readonly<Partial<Record<IntentState, readonly IntentState[]>>> = {
  denied: ['emitted', 'denied'],
  expired: ['emitted', 'guarded', 'expired'],
  sending: ['emitted', 'guarded', 'sending'],
  unknown: ['emitted', 'guarded', 'sending', 'unknown'],
  rejected: ['emitted', 'guarded', 'sending', 'rejected'],
  absent: ['emitted', 'guarded', 'sending', 'unknown', 'absent'],
  accepted: ['emitted', 'guarded', 'sending', 'accepted'],
};

const wallet = fc.constantFrom(...WALLETS);
const symbol = fc.constantFrom(...SYMBOLS);
const stop = fc.record({
  wallet,
  symbol,
  side: fc.constantFrom('long', 'short'),
  /** What the next process is shown of it. */
  shown: fc.constantFrom('gone', 'gone', 'gone', 'armed', 'fired', 'closed', 'turned', 'covered'),
  /** Whose fill it came with. */
  entry: fc.constant<{ order_id?: string; execution_id?: string }>({}),
});
const intent = fc.record({
  wallet,
  symbol,
  kind: fc.constantFrom('retire_tpsl', 'retire_tpsl', 'retire_tpsl', 'attach_tpsl'),
  state: fc.constantFrom(...(Object.keys(STEPS) as IntentState[])),
  after: fc.constantFrom(-1, 0, 1),
});
const drawn = fc.record({
  stops: fc.uniqueArray(stop, {
    selector: (one) => `${one.wallet} ${one.symbol}`,
    minLength: 1,
    maxLength: 3,
  }),
  intents: fc.array(intent, { maxLength: 4 }),
  /** How often the streams report the same. */
  frames: fc.integer({ min: 1, max: 3 }),
  owned: fc.constantFrom(SYMBOLS, SYMBOLS, ['ETH']),
});

const TRIGGER = 90;
type Stop = typeof stop extends fc.Arbitrary<infer T> ? T : never;
const idOf = (one: Stop): string => `leg-${one.wallet}-${one.symbol}`;

function process(store: ReturnType<typeof createMemoryStore>, wallNow: () => number) {
  const env = createVirtualEnv();
  const submitted: Emission[] = [];
  const lost: LostStop[] = [];
  const streams = new Map(
    WALLETS.map((name) => [
      name,
      {
        account$: new BehaviorSubject<unknown>({ complete: true, positions: new Map() }),
        watchModel$: new BehaviorSubject<unknown>(new Map()),
        monitorsModel$: new BehaviorSubject<unknown>(new Map()),
      },
    ]),
  );
  let bare: ReadonlyArray<{ wallet: string; symbol: string }> = [];
  let reattach: Reattach | undefined;
  const open = (owned: readonly string[], market: MarketClock = env.queue) => {
    reattach = reattachStops({
      plan: { protection: 'reattach' },
      wallets: WALLETS,
      streams: { wallet: (name: string) => streams.get(name) } as never,
      market,
      env: { clock: { wallNow, monotonicNow: () => 0 } },
      store,
      coverage: { uncovered: () => bare as never },
      symbolsOf: () => owned,
      submit(emission) {
        submitted.push(emission);
        // The pipe reports an approval at once.
        const event = { key: emission.decisionKey, state: 'guarded', emission };
        reattach!.follow(event as unknown as PipeEvent);
      },
      onLost: (one) => void lost.push(one),
      onFatal(error) {
        throw error;
      },
    });
    return reattach.start();
  };
  return {
    env,
    submitted,
    lost,
    open,
    follow: (event: PipeEvent) => reattach!.follow(event),
    becomeIncomplete() {
      for (const { account$ } of streams.values())
        account$.next({ ...(account$.value as object), complete: false });
    },
    /** One position of `main` in BTC, with stops at these triggers, or without any. */
    showStops(side: Stop['side'], triggers: readonly number[]) {
      bare = triggers.length === 0 ? [{ wallet: 'main', symbol: 'BTC' }] : [];
      const source = streams.get('main')!;
      const leg = { watch_kind: 'leg', kind: 'stop_loss', status: 'armed', symbol: 'BTC' };
      const rows = triggers.map((trigger) => {
        const id = `leg-${trigger}`;
        return [id, { ...leg, leg_id: id, trigger_price: trigger }] as const;
      });
      source.watchModel$.next(new Map(rows));
      source.account$.next({ complete: true, positions: new Map([['BTC', { side }]]) });
    },
    show(stops: readonly Stop[], shownOf: (one: Stop) => Stop['shown']) {
      bare = stops.filter((one) => !['armed', 'covered'].includes(shownOf(one)));
      for (const [name, source] of streams) {
        const own = stops.filter((one) => one.wallet === name);
        const held = own.filter((one) => shownOf(one) !== 'closed');
        const positions = held.map((one) => {
          const turned = one.side === 'long' ? 'short' : 'long';
          return [one.symbol, { side: shownOf(one) === 'turned' ? turned : one.side }] as const;
        });
        const rows = own
          .filter((one) => ['armed', 'fired'].includes(shownOf(one)))
          .map((one) => {
            const status = shownOf(one) === 'armed' ? 'armed' : 'triggered';
            const leg = { watch_kind: 'leg', kind: 'stop_loss', leg_id: idOf(one), status };
            const row = { ...leg, symbol: one.symbol, ...one.entry, trigger_price: TRIGGER };
            return [idOf(one), row] as const;
          });
        // Both at once for who combines them: first what is armed, then for whom.
        source.watchModel$.next(new Map(rows));
        source.account$.next({ complete: true, positions: new Map(positions) });
      }
    },
  };
}

test('a stop that is gone is submitted again once, unless the bot took it off or nothing needs it', async () => {
  const tried = new Tried();
  await holdLaw(600, drawn, ({ stops, intents, frames, owned }) => {
    const store = createMemoryStore();
    let now = ARMED_AT;
    const first = process(store, () => now);
    first.show(stops, () => 'armed');
    const earlier = first.open(SYMBOLS);
    // It is as old as its first frame.
    now += 5;
    first.show(stops, () => 'armed');
    earlier.unsubscribe();
    for (const [at, one] of intents.entries()) {
      const key = `k${at}`;
      const made =
        one.kind === 'retire_tpsl'
          ? retireTpsl(one.symbol)
          : attachTpsl(one.symbol, { stop_loss: stopLoss.price(1) });
      // A bar of the other symbol, which the text of the row names as well.
      const bar = { symbol: SYMBOLS.find((symbol) => symbol !== one.symbol), close: 1 };
      const text = JSON.stringify({ intent: made, trigger: { bar } });
      const row = { key, decisionKey: key, generation: 0, instance: 'one', wallet: one.wallet };
      const times = { wallTime: ARMED_AT + one.after, marketTime: ARMED_AT };
      void store.append({
        intent: { ...row, kind: one.kind, intent: text },
        entries: STEPS[one.state]!.map((state) => ({ key, state, ...times, data: '{}' })),
      });
    }
    const next = process(store, () => ARMED_AT + 60_000);
    next.show(stops, (one) => one.shown);
    const subscription = next.open(owned);
    for (let frame = 1; frame < frames; frame++) next.show(stops, (one) => one.shown);
    next.env.queue.advanceTo(next.env.queue.now() + GRACE_MS - 1);
    expect(next.submitted).toEqual([]);
    next.env.queue.advanceTo(next.env.queue.now() + 1);
    const again = stops.filter((one) => {
      const isTakenOff = intents.some(
        ({ kind, state, after, ...of }) =>
          kind === 'retire_tpsl' &&
          of.wallet === one.wallet &&
          of.symbol === one.symbol &&
          !FAILED.includes(state) &&
          after >= 0,
      );
      if (one.shown === 'gone') tried.take(isTakenOff ? 'taken off' : 'lost');
      return one.shown === 'gone' && !isTakenOff && owned.includes(one.symbol);
    });
    expect(
      next.submitted.map((one) => `${one.wallet} ${JSON.stringify(one.intent)}`).toSorted(),
    ).toEqual(
      again
        .map((one) => {
          const made = attachTpsl(one.symbol, { stop_loss: stopLoss.price(TRIGGER) });
          return `${one.wallet} ${JSON.stringify(made)}`;
        })
        .toSorted(),
    );
    expect(next.lost.length).toBe(again.length);
    subscription.unsubscribe();
  });
  expect(tried.rare(['taken off', 'lost'], 20)).toEqual([]);
});

test('while the account is incomplete, one wait after the other leaves nothing behind', () => {
  const one = { wallet: 'main', symbol: 'BTC', side: 'long', shown: 'gone', entry: {} } as const;
  const next = process(createMemoryStore(), () => ARMED_AT);
  const { queue } = next.env;
  let cancelled = 0;
  const at: typeof queue.at = (...wait) => {
    const cancel = queue.at(...wait);
    return () => {
      cancelled++;
      cancel();
    };
  };
  next.show([one], () => 'armed');
  const subscription = next.open(SYMBOLS, { ...queue, now: () => queue.now(), at });
  next.show([one], () => 'gone');
  next.becomeIncomplete();
  queue.advanceTo(queue.now() + 50 * GRACE_MS);
  subscription.unsubscribe();
  // The one that waits; those that ran are over.
  expect(cancelled).toBe(1);
});

test('that the bot takes a stop off is journaled before it is sent, and that this failed as well', () => {
  const one = { wallet: 'main', symbol: 'BTC', side: 'long', shown: 'gone', entry: {} } as const;
  const store = createMemoryStore();
  const first = process(store, () => ARMED_AT);
  first.show([one], () => 'armed');
  first.open(SYMBOLS);
  const report = (key: string, state: IntentState): void => {
    const emission = { intent: retireTpsl('BTC'), wallet: 'main', instance: 'one', cause: 'bar' };
    first.follow({ key, state, emission } as unknown as PipeEvent);
  };
  const removedBy = (): unknown => JSON.parse(store.meta('stops:main')!).stops[0].removedBy;
  report('k1', 'guarded');
  report('k2', 'guarded');
  report('k2', 'sending');
  expect(removedBy()).toEqual(['k1', 'k2']);
  report('k1', 'accepted');
  report('k2', 'rejected');
  expect(removedBy()).toEqual(['k1']);
  report('k1', 'denied');
  expect(removedBy()).toBeUndefined();
});

/** Beyond this a stop that is armed still is not what an accepted removal took off. */
const SHOWN_LONGER_MS = 30_000;

test.each([
  ['of the position, gone at once', {}, 0, false],
  ['of the position, gone later', {}, SHOWN_LONGER_MS, false],
  ['of an order, gone at once', { order_id: 'o1' }, 0, false],
  ['of a launch, gone just before', { execution_id: 'e1' }, SHOWN_LONGER_MS - 1, false],
  // The service left it, since the removal was of the position's own legs; then it was lost.
  ['of an order, gone later', { order_id: 'o1' }, SHOWN_LONGER_MS, true],
  ['of a launch, gone later', { execution_id: 'e1' }, SHOWN_LONGER_MS, true],
])('after a removal was accepted, a stop %s', (_name, entry, goneAfterMs, isLost) => {
  for (const isRestarted of [false, true]) {
    const one: Stop = { wallet: 'main', symbol: 'BTC', side: 'long', shown: 'gone', entry };
    const store = createMemoryStore();
    let now = ARMED_AT;
    let bot = process(store, () => now);
    bot.show([one], () => 'armed');
    const first = bot.open(SYMBOLS);
    const intent = retireTpsl('BTC');
    const row = { key: 'k1', decisionKey: 'k1', generation: 0, instance: 'one', wallet: 'main' };
    const text = JSON.stringify({ intent, trigger: {} });
    now += 5;
    for (const state of STEPS.accepted!) {
      const times = { wallTime: now, marketTime: now };
      const opened = { intent: { ...row, kind: intent.kind, intent: text } };
      const entries = [{ key: 'k1', state, ...times, data: '{}' }];
      void store.append(state === 'emitted' ? { ...opened, entries } : { entries });
      const emission = { intent, wallet: 'main', instance: 'one', cause: 'bar' };
      bot.follow({ key: 'k1', state, emission } as unknown as PipeEvent);
    }
    if (isRestarted) {
      first.unsubscribe();
      bot = process(store, () => now);
      bot.show([one], () => 'armed');
      bot.open(SYMBOLS);
    }
    const { queue } = bot.env;
    queue.advanceTo(queue.now() + goneAfterMs);
    bot.show([one], () => 'gone');
    queue.advanceTo(queue.now() + GRACE_MS);
    expect(bot.submitted.length, `restart: ${isRestarted}`).toBe(isLost ? 1 : 0);
    expect(bot.lost.length).toBe(isLost ? 1 : 0);
  }
});

const PLACES = WALLETS.flatMap((wallet) => SYMBOLS.map((symbol) => ({ wallet, symbol })));

test.each(PLACES)(
  'the legs that are taken off %o are no others: another symbol’s or wallet’s is lost',
  (removed) => {
    const stops = PLACES.map((place): Stop => ({
      ...place,
      side: 'long',
      shown: 'gone',
      entry: {},
    }));
    const bot = process(createMemoryStore(), () => ARMED_AT);
    bot.show(stops, () => 'armed');
    bot.open(SYMBOLS);
    const emission = { ...removed, intent: retireTpsl(removed.symbol), instance: 'one' };
    for (const state of STEPS.accepted!)
      bot.follow({ key: 'k1', state, emission } as unknown as PipeEvent);
    bot.show(stops, () => 'gone');
    bot.env.queue.advanceTo(bot.env.queue.now() + GRACE_MS);
    const others = PLACES.filter(
      ({ wallet, symbol }) => wallet !== removed.wallet || symbol !== removed.symbol,
    );
    const again = bot.submitted.map(({ wallet, intent }) => ({
      wallet,
      symbol: (intent as { symbol?: string }).symbol,
    }));
    expect(new Set(again)).toEqual(new Set(others));
    expect(again).toHaveLength(others.length);
  },
);

test.each(PLACES)(
  'a close under way of %o holds up the stop of that position alone, until it is answered',
  (closed) => {
    const stops = PLACES.map((place): Stop => ({
      ...place,
      side: 'long',
      shown: 'gone',
      entry: {},
    }));
    const bot = process(createMemoryStore(), () => ARMED_AT);
    const { queue } = bot.env;
    bot.show(stops, () => 'armed');
    bot.open(SYMBOLS);
    const emission = { ...closed, intent: closePosition.atMarket(closed.symbol), instance: 'one' };
    const follow = (state: IntentState): void =>
      bot.follow({ key: 'k1', state, emission } as unknown as PipeEvent);
    follow('sending');
    bot.show(stops, () => 'gone');
    queue.advanceTo(queue.now() + 5 * GRACE_MS);
    const again = () => bot.submitted.map(({ wallet, intent }) => ({ ...intent, wallet }));
    expect(again()).toHaveLength(PLACES.length - 1);
    expect(again()).not.toContainEqual(expect.objectContaining(closed));
    follow('rejected');
    queue.advanceTo(queue.now() + GRACE_MS);
    expect(again().slice(PLACES.length - 1)).toMatchObject([closed]);
  },
);

test.each<[Stop['side'], number[], number]>([
  ['long', [80, 90, 70], 90],
  ['long', [90, 80], 90],
  ['short', [120, 105, 110], 105],
  ['short', [105, 120], 105],
])('of several stops of a %s at %j the nearest to the market comes again', (side, all, nearest) => {
  const bot = process(createMemoryStore(), () => ARMED_AT);
  bot.showStops(side, all);
  bot.open(SYMBOLS);
  bot.showStops(side, []);
  bot.env.queue.advanceTo(bot.env.queue.now() + GRACE_MS);
  const again = attachTpsl('BTC', { stop_loss: stopLoss.price(nearest) });
  expect(bot.submitted.map(({ intent }) => intent)).toMatchObject([again]);
  expect(bot.lost).toMatchObject([{ symbol: 'BTC', trigger: nearest, isOffered: true }]);
});
