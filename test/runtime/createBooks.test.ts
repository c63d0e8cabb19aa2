import { describe, expect, test } from 'vitest';
import type { Link } from '../../src/env/index.ts';
import { createMemoryStore } from '../../src/journal/index.ts';
import type { BotEvent } from '../../src/runtime/BotEvent.ts';
import type { BotPlan } from '../../src/runtime/BotPlan.ts';
import { account, execution, position } from '../streams/records.ts';
import { answered } from './setUpPipe.ts';
import { setUpParts } from './setUpParts.ts';

/** A process in which a position without a stop is shown, some time after the one before. */
function setUp(guards: BotPlan['guards'], over: Parameters<typeof setUpParts>[0] = {}) {
  const parts = setUpParts({ guards, ...over });
  const rung: number[] = [];
  parts.books.events$.subscribe((event: BotEvent) => {
    if (event.kind === 'uncovered') rung.push(parts.env.queue.now());
  });
  const cover = { wallet: 'main', symbol: 'BTC', size: 1, covered: 0 };
  parts.books.coverage.see('main', [cover]);
  return { ...parts, rung, since: () => parts.books.coverage.uncovered()[0]!.since };
}

describe.each<[BotPlan['guards'], boolean, number | undefined]>([
  [{}, false, undefined],
  [{ max_uncovered_seconds: 60 }, true, undefined],
  [{ warn_uncovered_seconds: 20 }, true, 20_000],
  [{ max_uncovered_seconds: 60, warn_uncovered_seconds: 20 }, true, 20_000],
])('with the limits %j', (guards, isKept, ringsAt) => {
  test('a position is uncovered for as long as it is, over all processes that count it', () => {
    const store = createMemoryStore();
    expect(setUp(guards, { store, startTime: 1_000 }).since()).toBe(1_000);
    expect(setUp(guards, { store, startTime: 9_000 }).since()).toBe(isKept ? 1_000 : 9_000);
  });

  test('the alarm rings after the seconds of the warning, once', () => {
    const { env, rung } = setUp(guards);
    for (const at of [19_999, 20_000, 60_000, 600_000]) env.queue.advanceTo(at);
    expect(rung).toEqual(ringsAt === undefined ? [] : [ringsAt]);
  });
});

describe('a record that can’t be read hides no other of its list, whichever list it is', () => {
  const leg = { kind: 'stop_loss', form: 'price', status: 'armed', resolution: null };
  const { total_size: _total, ...lacking } = execution('bad');
  const lists: Readonly<Record<string, readonly unknown[]>> = {
    'executions.list': [lacking, execution('good')],
    'positions.legs': [
      { ...leg, leg_id: 'bad', size: 'much' },
      { ...leg, leg_id: 'good', size: 1 },
    ],
  };

  test.each(['executions', 'stops'])('%s', async (what) => {
    const link: Link = {
      market: { now: () => 0, at: () => () => {} },
      open: async () => {},
      subscribe() {},
      unsubscribe() {},
      close: async () => {},
      // Executions are listed by their status.
      request: ({ endpoint, query }) =>
        answered(200, {
          items: (query['status'] ?? 'running') === 'running' ? lists[endpoint] : [],
          next_cursor: null,
        }),
    };
    const { books } = setUpParts({ link });
    books.bookOf('main').model({
      account,
      positions: new Map([['BTC', position(1)]]),
      balances: new Map(),
      openOrders: new Map(),
    } as never);
    const unreadable: unknown[] = [];
    const note = (one: { id: string | undefined }): void => void unreadable.push(one.id);
    if (what === 'stops') {
      const read = await books.readStops('main', 60_000, note);
      expect(read).toMatchObject({ ok: true, rows: [{ leg_id: 'good', symbol: 'BTC' }] });
    } else {
      const read = await books.read('main', 60_000, ['execution'], note);
      expect(read).toMatchObject({ ok: true, work: { executions: [{ execution_id: 'good' }] } });
    }
    expect(unreadable).toHaveLength(1);
  });
});

test.each([
  [3, 5, 3, 3],
  [3, 3, 3, 3],
  // A part was withdrawn, or sold by another.
  [3, 2, 2, 2],
  [3, 0, 0, 0],
  [3.019, 5, 3.01, 3.01],
  [3, 2.005, 2.005, 2],
])('of %d bought and %d held, %d is the bot’s and %d is sold', (bought, held, own, sold) => {
  const symbol = 'HYPE/USDC';
  const store = createMemoryStore();
  const state = { since: 1, seen: [], bought: { [symbol]: bought }, debits: {}, undecided: [] };
  void store.setMeta('spot:main', JSON.stringify(state));
  const strategies = ['main', 'side'].map((wallet) => ({ name: wallet, wallet }));
  const instruments = [{ symbol, size_decimals: 2 }] as never;
  const { books } = setUpParts({ store, strategies, instruments });
  for (const wallet of ['main', 'side'])
    books.bookOf(wallet).model({
      account: { ...account, wallet },
      positions: new Map(),
      balances: new Map([['HYPE', { asset: 'HYPE', total: held, available: held, held: 0 }]]),
      openOrders: new Map(),
    } as never);
  expect(books.holdings.bought('main', symbol)).toBe(own);
  expect(books.holdings.sellable('main')).toEqual(sold === 0 ? [] : [{ symbol, size: sold }]);
  expect([books.holdings.bought('side', symbol), books.holdings.sellable('side')]).toEqual([0, []]);
});
