import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createExposure } from '../../../src/runtime/wallet/createExposure.ts';
import { standingOf } from '../../../src/runtime/wallet/recordIdsOf.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';

const buy = (size: number) => [{ symbol: 'BTC', side: 'buy' as const, size }];
const pending = (exposure: ReturnType<typeof createExposure>): number =>
  exposure.pending('main', 'BTC', 'buy');

test('an intent counts until the streams show its record, in any order', () => {
  const exposure = createExposure();
  exposure.add('late', 'main', { entries: buy(1) });
  exposure.becomes('late', ['ord_1'], 0);
  expect(pending(exposure)).toBe(1);
  exposure.seen('ord_1');
  expect(pending(exposure)).toBe(0);

  exposure.add('early', 'main', { entries: buy(2) });
  exposure.seen('ord_2');
  expect(pending(exposure)).toBe(2);
  exposure.becomes('early', ['ord_2'], 0);
  expect(pending(exposure)).toBe(0);
});

test('of what is shown while an answer is outstanding, the newest is remembered', () => {
  const exposure = createExposure();
  exposure.add('unanswered', 'main', { entries: buy(1) });
  for (let n = 0; n < 5_000; n++) exposure.seen(`ord_${n}`);
  exposure.add('newest', 'main', { entries: buy(2) });
  exposure.becomes('newest', ['ord_4999'], 0);
  expect(pending(exposure)).toBe(1);
  exposure.add('oldest', 'main', { entries: buy(4) });
  exposure.becomes('oldest', ['ord_0'], 0);
  expect(pending(exposure)).toBe(5);
});

test('a basket counts until each of its executions is shown', () => {
  const exposure = createExposure();
  exposure.add('basket', 'main', { entries: buy(3) });
  exposure.becomes('basket', ['exe_1', 'exe_2'], 0);
  exposure.seen('exe_2');
  expect(pending(exposure)).toBe(3);
  exposure.seen('exe_1');
  expect(pending(exposure)).toBe(0);
});

test('a record made long before a snapshot is included, even if its own frame was lost', () => {
  const exposure = createExposure();
  exposure.add('accepted', 'main', { entries: buy(1) });
  exposure.add('on its way', 'main', { entries: buy(2) });
  exposure.add('elsewhere', 'other', { entries: buy(4) });
  exposure.becomes('accepted', ['ord_1'], 1_000);
  exposure.becomes('elsewhere', ['ord_2'], 1_000);
  // It may have been made before the answer.
  exposure.shown('main', 'order', 5_000);
  expect(pending(exposure)).toBe(3);
  exposure.shown('main', 'order', 40_000);
  expect(pending(exposure)).toBe(2);
  expect(exposure.pending('other', 'BTC', 'buy')).toBe(4);
  // Its frame arrives late, and has no owner.
  exposure.seen('ord_1');
  expect(pending(exposure)).toBe(2);
});

test('a record shown under another id is matched by its client id, in any order', () => {
  const exposure = createExposure();
  exposure.add('late', 'main', { entries: buy(1) });
  exposure.becomes('late', ['exe_1'], 0, { clientName: 'client:late' });
  expect(pending(exposure)).toBe(1);
  exposure.seen('client:late');
  expect(pending(exposure)).toBe(0);

  exposure.add('early', 'main', { entries: buy(2) });
  exposure.seen('client:early');
  expect(pending(exposure)).toBe(2);
  exposure.becomes('early', ['exe_2'], 0, { clientName: 'client:early' });
  expect(pending(exposure)).toBe(0);
});

describe('an order that is made larger before it is shown', () => {
  const standing = (size: number, updated_time: number) => ({ size, updated_time });
  const NAME = { clientName: 'client:c' };
  function grown(changedAt: number) {
    const exposure = createExposure();
    exposure.add('place', 'main', { entries: buy(2) });
    exposure.becomes('place', ['ord_1'], 0, NAME);
    exposure.add('grow', 'main', { entries: buy(1) });
    exposure.becomes('grow', ['ord_1'], 0, { ...NAME, standing: standing(3, changedAt) });
    const see = (size: number, time: number): void => {
      exposure.seen('ord_1', standing(size, time));
      exposure.seen('client:c', standing(size, time));
    };
    return { exposure, see };
  }

  test.each([100, 101])('counts whole until each of both is shown, changed at %i', (changedAt) => {
    const { exposure, see } = grown(changedAt);
    expect(pending(exposure)).toBe(3);
    see(2, 100);
    expect(pending(exposure)).toBe(1);
    see(3, changedAt);
    expect(pending(exposure)).toBe(0);
  });

  test('is shown with both by one frame of the change, or of later', () => {
    const first = grown(101);
    first.see(3, 101);
    expect(pending(first.exposure)).toBe(0);
    // Made smaller again since.
    const later = grown(101);
    later.see(1, 102);
    expect(pending(later.exposure)).toBe(0);
  });

  test('is not shown by a frame of before that overtook the answer', () => {
    const exposure = createExposure();
    exposure.add('grow', 'main', { entries: buy(1) });
    exposure.seen('ord_1', standing(2, 100));
    exposure.becomes('grow', ['ord_1'], 0, { standing: standing(3, 101) });
    expect(pending(exposure)).toBe(1);
    exposure.seen('ord_1', standing(3, 101));
    expect(pending(exposure)).toBe(0);
  });

  test('counts no more than what is left when its change is refused', () => {
    const { exposure, see } = grown(101);
    exposure.remove('grow');
    expect(pending(exposure)).toBe(2);
    see(2, 100);
    expect(pending(exposure)).toBe(0);
  });
});

test('an execution that is resumed starts until a frame of later than its answer shows it', () => {
  const exposure = createExposure();
  const paused = { execution_id: 'exe_1', total_size: 3, updated_time: 100 };
  exposure.add('resume', 'main', { entries: [], executions: 1 });
  exposure.seen('exe_1', standingOf(paused));
  exposure.becomes('resume', ['exe_1'], 0, {
    standing: standingOf({ ...paused, updated_time: 101 }),
  });
  exposure.seen('exe_1', standingOf(paused));
  expect(exposure.executions('main')).toBe(1);
  exposure.seen('exe_1', standingOf({ ...paused, updated_time: 101 }));
  expect(exposure.executions('main')).toBe(0);
});

describe('what is in flight', () => {
  const WALLETS = ['main', 'side'] as const;
  const SYMBOLS = ['BTC', 'ETH'] as const;
  const SIDES = ['buy', 'sell'] as const;
  const KINDS = ['order', 'execution', 'monitor'] as const;
  const part = {
    symbol: fc.constantFrom(...SYMBOLS),
    side: fc.constantFrom(...SIDES),
    size: fc.integer({ min: 1, max: 9 }),
  };
  const added = fc.record({
    kind: fc.constant('add' as const),
    key: fc.nat(4),
    wallet: fc.constantFrom(...WALLETS),
    entries: fc.array(
      fc.record(
        { ...part, triggeredAt: fc.constantFrom(null, 90, 110) },
        { requiredKeys: ['symbol', 'side', 'size'] },
      ),
      { maxLength: 2 },
    ),
    reductions: fc.array(
      fc.record(
        { ...part, isArmed: fc.constant(true as const) },
        { requiredKeys: ['symbol', 'size'] },
      ),
      { maxLength: 2 },
    ),
    rows: fc.nat(2),
  });
  const step = fc.oneof(
    { weight: 4, arbitrary: added },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('becomes' as const),
        key: fc.nat(4),
        count: fc.integer({ min: 1, max: 2 }),
        of: fc.constantFrom(...KINDS),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('seen' as const),
        key: fc.nat(4),
        which: fc.nat(1),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), key: fc.nat(4) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('shown' as const),
        wallet: fc.constantFrom(...WALLETS),
        of: fc.constantFrom(...KINDS),
        after: fc.constantFrom(0, 29_999, 30_000, 30_001),
      }),
    },
  );

  test('counts by wallet, symbol and side until all of its records are shown, or surely were', async () => {
    const tried = new Tried();
    await holdLaw(400, fc.array(step, { minLength: 3, maxLength: 20 }), (steps) => {
      const exposure = createExposure();
      type One = Omit<Extract<(typeof steps)[number], { kind: 'add' }>, 'kind' | 'key'>;
      const model = new Map<string, One & { left?: Set<string>; since?: number; of?: string }>();
      // Each life of a key has records of its own.
      const lives = new Map<number, number>();
      const nameOf = (key: number): string => `${key}.${lives.get(key) ?? 0}`;
      let now = 0;
      for (const one of steps) {
        if (one.kind === 'add') {
          const { key, kind: _kind, ...rest } = one;
          if (model.has(nameOf(key))) continue;
          lives.set(key, (lives.get(key) ?? 0) + 1);
          exposure.add(nameOf(key), rest.wallet, rest);
          if (rest.entries.length + rest.reductions.length + rest.rows > 0)
            model.set(nameOf(key), rest);
        } else if (one.kind === 'becomes') {
          const name = nameOf(one.key);
          const known = model.get(name);
          if (known === undefined || known.left !== undefined) continue;
          const ids = [`${name}/0`, `${name}/1`].slice(0, one.count);
          known.left = new Set(ids);
          known.since = now;
          known.of = one.of;
          exposure.becomes(name, ids, now, { kind: one.of });
        } else if (one.kind === 'seen') {
          const name = nameOf(one.key);
          const known = model.get(name);
          // What overtakes its answer is tried above.
          if (known?.left === undefined) continue;
          exposure.seen(`${name}/${one.which}`);
          known.left.delete(`${name}/${one.which}`);
          tried.take('seen');
          if (known.left.size === 0) model.delete(name);
        } else if (one.kind === 'remove') {
          exposure.remove(nameOf(one.key));
          model.delete(nameOf(one.key));
        } else {
          now += one.after;
          exposure.shown(one.wallet, one.of, now);
          for (const [name, { wallet, since, of }] of model) {
            if (wallet !== one.wallet || since === undefined || now - since < 30_000) continue;
            // It is shown by a channel of its own.
            if (of !== one.of) continue;
            model.delete(name);
            tried.take('surely shown');
          }
        }
        for (const wallet of WALLETS) {
          const all = [...model.values()].filter((each) => each.wallet === wallet);
          for (const of of KINDS)
            expect(exposure.unshown(wallet, of)).toEqual(
              all.filter((each) => each.of === of).flatMap(({ left }) => [...left!]),
            );
          expect(exposure.rows(wallet)).toBe(all.reduce((sum, { rows }) => sum + rows, 0));
          const entries = all.flatMap((each) => each.entries);
          expect(exposure.symbols(wallet).toSorted()).toEqual(
            entries.map(({ symbol }) => symbol).toSorted(),
          );
          const reductions = all.flatMap((each) => each.reductions);
          for (const symbol of SYMBOLS)
            for (const side of SIDES) {
              const sum = (of: ReadonlyArray<{ size: number }>) =>
                of.reduce((total, { size }) => total + size, 0);
              const own = entries.filter((each) => each.symbol === symbol && each.side === side);
              expect(exposure.pending(wallet, symbol, side)).toBe(sum(own));
              const triggers = own.map(({ triggeredAt }) => triggeredAt ?? 0);
              expect(exposure.highestTrigger(wallet, symbol, side)).toBe(Math.max(0, ...triggers));
              // One without a side closes either.
              const closing = reductions.filter(
                (each) => each.symbol === symbol && (each.side ?? side) === side,
              );
              const armed = closing.filter(({ isArmed }) => isArmed === true);
              expect(exposure.armed(wallet, symbol, side)).toBe(sum(armed));
              expect(exposure.closing(wallet, symbol, side)).toBe(sum(closing) - sum(armed));
            }
        }
      }
    });
    if (isFull) expect(tried.rare(['seen', 'surely shown'], 20)).toEqual([]);
  });

  test('an id that was seen while something else was in flight is not that of a later one', () => {
    const exposure = createExposure();
    exposure.add('first', 'main', { entries: buy(1) });
    exposure.seen('ord_9');
    exposure.remove('first');
    exposure.add('second', 'main', { entries: buy(2) });
    exposure.becomes('second', ['ord_9'], 0);
    expect(pending(exposure)).toBe(2);
  });
});
