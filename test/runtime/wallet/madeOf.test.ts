/** What an accepted intent made, by the answer where it says so, by the request where it does not. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cancelOrder,
  closePosition,
  controlExecution,
  modifyOrder,
  pauseMonitor,
  setLeverage,
  stopMonitor,
  type Intent,
} from '../../../src/intents/index.ts';
import { isOver, madeOf, type Made } from '../../../src/runtime/wallet/madeOf.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';

const NEW = {
  order: {
    kind: 'place_order',
    assumed: { status: 'open', reduce_only: false, filled_size: 0, order_type: 'limit' },
  },
  execution: { kind: 'launch', assumed: { status: 'running', reduce_only: false } },
  monitor: { kind: 'create_monitor', assumed: { status: 'armed' } },
} as const;
const CHANGES: ReadonlyArray<readonly [Made['kind'], Intent]> = [
  ['order', modifyOrder({ order_id: 'ord_1' }, { price: 1 })],
  ['order', cancelOrder({ order_id: 'ord_1' })],
  ['execution', controlExecution.pause({ execution_id: 'exe_1' })],
  ['monitor', pauseMonitor({ monitor_id: 'mon_1' })],
  ['monitor', stopMonitor({ monitor_id: 'mon_1' })],
];
const ENDED: Readonly<Record<Made['kind'], readonly string[]>> = {
  order: ['filled', 'cancelled', 'rejected'],
  execution: ['stopped', 'completed'],
  monitor: ['stopped', 'fired'],
};

const statuses = [
  'open',
  'running',
  'armed',
  'filled',
  'cancelled',
  'rejected',
  'stopped',
  'completed',
  'fired',
];
/** Some fields, of which any may be left out or null. */
const fields = (values: readonly unknown[]) =>
  fc.record(
    {
      status: fc.constantFrom<unknown>(null, ...values),
      reduce_only: fc.constantFrom<unknown>(null, true, false),
      size: fc.constantFrom<unknown>(null, undefined, 1, 2),
      filled_size: fc.constantFrom<unknown>(null, 0, 1),
      symbol: fc.constantFrom<unknown>(null, 'BTC', 'ETH'),
    },
    { requiredKeys: [] },
  );
const asked = fc.record(
  {
    reduce_only: fc.boolean(),
    size: fc.constantFrom(1, 2, 3),
    symbol: fc.constantFrom('BTC', 'ETH'),
    order_type: fc.constant('market'),
  },
  { requiredKeys: [] },
);
const answers = fc.array(fc.tuple(asked, fields(statuses), fc.boolean()), { maxLength: 4 });

const given = { wallet: 'main', instance: 'trend' };
const idOf = (kind: Made['kind'], at: number): Record<string, string> => ({
  [`${kind}_id`]: `${kind}_${at}`,
});
const without = (record: object): object =>
  Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null && value !== undefined),
  );

test('each thing has its own answer, and what that leaves out as it was asked', async () => {
  const tried = new Tried();
  const drawn = fc.record({
    kind: fc.constantFrom('order' as const, 'execution' as const, 'monitor' as const),
    isBasket: fc.boolean(),
    change: fc.option(fc.constantFrom(...CHANGES), { nil: undefined }),
    all: answers,
  });
  await holdLaw(300, drawn, ({ kind, isBasket, change, all }) => {
    const check = (
      found: readonly Made[],
      wanted: ReadonlyArray<{
        kind: Made['kind'];
        at: number;
        asked: object | undefined;
        answer: object;
      }>,
    ): void => {
      expect(found.map(({ id }) => id)).toEqual(wanted.map((one) => `${one.kind}_${one.at}`));
      for (const [at, one] of wanted.entries()) {
        const made = found[at]!;
        const own = { ...idOf(one.kind, one.at), ...without(one.answer) };
        const whole: Record<string, unknown> =
          one.asked === undefined ? own : { ...NEW[one.kind].assumed, ...one.asked, ...own };
        expect(made).toMatchObject({ ...given, kind: one.kind, isNew: one.asked !== undefined });
        expect(made.record).toEqual(whole);
        expect(made.status).toBe(whole['status']);
        // What nobody knows the end of has not ended.
        if (made.status === undefined) expect(isOver(made)).toBe(false);
        if (ENDED[one.kind].includes(String(made.status))) expect(isOver(made)).toBe(true);
      }
    };
    if (change !== undefined) {
      const [own, intent] = change;
      const [, answer = {}] = all[0] ?? [];
      check(madeOf({ ...given, intent }, { ...idOf(own, 0), ...answer }), [
        { kind: own, at: 0, asked: undefined, answer },
      ]);
      expect(madeOf({ ...given, intent }, answer)).toEqual([]);
      tried.take('a change');
      return;
    }
    if (isBasket) {
      const legs = all.map(([, answer, hasId], at) => ({
        ...(hasId && idOf('execution', at)),
        ...answer,
      }));
      const intent = { kind: 'launch_basket', request: { legs: all.map(([one]) => one) } };
      const wanted = all.flatMap(([one, answer, hasId], at) =>
        hasId ? [{ kind: 'execution' as const, at, asked: one, answer }] : [],
      );
      check(madeOf({ ...given, intent: intent as unknown as Intent }, { legs }), wanted);
      if (wanted.length > 1) tried.take('a basket');
      // Of a template the request has no legs.
      const template = {
        kind: 'launch_basket',
        request: { template_id: 'tpl_1' },
      } as unknown as Intent;
      check(
        madeOf({ ...given, intent: template }, { legs }),
        wanted.map((each) => ({ ...each, asked: {} })),
      );
      return;
    }
    const [one = {}, answer = {}] = all[0] ?? [];
    const intent = { kind: NEW[kind].kind, request: one } as unknown as Intent;
    check(madeOf({ ...given, intent }, { ...idOf(kind, 7), ...answer }), [
      { kind, at: 7, asked: one, answer },
    ]);
    for (const none of [answer, null, undefined, 'text', { ...answer, [`${kind}_id`]: 5 }])
      expect(madeOf({ ...given, intent }, none)).toEqual([]);
    tried.take(kind);
  });
  const cases = ['a change', 'a basket', 'order', 'execution', 'monitor'];
  if (isFull) expect(tried.rare(cases, 10)).toEqual([]);
});

test('an intent that makes nothing has made nothing', () => {
  const intent = setLeverage('BTC', { leverage: 3 });
  expect(madeOf({ ...given, intent }, { order_id: 'ord_1' })).toEqual([]);
});

test('a close by an algorithm makes an execution that only reduces, and one at the market makes nothing', () => {
  const reported = { wallet: 'main', instance: 'one' };
  const request = { algo: 'pacemaker', params: { duration_seconds: 60 } } as const;
  const [made, ...others] = madeOf(
    { ...reported, intent: closePosition.byAlgo('BTC', request) },
    { execution_id: 'exe_1' },
  );
  expect(others).toEqual([]);
  expect(made).toMatchObject({ kind: 'execution', id: 'exe_1', isNew: true, status: 'running' });
  expect(made!.record).toMatchObject({ symbol: 'BTC', reduce_only: true, algo: 'pacemaker' });
  const atMarket = { ...reported, intent: closePosition.atMarket('BTC') };
  expect(madeOf(atMarket, { order_id: 'ord_1' })).toEqual([]);
});
