import { describe, expect, test } from 'vitest';
import type { WatchRow } from '../../../src/contract/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { metaOf, readStops, showStops, textOf } from '../../../src/runtime/control/WalletStops.ts';
import type { AccountModel } from '../../../src/streams/index.ts';
import { position } from '../../streams/records.ts';

const stop = (id: string, more: Partial<WatchRow> = {}): WatchRow =>
  ({
    watch_kind: 'leg',
    kind: 'stop_loss',
    leg_id: id,
    symbol: 'BTC',
    trigger_price: 90,
    status: 'armed',
    ...more,
  }) as WatchRow;
const rows = (...all: WatchRow[]) => new Map(all.map((row) => [row.leg_id ?? '', row]));
const model = (...sides: Array<readonly [symbol: string, side: 'long' | 'short']>): AccountModel =>
  ({
    positions: new Map(sides.map(([symbol, side]) => [symbol, { ...position(1, symbol), side }])),
  }) as unknown as AccountModel;
/** Long, opened at a time of its own. */
const opened = (time: number, size = 1): AccountModel =>
  ({
    positions: new Map([['BTC', { ...position(size), opened_time: time }]]),
  }) as unknown as AccountModel;
const LONG = model(['BTC', 'long']);

function setUp(store = createMemoryStore()) {
  const state = readStops(store, 'main');
  let now = 1_000;
  const show = (shown: AccountModel, ...all: WatchRow[]): string[] =>
    showStops(state, shown, rows(...all), now);
  return { state, show, store, pass: (ms: number) => void (now += ms) };
}

describe('a stop is missing', () => {
  test('if it was armed and is not any more, while its position is open', () => {
    const { show } = setUp();
    expect(show(LONG, stop('a'), stop('b'))).toEqual([]);
    expect(show(LONG, stop('b'))).toEqual(['a']);
    expect(show(LONG, stop('a', { status: 'retired' }), stop('b'))).toEqual(['a']);
  });

  test('not if it fired', () => {
    const { show } = setUp();
    show(LONG, stop('a'));
    expect(show(LONG, stop('a', { status: 'triggered' }))).toEqual([]);
    expect(show(LONG)).toEqual([]);
  });

  test('not if its position was closed, or is of the other side now', () => {
    for (const next of [model(), model(['BTC', 'short'])]) {
      const { show } = setUp();
      show(LONG, stop('a'));
      expect(show(next)).toEqual([]);
      // Nor is it the next position's, if its row is shown a little longer.
      expect(show(LONG, stop('a'))).toEqual([]);
      expect(show(LONG)).toEqual([]);
    }
  });

  test('if it waited for its entry’s next fill, and is not armed after that any more', () => {
    const { show } = setUp();
    show(LONG, stop('a'));
    show(model(), stop('a', { status: 'queued' }));
    expect(show(LONG, stop('a'))).toEqual([]);
    expect(show(LONG, stop('a', { status: 'retired' }))).toEqual(['a']);
  });

  test('not if its position was closed and another of its side opened unseen', () => {
    const { show } = setUp();
    show(LONG, stop('a'));
    expect(show(opened(2))).toEqual([]);
    // A position that only grew is the same.
    const grown = setUp();
    grown.show(LONG, stop('a'));
    expect(grown.show(opened(1, 5))).toEqual(['a']);
  });

  test('if an entry’s next fill opened another position meanwhile, and armed it for that', () => {
    const { show, state, store } = setUp();
    show(LONG, stop('a'));
    void store.setMeta(metaOf('main'), textOf(state));
    const next = setUp(store);
    expect(next.show(opened(2), stop('a'))).toEqual([]);
    expect(next.show(opened(2))).toEqual(['a']);
  });

  test('if the same happened in an outage: armed for half a minute, it is the new position’s', () => {
    const { show, pass } = setUp();
    show(LONG, stop('a'));
    expect(show(opened(2), stop('a'))).toEqual([]);
    pass(29_999);
    show(opened(2), stop('a'));
    expect(show(opened(2))).toEqual([]);

    const other = setUp();
    other.show(LONG, stop('a'));
    other.show(opened(2), stop('a'));
    other.pass(30_000);
    other.show(opened(2), stop('a'));
    expect(other.show(opened(2))).toEqual(['a']);
  });

  test('not if it was never armed, is a take-profit, or an entry that is tracked', () => {
    const { show, state } = setUp();
    show(
      LONG,
      stop('a', { status: 'queued' }),
      stop('b', { kind: 'take_profit' }),
      stop('c', { watch_kind: 'entry' }),
      stop('d', { trigger_price: null }),
    );
    expect([...state.stops.keys()]).toEqual([]);
    expect(show(LONG)).toEqual([]);
  });

  test('each symbol’s by its own position', () => {
    const both = model(['BTC', 'long'], ['ETH', 'short']);
    const { show } = setUp();
    show(both, stop('a'), stop('b', { symbol: 'ETH' }));
    expect(show(model(['ETH', 'short']))).toEqual(['b']);
  });
});

describe('what the journal has of stops', () => {
  test('is known to the next process, by trigger, side, position and time', () => {
    const { show, state, store } = setUp();
    show(LONG, stop('a', { trigger_price: 88 }));
    void store.setMeta(metaOf('main'), textOf(state));
    const next = setUp(store);
    expect(next.state.earlier).toEqual(new Set(['a']));
    expect(next.state.stops.get('a')).toEqual({
      id: 'a',
      symbol: 'BTC',
      side: 'long',
      trigger: 88,
      opened: 1,
      since: 1_000,
      isSecond: false,
    });
    expect(next.show(LONG)).toEqual(['a']);
    expect(readStops(store, 'hedge').stops.size).toBe(0);
  });

  test('does not name a position where an older version wrote it', () => {
    const { show, state, store } = setUp();
    show(LONG, stop('a'));
    void store.setMeta(metaOf('main'), textOf(state).replace('"opened":1,', ''));
    const next = setUp(store);
    expect(next.state.stops.get('a')).not.toHaveProperty('opened');
    expect(next.show(opened(2))).toEqual(['a']);
  });

  test('a stop at the trigger that was submitted again is the second one, until the position is over', () => {
    const { show, state } = setUp();
    state.offered.set('BTC', 90);
    show(LONG, stop('again'));
    expect(state.stops.get('again')!.isSecond).toBe(true);
    show(LONG, stop('again'), stop('other', { trigger_price: 95 }));
    expect(state.stops.get('other')!.isSecond).toBe(false);
    show(model());
    expect(state.offered.size).toBe(0);
  });
});
