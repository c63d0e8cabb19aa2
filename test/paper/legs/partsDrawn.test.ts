/**
 * Entries that fill in parts, several on one market and of either side. Their legs have the size that has filled, at
 * any time, and close no more than that and no more than is held; those of an execution have what it filled in the end.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FillRecord } from '../../../src/contract/index.ts';
import type { EngineEvent } from '../../../src/paper/core/Engine.ts';
import { ServiceError } from '../../../src/paper/core/ServiceError.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';
import { createBench, feedOf, walk } from '../engine/bench.ts';

const BARS = 45;
const entry = fc.record({
  wait: fc.constantFrom(0, 1, 3),
  isBuy: fc.boolean(),
  size: fc.constantFrom(2, 9, 25),
  type: fc.constantFrom('market' as const, 'limit' as const, 'limit' as const, 'execute' as const),
  /** Of the price, beyond the mark: it takes first, or rests. */
  off: fc.constantFrom(-0.4, -0.1, 0.2, 0.6),
  stop: fc.constantFrom(undefined, 0.6, 1.5),
  target: fc.constantFrom(undefined, 0.6, 1.5),
  isCancelled: fc.boolean(),
});
const drawn = fc.record({
  seed: fc.nat(1e9),
  volume: fc.constantFrom(30, 80, 400),
  entries: fc.array(entry, { minLength: 2, maxLength: 7 }),
});
type Case = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

interface Shown {
  leg_id: string;
  size: number | null;
  status: string;
}
const tidy = (size: number): number => Math.round(size * 1e5) / 1e5;

function play({ seed, volume, entries }: Case, tried: Tried): void {
  let position = 0;
  /** Of an order or an execution. */
  const filled = new Map<string, number>();
  const ownerOf = new Map<string, { id: string; isLong: boolean }>();
  const exits: number[] = [];

  function follow({ event, data }: EngineEvent): void {
    if (event === 'fill') {
      const { order_id, execution_id, size, side } = data as FillRecord;
      for (const id of [order_id, execution_id])
        if (id != null) filled.set(id, tidy((filled.get(id) ?? 0) + size));
      position = tidy(position + (side === 'buy' ? size : -size));
    }
    if (event !== 'leg_triggered') return;
    const { leg_id: id } = data as { leg_id: string };
    const owner = ownerOf.get(id)!;
    const held = Math.max(0, owner.isLong ? position : -position);
    exits.push(Math.min(filled.get(owner.id)!, held));
    tried.take(filled.get(owner.id)! > held ? 'less is held' : 'triggered');
  }

  const rows = walk(`parts ${seed}`, BARS, { move: 0.015, volume });
  const bench = createBench({ feeds: [feedOf(rows)] }, { balance: 1e6, onEvent: follow });
  const { call, order } = bench;
  bench.run(3);
  const made: Array<{ id: string; size: number; isExecution: boolean }> = [];

  function place(one: Case['entries'][number]): void {
    const { mark } = bench.engine.market.quote('BTC');
    const sign = one.isBuy ? 1 : -1;
    const at = (off: number): number => Math.round((mark + sign * off) * 100) / 100;
    const price = one.type === 'limit' ? at(one.off) : mark;
    const from = one.type === 'limit' ? one.off : 0;
    const legs = {
      ...(one.stop === undefined ? {} : { stop_loss: { price: at(from - one.stop) } }),
      ...(one.target === undefined ? {} : { take_profit: { price: at(from + one.target) } }),
    };
    const base = { symbol: 'BTC', side: one.isBuy ? 'buy' : 'sell', ...legs };
    const params = { duration_seconds: 240, slices: 4 };
    try {
      const record =
        one.type === 'execute'
          ? call('executions.launch', {
              body: { algo: 'pacemaker', ...base, total_size: one.size, params },
            })
          : order({
              ...base,
              size: one.size,
              order_type: one.type,
              ...(one.type === 'limit' ? { price } : {}),
            });
      const id = record.execution_id ?? record.order_id;
      made.push({ id, size: one.size, isExecution: one.type === 'execute' });
      for (const leg of [record.stop_loss, record.take_profit, record.legs?.stop_loss])
        if (leg) ownerOf.set(leg.leg_id, { id, isLong: one.isBuy });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  }

  const read = (one: (typeof made)[number]) => {
    const pathParams = { id: one.id };
    const record = call(one.isExecution ? 'executions.get' : 'orders.get', { pathParams });
    return { record, legs: [record.stop_loss, record.take_profit] as Array<Shown | null> };
  };

  function compare(): void {
    for (const one of made) {
      const { record, legs } = read(one);
      const done = filled.get(one.id) ?? 0;
      expect(record.filled_size).toBe(done);
      for (const leg of legs) {
        if (leg === null || leg === undefined || leg.status !== 'armed') continue;
        expect([one.id, leg.size]).toEqual([one.id, done]);
        if (done < one.size)
          tried.take(one.isExecution ? 'of a part of an execution' : 'of a part');
      }
    }
    const reducing = call('orders.history', { query: { limit: 500 } })
      .items.concat(call('orders.list', { query: { limit: 500 } }).items)
      .filter((each: { reduce_only: boolean; execution_id: string | null }) => each.reduce_only);
    const sizes = reducing
      .toSorted(
        (a: { order_id: string }, b: { order_id: string }) =>
          Number(a.order_id.slice(4)) - Number(b.order_id.slice(4)),
      )
      .map(({ size }: { size: number }) => size);
    expect(sizes).toEqual(exits);
  }

  // The legs of an order that fills at once are triggered later at the earliest, when they are known here.
  for (const one of entries) {
    bench.run(one.wait);
    const last = made.at(-1);
    if (one.isCancelled && last !== undefined) cancel(last);
    place(one);
    compare();
  }
  while (bench.engine.now < bench.engine.endTime - 60_000) {
    bench.run(1);
    compare();
  }

  function cancel({ id, isExecution }: (typeof made)[number]): void {
    try {
      call(isExecution ? 'executions.stop' : 'orders.cancel', { pathParams: { id } });
      tried.take('cancelled');
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  }
}

test('legs of entries that fill in parts have their size, and close no more', async () => {
  const tried = new Tried();
  await holdLaw(15, drawn, (one) => play(one, tried));
  const kinds = [
    'of a part',
    'of a part of an execution',
    'triggered',
    'less is held',
    'cancelled',
  ];
  if (isFull) expect(tried.rare(kinds, 3)).toEqual([]);
});
