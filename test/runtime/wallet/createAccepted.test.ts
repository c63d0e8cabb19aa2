/** What the service accepted and no stream has shown: whatever comes first, and by whatever name it is shown. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import {
  createMonitor,
  launch,
  modifyOrder,
  placeOrder,
  type Intent,
} from '../../../src/intents/index.ts';
import { createAccepted } from '../../../src/runtime/wallet/createAccepted.ts';
import { LIST_LAG_MS } from '../../../src/runtime/wallet/catchUpFills.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';

const WALLETS = ['main', 'side'] as const;
const KINDS = {
  order: placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 1, price: 90 }),
  execution: launch.pacemaker({
    symbol: 'BTC',
    side: 'buy',
    total_size: 1,
    params: { duration_seconds: 300 },
  }),
} satisfies Record<string, Intent>;
type Kind = keyof typeof KINDS;

/** The service's answer to the one of this number; some have a client id of the bot's. */
const recordOf = (kind: Kind, at: number, isNamed: boolean): object => ({
  [`${kind}_id`]: `${kind}-${at}`,
  [`client_${kind}_id`]: isNamed ? `mine-${at}` : null,
  status: kind === 'order' ? 'open' : 'running',
});

const made = fc.record({
  kind: fc.constantFrom<Kind>('order', 'execution'),
  wallet: fc.constantFrom(...WALLETS),
  isNamed: fc.boolean(),
  /** When a stream shows it, as its place among the answers; undefined: never. */
  shownAt: fc.option(fc.nat(6), { nil: undefined }),
  /** An execution may be shown with another id than that of the answer. */
  hasOtherId: fc.boolean(),
});

test('what was accepted is unseen until a stream shows its id or its name, in either order', async () => {
  const tried = new Tried();
  await holdLaw(300, fc.array(made, { minLength: 1, maxLength: 6 }), (all) => {
    const env = createVirtualEnv({ startTime: 1_000_000 });
    const accepted = createAccepted(createMemoryStore(), env.clock);
    const shown = new Set<number>();
    const answered = new Set<number>();
    for (let instant = 0; instant <= 6; instant++) {
      env.queue.advanceTo(1_000_000 + instant * 1_000);
      for (const [at, one] of all.entries()) {
        if (one.shownAt !== instant) continue;
        const { kind, isNamed, hasOtherId } = one;
        const isOther = hasOtherId && isNamed && kind === 'execution';
        const id = isOther ? `other-${at}` : `${kind}-${at}`;
        accepted.seen(id, isNamed ? `client:mine-${at}` : undefined);
        shown.add(at);
        tried.take(answered.has(at) ? 'shown after its answer' : 'shown before its answer');
        if (isOther) tried.take('shown by another id');
      }
      const one = all[instant];
      if (one !== undefined) {
        const intent = KINDS[one.kind];
        const emission = { intent, wallet: one.wallet, instance: `s${instant}` };
        accepted.became(emission, recordOf(one.kind, instant, one.isNamed));
        answered.add(instant);
      }
      for (const wallet of WALLETS) {
        const idsOf = (kind: Kind): string[] =>
          [...answered]
            .filter((at) => all[at]!.wallet === wallet && all[at]!.kind === kind && !shown.has(at))
            .map((at) => `${kind}-${at}`);
        const { orders, executions } = accepted.unseen(wallet);
        expect(orders.map((each) => each.order_id)).toEqual(idsOf('order'));
        expect(executions.map((each) => each.execution_id)).toEqual(idsOf('execution'));
      }
      for (const at of answered) {
        const { kind, wallet, isNamed } = all[at]!;
        expect(accepted.isUnseen(`${kind}-${at}`)).toBe(!shown.has(at));
        expect(accepted.instanceOf(`${kind}-${at}`)).toBe(`s${at}`);
        const name = isNamed ? `client:mine-${at}` : `${kind}-${at}`;
        const other = wallet === 'main' ? 'side' : 'main';
        if (kind === 'order') {
          expect(accepted.unseenOrder(wallet, name)?.order_id).toBe(
            shown.has(at) ? undefined : `order-${at}`,
          );
          expect(accepted.unseenOrder(other, name)).toBeUndefined();
        }
      }
    }
    // Whoever looks it up may be behind for a while after the answer, shown or not.
    const recent = () => all.map(({ kind }, at) => accepted.isRecent(`${kind}-${at}`));
    const end = 1_000_000 + LIST_LAG_MS;
    for (const at of all.keys()) {
      env.queue.advanceTo(end + at * 1_000 - 1);
      expect(recent()).toEqual(all.map((_each, other) => other >= at));
      env.queue.advanceTo(end + at * 1_000);
      expect(recent()).toEqual(all.map((_each, other) => other > at));
    }
  });
  const cases = ['shown after its answer', 'shown before its answer', 'shown by another id'];
  if (isFull) expect(tried.rare(cases, 20)).toEqual([]);
});

test('of what earlier processes had accepted, the newest of each kind and wallet may still be open', async () => {
  const env = createVirtualEnv({ startTime: 1_000_000 });
  const store = createMemoryStore();
  for (let at = 0; at < 30; at++) {
    const wallet = WALLETS[at % 2]!;
    const key = `k${at}`;
    const intent = JSON.stringify({ intent: KINDS.order, trigger: {} });
    const row = { key, decisionKey: key, generation: 0, instance: 's', wallet, intent };
    const data = JSON.stringify({ record: recordOf('order', at, false) });
    const entry = { key, wallTime: 900_000 + at, marketTime: 900_000 + at, data };
    await store.append({
      intent: { ...row, kind: 'place_order' },
      entries: (['emitted', 'sending', 'accepted'] as const).map((state) => ({ ...entry, state })),
    });
  }
  const accepted = createAccepted(store, env.clock);
  const idsOf = (wallet: string): string[] => accepted.earlier(wallet).map(({ id }) => id);
  const newest = Array.from({ length: 10 }, (_none, at) => `order-${28 - 2 * at}`);
  expect(idsOf('main')).toEqual(newest);
  expect(accepted.holds('order-0')).toBe(true);
  // What the service says has ended is not asked for again.
  accepted.ended('order-28');
  expect(idsOf('main')).toEqual(newest.slice(1));
  expect(idsOf('side')).toContain('order-29');
});

const armed = createMonitor({
  trigger: { type: 'price_level', symbol: 'BTC', price: 90, direction: 'below' },
  action: { type: 'order', request: { symbol: 'BTC', side: 'buy', size: 1, order_type: 'market' } },
});

test('thousands of orders and monitors hide no monitor, of an earlier process or of this one', () => {
  const env = createVirtualEnv({ startTime: 1_000_000 });
  const row = (key: string, kind: string, intent: Intent) => ({
    key,
    wallet: 'main',
    instance: 'a',
    kind,
    state: 'accepted',
    intent: JSON.stringify({ intent }),
  });
  const older = Array.from({ length: 5_001 }, (_none, at) =>
    row(`n${at}`, 'create_monitor', armed),
  );
  const store = {
    standingIntents: () => [...older.toReversed(), row('m', 'create_monitor', armed)],
    newestIntents: () =>
      Array.from({ length: 20_001 }, (_none, at) => row(`k${at}`, 'place_order', KINDS.order)),
    entries: (key: string) => {
      const isMonitor = !key.startsWith('k');
      const record = isMonitor
        ? { monitor_id: `${key}on` }
        : recordOf('order', Number(key.slice(1)), false);
      return [{ data: JSON.stringify({ record }), wallTime: 0 }];
    },
  };
  const accepted = createAccepted(store as never, env.clock);
  const made = { wallet: 'main', instance: 'b' };
  accepted.became({ ...made, intent: armed }, { monitor_id: 'own' });
  expect([accepted.holds('mon'), accepted.holds('own')]).toEqual([true, true]);
  expect(accepted.earlier('main').map(({ id }) => id)).toContain('n5000on');
  for (let at = 0; at < 140_000; at++)
    accepted.became({ ...made, intent: KINDS.order }, { order_id: `o${at}`, status: 'filled' });
  expect([accepted.instanceOf('mon'), accepted.instanceOf('own')]).toEqual(['a', 'b']);
});

test('another wallet’s records take no place of a wallet’s newest', () => {
  const env = createVirtualEnv({ startTime: 1_000_000 });
  const rows = Array.from({ length: 40 }, (_none, at) => ({
    key: `k${at}`,
    // The other wallet's are all newer.
    wallet: at < 20 ? 'main' : 'side',
    instance: 'a',
    kind: 'place_order',
    state: 'accepted',
    intent: JSON.stringify({ intent: KINDS.order }),
  }));
  const store = {
    newestIntents: () => rows.toReversed(),
    standingIntents: () => [],
    entries: (key: string) => {
      const record = recordOf('order', Number(key.slice(1)), false);
      return [{ data: JSON.stringify({ record }), wallTime: 0 }];
    },
  };
  const accepted = createAccepted(store as never, env.clock);
  expect(accepted.earlier('main').map(({ id }) => id)).toEqual(
    Array.from({ length: 10 }, (_none, at) => `order-${19 - at}`),
  );
});

test('of a journal of many thousand intents the latest are read', () => {
  const env = createVirtualEnv({ startTime: 1_000_000 });
  const intent = JSON.stringify({ intent: KINDS.order });
  const rows = Array.from({ length: 20_001 }, (_none, at) => ({
    key: `k${at}`,
    wallet: 'main',
    instance: 'a',
    kind: 'place_order',
    state: 'accepted',
    intent,
  }));
  const store = {
    newestIntents: () => rows.toReversed(),
    standingIntents: () => [],
    entries: (key: string) => {
      const record = recordOf('order', Number(key.slice(1)), false);
      return [{ data: JSON.stringify({ record }), wallTime: 0 }];
    },
  };
  const accepted = createAccepted(store as never, env.clock);
  const holds = [0, 1, 20_000].map((at) => accepted.holds(`order-${at}`));
  expect(holds).toEqual([false, true, true]);
});

test('of many thousand records the latest are known, and those that a stream goes on showing', () => {
  const env = createVirtualEnv({ startTime: 1_000_000 });
  const accepted = createAccepted(createMemoryStore(), env.clock);
  const take = (kind: Kind, at: number): void => {
    const emission = { intent: KINDS[kind], wallet: 'main', instance: 's' };
    const status = kind === 'order' ? 'filled' : 'running';
    accepted.became(emission, { ...recordOf(kind, at, true), status });
  };
  take('execution', 0);
  take('execution', 1);
  const count = 300_000;
  for (let at = 0; at < count; at++) {
    take('order', at);
    take('execution', at + 2);
    // As each snapshot shows what runs.
    if (at % 10_000 === 0) accepted.seen('execution-0', 'client:mine-0');
  }
  const known = Array.from({ length: count }, (_none, at) => accepted.holds(`order-${at}`));
  const size = known.filter(Boolean).length;
  expect(size).toBeGreaterThanOrEqual(65_536 - 2);
  expect(size).toBeLessThanOrEqual(2 * 65_536);
  expect(known.lastIndexOf(false)).toBe(count - size - 1);
  expect([accepted.holds('execution-0'), accepted.holds('execution-1')]).toEqual([true, false]);
});

test('a change of what is unseen keeps what its answer leaves out', () => {
  const accepted = createAccepted(createMemoryStore(), createVirtualEnv().clock);
  const emission = { wallet: 'main', instance: 's' };
  const placed = { order_id: 'o', client_order_id: 'mine', status: 'open', filled_size: 0 };
  accepted.became({ ...emission, intent: KINDS.order }, placed);
  const change = modifyOrder({ order_id: 'o' }, { price: 80, size: 2 });
  accepted.became({ ...emission, intent: change }, { order_id: 'o', size: 2, price: 80 });
  const expected = { ...placed, symbol: 'BTC', side: 'buy', size: 2, price: 80 };
  expect(accepted.unseenOrder('main', 'client:mine')).toMatchObject(expected);
  expect(accepted.unseen('main').orders).toMatchObject([expected]);
});
