import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  PriceWatches,
  type PriceNow,
  type PriceWatch,
} from '../../../src/paper/market/PriceWatches.ts';

/** The same by a list that is read from its beginning each time. */
function createNaive() {
  const awake = new Set<PriceWatch>();
  const asleep = new Map<PriceWatch, number>();
  const first = (side: 'below' | 'above', { mark, low, high, time }: PriceNow) =>
    [...awake]
      .filter((one) => one.side === side)
      .toSorted(
        (a, b) => (side === 'below' ? b.level - a.level : a.level - b.level) || a.order - b.order,
      )
      .filter(({ level }) => (side === 'below' ? level >= low : level <= high))
      .find(
        ({ level, since }) => since < time || (side === 'below' ? level >= mark : level <= mark),
      );
  return {
    add: (watch: PriceWatch) => void awake.add(watch),
    remove(watch: PriceWatch) {
      awake.delete(watch);
      asleep.delete(watch);
    },
    sleep(watch: PriceWatch, until: number) {
      awake.delete(watch);
      asleep.delete(watch);
      if (Number.isFinite(until)) asleep.set(watch, until);
    },
    wake(now: number) {
      for (const [watch, until] of asleep) {
        if (until > now) continue;
        asleep.delete(watch);
        awake.add(watch);
      }
    },
    takeReached(price: PriceNow) {
      const reached = [first('below', price), first('above', price)].filter(
        (one) => one !== undefined,
      );
      const next = reached.toSorted((a, b) => a.order - b.order)[0];
      if (next !== undefined) awake.delete(next);
      return next;
    },
    nearest: (side: 'below' | 'above') => {
      const levels = [...awake].filter((one) => one.side === side).map(({ level }) => level);
      return side === 'below' ? Math.max(...levels) : Math.min(...levels);
    },
    list: () => [
      ...[...awake].map((watch) => ({ watch, until: null })),
      ...[...asleep].map(([watch, until]) => ({ watch, until })),
    ],
  };
}

const level = fc.integer({ min: 97, max: 103 });
const time = fc.integer({ min: 0, max: 4 });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      level,
      since: time,
      side: fc.constantFrom('below' as const, 'above' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('remove' as const, 'again' as const),
      at: fc.nat(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('sleep' as const),
      at: fc.nat(),
      until: fc.constantFrom(1, 2, 3, Infinity),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wake' as const), now: time }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('take' as const),
      mark: level,
      reach: fc.nat({ max: 4 }),
      time,
    }),
  },
);

test('watches fire in the order in which the path passes them, whatever shares a level', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const watches = new PriceWatches();
      const naive = createNaive();
      const made: PriceWatch[] = [];
      let order = 0;
      const create = (about: Pick<PriceWatch, 'level' | 'side' | 'since'>): void => {
        const watch = {
          ...about,
          order: order++,
          symbol: 'BTC',
          topic: 'order',
          wallet: 'main',
          id: `o_${order}`,
        } as const;
        made.push(watch);
        for (const each of [watches, naive]) each.add(watch);
      };
      for (const next of steps) {
        if (next.do === 'add') create(next);
        else if (next.do === 'wake') for (const each of [watches, naive]) each.wake(next.now);
        else if (next.do === 'take') {
          const { mark, reach, time: now } = next;
          const price = { mark, low: mark - reach, high: mark + reach, time: now };
          const expected = naive.takeReached(price);
          expect(watches.takeReached(price)).toBe(expected);
        } else if (made.length > 0) {
          const watch = made[next.at % made.length]!;
          for (const each of [watches, naive]) {
            if (next.do === 'sleep') each.sleep(watch, next.until);
            else each.remove(watch);
          }
          // A level that moved, or stayed: watched again, after all others.
          if (next.do === 'again') create(watch);
        }
        expect([watches.lower, watches.upper]).toEqual([
          naive.nearest('below'),
          naive.nearest('above'),
        ]);
      }
      const byOrder = (list: ReturnType<PriceWatches['list']>) =>
        list.toSorted((a, b) => a.watch.order - b.watch.order);
      expect(byOrder(watches.list())).toEqual(byOrder(naive.list()));
      expect(watches.isEmpty).toBe(naive.list().length === 0);
    }),
    { numRuns: 350 },
  );
});
