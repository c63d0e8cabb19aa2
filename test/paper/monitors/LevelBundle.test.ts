import { describe, expect, test } from 'vitest';
import { beyond } from '../../../src/paper/market/PriceWatches.ts';
import { LevelBundle, type Member } from '../../../src/paper/monitors/LevelBundle.ts';

/** What is watched, in the order in which it was set. */
function setUp() {
  const set: Array<Record<string, unknown>> = [];
  const market = {
    now: 0,
    // The bundle hands back the watch that it set.
    unwatch({ id }: { id: string }) {
      const at = set.findIndex((each) => each['id'] === id);
      set.splice(at, 1);
    },
    at: (symbol: string) => ({
      watches: { add: (watch: Record<string, unknown>) => set.push({ ...watch, at: symbol }) },
    }),
  };
  const left: string[] = [];
  const bundle = new LevelBundle({ market } as never, 'BTC', ({ monitor }) =>
    left.push(monitor.record.monitor_id),
  );
  const member = (serial: number): Member =>
    ({
      slot: { serial },
      monitor: {
        record: { monitor_id: `m${serial}` },
        wallet: serial % 2 === 0 ? 'even' : 'odd',
        bundle: null,
        watch: null,
      },
    }) as never;
  const order = { of: ({ serial }: { serial: number }) => `place ${serial}` } as never;
  return { set, market, left, bundle, member, order };
}

const BELOW = { level: 90, side: 'below', passed: false } as const;

describe('one watch stands for all members of a bundle', () => {
  test('it is the first’s by serial, whichever joined first, and the next one’s when that leaves', () => {
    const { set, market, left, bundle, member, order } = setUp();
    const [one, two, three, four] = [1, 2, 3, 4].map(member);
    bundle.join([three!]);
    bundle.join([]);
    bundle.join([four!, one!]);
    bundle.join([two!]);
    expect(set).toEqual([]);
    expect([one, two, three, four].every((each) => each!.monitor.bundle === bundle)).toBe(true);
    market.now = 5;
    bundle.move(BELOW, order);
    const watch = (serial: number) => ({
      symbol: 'BTC',
      at: 'BTC',
      level: 90,
      side: 'below',
      topic: 'monitor',
      wallet: serial % 2 === 0 ? 'even' : 'odd',
      id: `m${serial}`,
      order: `place ${serial}`,
      since: 5,
    });
    expect(set).toEqual([watch(1)]);
    // Since the bar closed at which it moved, however late it is set.
    market.now = 8;
    bundle.leave(one!.monitor);
    expect(set).toEqual([watch(2)]);
    bundle.leave(three!.monitor);
    expect(set).toEqual([watch(2)]);
    bundle.leave(two!.monitor);
    expect(set).toEqual([watch(4)]);
    bundle.leave(four!.monitor);
    expect(set).toEqual([]);
    expect(left).toEqual(['m1', 'm3', 'm2', 'm4']);
    expect(one!.monitor.bundle).toBeNull();
  });

  test.each(['below', 'above'] as const)('it moves with the level, %s', (side) => {
    const { set, market, bundle, member, order } = setUp();
    bundle.join([member(1)]);
    bundle.move({ level: 90, side, passed: false }, order);
    expect(set).toMatchObject([{ level: 90, side, since: 0 }]);
    market.now = 7;
    // What was passed already waits for more than the level itself.
    bundle.move({ level: 91, side, passed: true }, order);
    expect(beyond(91, side)).not.toBe(91);
    expect(set).toMatchObject([{ level: beyond(91, side), side, since: 7 }]);
    bundle.move(null, order);
    expect(set).toEqual([]);
  });

  test('loosened, each gets the watch that it would have alone; emptied, none', () => {
    for (const how of ['loosen', 'empty'] as const) {
      const { set, market, left, bundle, member, order } = setUp();
      const [one, two] = [1, 2].map(member);
      bundle.join([two!, one!]);
      market.now = 3;
      bundle.move(BELOW, order);
      market.now = 9;
      expect(bundle[how]()).toEqual([one, two]);
      const expected = [1, 2].map((serial) => ({ id: `m${serial}`, level: 90, since: 3 }));
      expect(set).toMatchObject(how === 'loosen' ? expected : []);
      expect(set).toHaveLength(how === 'loosen' ? 2 : 0);
      for (const { monitor } of [one!, two!]) {
        expect(monitor.bundle).toBeNull();
        expect(monitor.watch === null).toBe(how === 'empty');
      }
      expect(left).toEqual([]);
      // A bundle that is used again begins without a level.
      bundle.join([member(5)]);
      expect(set).toHaveLength(how === 'loosen' ? 2 : 0);
    }
  });

  test('without a level nobody who is loosened has a watch', () => {
    const { set, bundle, member, order } = setUp();
    const one = member(1);
    bundle.join([one]);
    bundle.move(BELOW, order);
    bundle.move(null, order);
    expect(bundle.loosen()).toEqual([one]);
    expect([set, one.monitor.watch]).toEqual([[], null]);
  });
});
