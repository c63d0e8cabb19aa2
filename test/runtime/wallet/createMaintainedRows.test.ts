import { expect, test } from 'vitest';
import type { WatchRow } from '../../../src/contract/index.ts';
import { createMaintainedRows } from '../../../src/runtime/wallet/createMaintainedRows.ts';

const level = { indicator: 'sma', interval: '1m', track: true };
const entry = (order_id: string, status = 'tracking'): WatchRow => ({
  watch_kind: 'entry',
  watch_id: `wat_${order_id}`,
  symbol: 'BTC',
  order_id,
  status,
});
const leg = (order_id: string, over: object = {}): WatchRow => ({
  watch_kind: 'leg',
  leg_id: `leg_${order_id}`,
  symbol: 'BTC',
  order_id,
  status: 'armed',
  form: 'trail',
  ...over,
});
const tracked = (id: string) => ({ id, request: { price_from: level } });
const trailed = (id: string) => ({ id, request: { stop_loss: { trail: { pct: 1 } } } });

function setUp(rows: WatchRow[] = [], holders: Array<{ id: string; request: unknown }> = []) {
  const maintained = createMaintainedRows();
  maintained.watches(rows, holders);
  return maintained;
}

test('live trails and tracked entries are rows; plain legs and ended ones are not', () => {
  const rows = [
    entry('a'),
    leg('b'),
    leg('c', { form: 'price' }),
    ...['triggered', 'retired', 'rejected'].map((status) => leg(status, { status })),
    entry('d', 'stopped'),
  ];
  expect(setUp(rows).count([])).toBe(2);
});

test('TRK-6: an order counts by its request until the stream shows its row, never twice', () => {
  const rows = setUp();
  const both = { id: 'b', request: { price_from: level, take_profit: { trail: { pct: 2 } } } };
  const launch = { id: 'exe', request: { params: { limit_price_from: level } } };
  const holders = [tracked('a'), both, trailed('c'), launch, { id: 'd', request: undefined }];
  expect(rows.count(holders)).toBe(5);
  expect([...rows.tracked(holders)]).toEqual(['a', 'b', 'exe']);
  rows.watches([entry('a'), entry('b'), leg('c')], holders);
  expect(rows.count(holders)).toBe(5);
  rows.watches(
    [entry('a'), entry('b', 'stopped'), leg('b'), leg('c', { status: 'retired' })],
    holders,
  );
  expect(rows.count(holders)).toBe(3);
  expect([...rows.tracked(holders)]).toEqual(['a', 'exe']);
  // An ended record stays ended once its row is no longer reported.
  rows.watches([entry('a')], holders);
  expect(rows.count(holders)).toBe(2);
});

test('POS-2: an attach frees the trails of its kinds that are the position’s own', () => {
  const own = (kind: string, over: object = {}): WatchRow =>
    leg('', { order_id: null, kind, ...over });
  const rows = setUp([
    own('stop_loss'),
    own('take_profit'),
    own('stop_loss', { symbol: 'ETH' }),
    own('stop_loss', { form: 'price' }),
    own('stop_loss', { status: 'retired' }),
    leg('b', { kind: 'stop_loss' }),
    leg('c', { kind: 'stop_loss', order_id: null, execution_id: 'exe_1' }),
    entry('a'),
    { ...entry('d'), order_id: null, kind: 'stop_loss' },
  ]);
  expect(rows.attachedTrails('BTC', ['stop_loss'])).toBe(1);
  expect(rows.attachedTrails('BTC', ['stop_loss', 'take_profit'])).toBe(2);
  expect(rows.attachedTrails('SOL', ['stop_loss'])).toBe(0);
  expect(rows.attachedTrails('BTC', [])).toBe(0);
});

test('items missing from the first snapshot have no row', () => {
  const rows = setUp([entry('a')], [tracked('a'), tracked('drifted')]);
  expect(rows.count([tracked('a'), tracked('drifted'), tracked('new')])).toBe(2);
});

test('names of ended items are forgotten, those of open ones are not', () => {
  const rows = setUp();
  const open = [tracked('keeps')];
  rows.watches([entry('keeps', 'stopped')], open);
  for (let n = 0; n < 600; n++) rows.watches([entry(`ord_${n}`, 'retired')], open);
  expect(rows.count(open)).toBe(0);
  expect(rows.count([tracked('ord_0')])).toBe(1);
});
