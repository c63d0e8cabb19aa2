import { describe, expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import {
  closePosition,
  createMonitor,
  placeOrder,
  setLeverage,
  type Intent,
} from '../../../src/intents/index.ts';
import {
  createMemoryStore,
  type IntentState,
  type JournalStore,
} from '../../../src/journal/index.ts';
import { createOwnership } from '../../../src/runtime/control/createOwnership.ts';
import { OPERATOR } from '../../../src/runtime/operator.ts';
import { order } from '../setUpPipe.ts';

const plan = {
  strategies: [
    { name: 'trend', wallet: 'main', symbols: ['BTC', 'ETH'] },
    { name: 'carry', wallet: 'hedge', symbols: ['BTC'] },
  ],
} as never;

const open = (store: JournalStore, onFatal: (error: unknown) => void = () => {}) =>
  createOwnership({ plan, store, clock: createVirtualEnv().clock, onFatal });

/** An intent in the journal, an order for one BTC, that was decided on a bar. */
function traded(
  store: JournalStore,
  instance: string,
  state: IntentState,
  wallet = 'main',
  { intent: made = order, bar = 'BTC' }: { intent?: Intent; bar?: string } = {},
): void {
  const key = `key_${store.intents().length}`;
  const trigger = { bar: { symbol: bar, interval: '1m', t: 0, close: 100 } };
  const intent = JSON.stringify({ intent: made, trigger });
  const row = { key, decisionKey: key, generation: 0, instance, wallet, kind: made.kind, intent };
  const entry = { key, wallTime: 0, marketTime: 0, data: '{}' };
  void store.append({ intent: row, entries: [{ ...entry, state: 'emitted' }] });
  void store.append({ entries: [{ ...entry, state }] });
}

test('a symbol is of the strategy that trades it in that wallet', () => {
  const { ownerOf } = open(createMemoryStore());
  expect([ownerOf('main', 'BTC'), ownerOf('hedge', 'BTC')]).toEqual(['trend', 'carry']);
  expect([ownerOf('main', 'SOL'), ownerOf('hedge', 'ETH'), ownerOf('other', 'BTC')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

describe('who owned a symbol before', () => {
  test('is what was written, by this process or one before', () => {
    const store = createMemoryStore();
    const first = open(store);
    first.own('main', 'BTC', 'former');
    expect(first.formerOf('main', 'BTC')).toBe('former');
    const next = open(store);
    expect(next.formerOf('main', 'BTC')).toBe('former');
    expect(next.formerOf('hedge', 'BTC')).toBeUndefined();
    next.own('main', 'BTC', 'trend');
    expect(open(store).formerOf('main', 'BTC')).toBe('trend');
  });

  test('is known while a slow journal still writes it', () => {
    const store = createMemoryStore();
    const slow: JournalStore = { ...store, setMeta: () => new Promise(() => {}) };
    const ownership = open(slow);
    ownership.own('main', 'BTC', 'trend');
    expect(ownership.formerOf('main', 'BTC')).toBe('trend');
  });

  test('follows from the last accepted intent of a strategy, where nothing was written', () => {
    const store = createMemoryStore();
    traded(store, 'old', 'accepted');
    traded(store, 'newer', 'accepted');
    traded(store, 'refused', 'denied');
    traded(store, OPERATOR, 'accepted');
    traded(store, 'elsewhere', 'accepted', 'hedge');
    const { formerOf } = open(store);
    expect(formerOf('main', 'BTC')).toBe('newer');
    expect(formerOf('hedge', 'BTC')).toBe('elsewhere');
    expect(formerOf('main', 'ETH')).toBeUndefined();
  });

  test('is not who decided on its bars, watched it, or set its leverage', () => {
    const store = createMemoryStore();
    const onEth = placeOrder.market({ symbol: 'ETH', side: 'buy', size: 1 });
    const watching = createMonitor({
      trigger: { type: 'price_level', symbol: 'BTC', price: 1, direction: 'below' },
      action: {
        type: 'order',
        request: { symbol: 'ETH', side: 'buy', size: 1, order_type: 'market' },
      },
    });
    traded(store, 'reads', 'accepted', 'main', { intent: onEth });
    traded(store, 'watches', 'accepted', 'main', { intent: watching });
    traded(store, 'sets', 'accepted', 'main', {
      intent: setLeverage('BTC', { leverage: 2, mode: 'cross' }),
    });
    const { formerOf } = open(store);
    expect([formerOf('main', 'BTC'), formerOf('main', 'ETH')]).toEqual([undefined, 'watches']);
    traded(store, 'closes', 'accepted', 'main', {
      intent: closePosition.atMarket('BTC'),
      bar: 'ETH',
    });
    expect(formerOf('main', 'BTC')).toBe('closes');
  });
});

test('what is ignored stays so for the next process, until it no longer is', () => {
  const store = createMemoryStore();
  const first = open(store);
  first.ignore('main', 'SOL');
  expect([first.isIgnored('main', 'SOL'), first.isIgnored('hedge', 'SOL')]).toEqual([true, false]);
  const next = open(store);
  expect(next.isIgnored('main', 'SOL')).toBe(true);
  next.stopIgnoring('main', 'SOL', 'over');
  expect(next.isIgnored('main', 'SOL')).toBe(false);
  expect(open(store).isIgnored('main', 'SOL')).toBe(false);
});

test('what is held no more is the configuration’s again, and ignored no longer', () => {
  const store = createMemoryStore();
  const first = open(store);
  for (const symbol of ['BTC', 'ETH', 'SOL']) first.own('main', symbol, 'former');
  for (const symbol of ['BTC', 'ETH', 'SOL']) first.ignore('main', symbol);
  first.ignore('hedge', 'BTC');
  first.release('main', 'BTC');
  first.release('main', 'SOL');
  // The other symbol's and the other wallet's stay as they were.
  for (const one of [first, open(store)]) {
    expect(['BTC', 'ETH', 'SOL'].map((symbol) => one.isIgnored('main', symbol))).toEqual([
      false,
      true,
      false,
    ]);
    expect(one.isIgnored('hedge', 'BTC')).toBe(true);
    expect(['BTC', 'ETH', 'SOL'].map((symbol) => one.formerOf('main', symbol))).toEqual([
      'trend',
      'former',
      'former',
    ]);
  }
  // An end that is written already is not written again.
  const written = store.latch('position main BTC');
  first.release('main', 'BTC');
  expect(store.latch('position main BTC')).toEqual(written);
});

test('an owner that cannot be written ends the bot', () => {
  const faults: unknown[] = [];
  const broken: JournalStore = {
    ...createMemoryStore(),
    setMeta() {
      throw new Error('full');
    },
  };
  open(broken, (error) => faults.push(error)).own('main', 'BTC', 'trend');
  expect(faults).toEqual([new Error('full')]);
});
