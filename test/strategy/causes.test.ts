import { describe, expect, test } from 'vitest';
import * as all from '../../src/strategy/causes.ts';
import type { Cause } from '../../src/strategy/causes.ts';
import type { Outcome } from '../../src/strategy/index.ts';

const FIRST = 'main/trend/bar:BTC:1h:1735689600000#0';

/** The keys of decisions upon each other's rejections. */
function chainOf(length: number, first = FIRST): string[] {
  const keys = [first];
  while (keys.length < length) {
    const outcome = { decisionKey: keys.at(-1)!, state: 'rejected' } as Outcome;
    keys.push(`main/trend/${all.outcomeCause.name(outcome, 0)}#0`);
  }
  return keys;
}

test('the names of decisions upon outcomes stay short, apart from each other, and the same each time', () => {
  const keys = chainOf(2_000);
  expect(Math.max(...keys.map(({ length }) => length))).toBeLessThan(400);
  expect(new Set(keys).size).toBe(keys.length);
  expect(chainOf(2_000)).toEqual(keys);
  const others = chainOf(2_000, FIRST.replace('#0', '#1'));
  expect(keys.filter((key) => others.includes(key))).toEqual([]);
});

test('a short chain has the name of each of its events', () => {
  const [, second, third] = chainOf(3);
  expect(second).toBe('main/trend/outcome:main:trend:bar:BTC:1h:1735689600000:0:rejected#0');
  expect(third).toBe(
    'main/trend/outcome:main:trend:outcome:main:trend:bar:BTC:1h:1735689600000:0:rejected:0:rejected#0',
  );
});

test('what a ref became of an outcome is named as shortly', () => {
  const decisionKey = `main/trend/${'outcome:'.repeat(200)}#0`;
  const outcome = { decisionKey, state: 'rejected' } as Outcome;
  const name = all.refCause.name({ ref: 'a', news: { kind: 'outcome', outcome } } as never, 0);
  expect(name).toMatch(/^ref:a:chain-[0-9a-f]{32}:rejected$/);
});

const bar = { symbol: 'BTC', interval: '1h', time: 3_600_000, close: 5, closed: true };
const sideOf = { symbol: 'BTC', side: 'buy' };
const held = { symbol: 'BTC', side: 'short', size: 2, entry_price: 5, updated_time: 11 };
const order = { order_id: 'o', symbol: 'BTC', side: 'buy', price: 5, size: 2, filled_size: 1 };
const execution = { execution_id: 'e', symbol: 'BTC', filled_size: 1, average_price: 5 };
const monitor = { monitor_id: 'm', name: 'n', status: 'fired', fired_count: 1, ref: 'r' };
const tick = { symbol: 'BTC', mark: 5, time: 11 };
const row = { watch_kind: 'leg', symbol: 'BTC', trigger_price: 5, status: 'armed' };
const fillShown = { fill_id: 'f', ...sideOf, order_id: 'o', price: 5, size: 1, time: 11 };
const paidNow = { symbol: 'BTC', rate: 0.1, next_time: 20, paid: 3, time: 11 };
const own = { status: 'open', updated_time: 11 };
const refOf = (news: object) => ({ ref: 'a', state: { state: 'open', filled: 1 }, news });
const ref = { ref: 'a', state: 'open', filled: 1 };
/** Beside what is shown of it. */
const hidden = { unrealized_pnl: 9, request: {}, note: 'x' };

const causes = { ...all };

/** The name at 7, and whether it depends on that; what is shown; the event's own time. */
type Named = [
  name: string,
  isOfNow: boolean,
  trigger: object | undefined,
  time: number | undefined,
];
const ROWS: ReadonlyArray<[keyof typeof causes, object | number | undefined, ...Named]> = [
  ['barCause', bar, 'bar:BTC:1h:3600000', false, { bar }, 7_200_000],
  ['formingCause', bar, 'forming:BTC:1h:3600000:7', true, { bar }, undefined],
  ['fillCause', { ...fillShown, ...hidden }, 'fill:f', false, { fill: fillShown }, 11],
  [
    'watchCause',
    { event: 'leg_armed', row: { ...row, ...hidden, leg_id: 'l' } },
    'watch:l:leg_armed:7',
    true,
    { watch: { event: 'leg_armed', ...row, leg_id: 'l' } },
    undefined,
  ],
  [
    'watchCause',
    { event: 'entry_moved', row: { ...row, watch_id: 'w' } },
    'watch:w:entry_moved:7',
    true,
    { watch: { event: 'entry_moved', ...row, watch_id: 'w' } },
    undefined,
  ],
  [
    'executionCause',
    { event: 'progress', execution: { ...execution, ...hidden, ...own } },
    'execution:e:progress:11',
    false,
    { execution: { event: 'progress', ...execution, status: 'open' } },
    undefined,
  ],
  [
    'executionCause',
    { event: 'gone', execution: { ...execution, ...own } },
    'execution:e:gone:7',
    true,
    { execution: { event: 'gone', ...execution, status: 'open' } },
    undefined,
  ],
  [
    'orderCause',
    { event: 'changed', order: { ...order, ...hidden, ...own, ref: 'r' } },
    'order:o:open:1:11',
    false,
    { order: { event: 'changed', ...order, status: 'open', ref: 'r' } },
    undefined,
  ],
  [
    'orderCause',
    { event: 'gone', order: { ...order, ...own } },
    'order:o:gone:7',
    true,
    { order: { event: 'gone', ...order, status: 'open' } },
    undefined,
  ],
  [
    'monitorCause',
    { event: 'fired', monitor: { ...monitor, ...hidden } },
    'monitor:m:fired:7',
    true,
    { monitor: { event: 'fired', ...monitor } },
    undefined,
  ],
  [
    'balancesCause',
    [
      { asset: 'USDC', total: 5, held: 1 },
      { asset: 'HYPE', total: 2 },
    ],
    'balances:7',
    true,
    { balances: { USDC: 5, HYPE: 2 } },
    undefined,
  ],
  [
    'refCause',
    refOf({ kind: 'fill', fill: { fill_id: 'f', time: 11 } }),
    'ref:a:fill:f',
    false,
    { ref },
    11,
  ],
  [
    'refCause',
    refOf({ kind: 'order', order: { ...order, ...own } }),
    'ref:a:order:o:open:1:11',
    false,
    { ref },
    undefined,
  ],
  [
    'refCause',
    refOf({ kind: 'execution', execution: { ...execution, ...own } }),
    'ref:a:execution:e:open:1:11',
    false,
    { ref },
    undefined,
  ],
  [
    'refCause',
    refOf({ kind: 'monitor', monitor }),
    'ref:a:monitor:m:fired:7',
    true,
    { ref },
    undefined,
  ],
  ['refCause', refOf({ kind: 'gone', id: 'o' }), 'ref:a:gone:o:7', true, { ref }, undefined],
  ['priceCause', { ...tick, bid: 4 }, 'price:BTC:11', false, { price: { ...tick, bid: 4 } }, 11],
  ['priceCause', { symbol: 'BTC' }, 'price:BTC:7', true, { price: { symbol: 'BTC' } }, undefined],
  [
    'marketCause',
    { ...tick, index: 4 },
    'market:BTC:11',
    false,
    { market: { ...tick, index: 4 } },
    11,
  ],
  [
    'bookCause',
    { symbol: 'BTC', bids: [[4, 1]], asks: [[6, 1]], time: 11, source: 'service' },
    'book:BTC:1:11',
    false,
    { book: { symbol: 'BTC', bid: [4, 1], ask: [6, 1], time: 11, source: 'service' } },
    11,
  ],
  [
    'fundingCause',
    { ...paidNow, last: { time: 11 } },
    'funding:BTC:paid:11',
    false,
    { funding: paidNow },
    11,
  ],
  [
    'fundingCause',
    { ...paidNow, last: { time: 10 } },
    'funding:BTC:20:0.1',
    false,
    { funding: paidNow },
    11,
  ],
  [
    'fundingCause',
    { ...paidNow, next_time: null, last: null },
    'funding:BTC:11:0.1',
    false,
    { funding: { ...paidNow, next_time: null } },
    11,
  ],
  [
    'accountCause',
    { equity: 5, available_margin: 4, used_margin: 1, time: 11 },
    'account:11',
    false,
    { account: { equity: 5, available_margin: 4, time: 11 } },
    undefined,
  ],
  [
    'positionCause',
    { symbol: 'BTC', position: { ...held, ...hidden } },
    'position:BTC:11',
    false,
    { position: held },
    undefined,
  ],
  [
    'positionCause',
    { symbol: 'BTC', position: null },
    'position:BTC:flat:7',
    true,
    { position: { symbol: 'BTC', size: 0 } },
    undefined,
  ],
  ['timerCause', 11, 'timer:11', false, { timer: { time: 11 } }, 11],
  ['setupCause', undefined, 'setup', false, { setup: true }, undefined],
];

describe.each(ROWS)('%s of %j', (kind, event, name, isOfNow, trigger, time) => {
  const cause = causes[kind] as unknown as Cause<unknown>;

  test('is named after the service’s data, and after the present only where that has no time', () => {
    expect(cause.name(event, 7)).toBe(name);
    expect(cause.name(event, 8) !== name).toBe(isOfNow);
  });

  test('shows a small part of it, and has its time', () => {
    expect(cause.trigger(event)).toEqual(trigger);
    expect(cause.time?.(event)).toBe(time);
  });
});

test('a decision upon a late timer is as late as what set it', () => {
  const late = all.lateTimerCause(300);
  expect([late.name(1_000, 7), late.time!(1_000), late.isTimer]).toEqual(['timer:1000', 700, true]);
});
