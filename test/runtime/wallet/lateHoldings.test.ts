import { Subscription } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import {
  defaultDialect,
  type Exchange,
  type FillRecord,
  type ServiceRequest,
} from '../../../src/contract/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { placeOrder } from '../../../src/intents/index.ts';
import { createMemoryStore, type JournalStore } from '../../../src/journal/index.ts';
import {
  createHoldings,
  type HoldingsOptions,
} from '../../../src/runtime/wallet/createHoldings.ts';
import { OPERATOR } from '../../../src/runtime/operator.ts';
import type { Emission } from '../../../src/strategy/index.ts';
import { createStreams } from '../../../src/streams/index.ts';
import { fill } from '../../streams/records.ts';
import { ScriptedLink } from '../../streams/ScriptedLink.ts';

const SPOT = 'HYPE/USDC';
const START = 10_000_000;

/** The holdings of a bot whose fills the service lists like this, newest first. */
function setUp(
  listed: (now: number) => FillRecord[],
  { position = 100_000, sizeDecimals = 2, wallets = ['main'] } = {},
) {
  const instruments = [{ symbol: SPOT, size_decimals: sizeDecimals }];
  const left: number[] = [];
  const env = createVirtualEnv({ startTime: START });
  const lifetime = new Subscription();
  onTestFinished(() => lifetime.unsubscribe());
  const asked: number[] = [];
  const askedOf: Array<string | undefined> = [];
  const store = createMemoryStore();
  const options: Partial<HoldingsOptions> = {
    plan: { dialect: defaultDialect, instruments } as unknown as HoldingsOptions['plan'],
    wallets,
    bookOf: () => ({ position: () => position, exposedSymbols: () => [SPOT] }) as never,
    onLeft: ({ size }) => void left.push(size),
    isOwn: () => true,
    store,
    streams: createStreams({ link: new ScriptedLink(), env, defaultWallet: 'main' }),
    env,
    budget: { admit: () => ({ admitted: true }), spend: () => {} } as never,
    lifetime,
    onFatal: (error) => expect.fail(String(error)),
  };
  const request = ({ query, wallet }: ServiceRequest): Exchange => {
    const since = query['start_time'] as number;
    asked.push(since);
    askedOf.push(wallet);
    const items = listed(env.queue.now()).filter(({ time }) => time >= since);
    const body = { items, next_cursor: null };
    return { kind: 'answered', response: { status: 200, headers: {}, body } };
  };
  return {
    env,
    asked,
    askedOf,
    left,
    store,
    open: () => createHoldings({ ...options, request } as HoldingsOptions),
  };
}

const bought = (at: number, time: number): FillRecord => ({
  ...fill(`fill_${at}`),
  symbol: SPOT,
  side: 'buy',
  time,
});

test.each([0, 5_000, 30_000])(
  'what the process before bought last is known once a list that lags %d ms shows it',
  async (lagMs) => {
    // That it bought spot before; the last fill came after this was written.
    const earlier = bought(0, START - 60_000);
    const last = { ...bought(1, START - 1_000), size: 2 };
    const { env, open } = setUp((now) => (now >= last.time + lagMs ? [last, earlier] : [earlier]));
    open().fill('main', earlier);

    const holdings = open();
    await holdings.begin();
    env.queue.advanceTo(START + 60_000);
    await expect.poll(() => holdings.bought('main', SPOT), { interval: 5 }).toBe(earlier.size + 2);
  },
);

test.each([
  ['spread over an hour', 3_600_000],
  ['within a few seconds', 4_000],
])(
  'more fills than the journal names, %s, count once however often they are read',
  async (_name, spanMs) => {
    const count = 2_500;
    const all = Array.from({ length: count }, (_none, at) =>
      bought(at + 1, Math.floor(START - 40_000 - (spanMs * (count - at)) / count)),
    );
    const { env, asked, open } = setUp(() => all.toReversed());
    const [first, ...rest] = all;
    open().fill('main', first!);

    const holdings = open();
    await holdings.begin();
    expect(holdings.bought('main', SPOT)).toBe(count);
    env.queue.advanceTo(START + 60_000);
    await expect.poll(() => asked.length, { interval: 5 }).toBe(2);
    await new Promise((resolve) => void setImmediate(resolve));
    // As a late frame, too.
    for (const one of rest.slice(0, 5)) holdings.fill('main', one);
    expect(holdings.bought('main', SPOT)).toBe(count);
    // The second read is for what the list had lacked.
    expect(asked[1]).toBeGreaterThan(START - 140_000);
  },
);

test.each([
  ['a perpetual that was traded on a bar of spot', 'BTC', SPOT, []],
  ['spot that was traded on a bar of a perpetual', SPOT, 'BTC', [0]],
])('for %s, fills are read as its own symbol needs', async (_name, symbol, bar, expected) => {
  const { asked, store, open } = setUp(() => []);
  journalOrder(store, { wallet: 'main', symbol, bar });
  await open().begin();
  expect(asked).toEqual(expected);
});

test.each([[[]], [['main']], [['second']], [['second', 'main']]])(
  'of two wallets the fills are read of those that traded spot: %j',
  async (traded: string[]) => {
    const wallets = ['main', 'second'];
    const { askedOf, store, open } = setUp(() => [], { wallets });
    for (const wallet of traded) journalOrder(store, { wallet, symbol: SPOT, bar: SPOT });
    for (const wallet of wallets) journalOrder(store, { wallet, symbol: 'BTC', bar: 'BTC' });
    await open().begin();
    expect(askedOf.toSorted()).toEqual(traded.toSorted());
  },
);

/** An order of an earlier process, decided on a bar. */
function journalOrder(
  store: JournalStore,
  { wallet, symbol, bar }: { wallet: string; symbol: string; bar: string },
): void {
  const intent = placeOrder.market({ symbol, side: 'buy', size: 1 });
  const text = JSON.stringify({ intent, trigger: { bar: { symbol: bar, close: 1 } } });
  const key = `${wallet} ${symbol}`;
  const row = { key, decisionKey: key, generation: 0, instance: 'one', wallet };
  const entry = { key, state: 'emitted', wallTime: 0, marketTime: 0, data: '{}' } as const;
  void store.append({ intent: { ...row, kind: intent.kind, intent: text }, entries: [entry] });
}

test.each([
  // Binary: 0.19999999999999998, 0.30000000000000004, 0.7999999999999999, and sums on grids of many steps.
  [2, [0.3, -0.1], 0.2],
  [2, [0.1, 0.2], 0.3],
  [2, Array<number>(8).fill(0.1), 0.8],
  [5, [12_345_678.90127], 12_345_678.90127],
  [5, [12_345_000, 678.90127], 12_345_678.90127],
  // A step that is left is a holding, however small a part of what was bought.
  [5, [12_345_678.90127, -12_345_678.90126], 0.00001],
  [2, [0.1, 0.2, -0.3], 0],
])('spot of %d decimals bought by %j is sold whole: %d', (sizeDecimals, sizes, whole) => {
  const { open, left } = setUp(() => [], { position: Math.max(whole, 0), sizeDecimals });
  const holdings = open();
  for (const [at, size] of sizes.entries()) {
    const side = size > 0 ? 'buy' : 'sell';
    holdings.fill('main', { ...bought(at, START + at), side, size: Math.abs(size) });
  }
  const sold = holdings.sellable('main');
  expect(sold).toEqual(whole === 0 ? [] : [{ symbol: SPOT, size: whole }]);
  const passed: unknown[] = [];
  for (const { symbol, size } of sold) {
    const intent = placeOrder.market({ symbol, side: 'sell', size });
    const sale = { instance: OPERATOR, wallet: 'main', decisionKey: 'd', intent };
    holdings.pass(sale as unknown as Emission, (emission) => passed.push(emission));
  }
  expect(passed).toHaveLength(sold.length);
  holdings.reportLeft('main');
  expect(left).toEqual([]);
});

test('what others hold of a large holding is left, to its last step', () => {
  const { open, left } = setUp(() => [], { position: 12_345_678.90128, sizeDecimals: 5 });
  const holdings = open();
  holdings.fill('main', { ...bought(0, START), size: 12_345_678.90127 });
  holdings.reportLeft('main');
  expect(left).toEqual([0.00001]);
});

test("the rounding of the service's own sum costs no lot", () => {
  const { open } = setUp(() => [], { position: 0.3 - 0.1 });
  const holdings = open();
  holdings.fill('main', { ...bought(0, START), size: 0.2 });
  expect(holdings.bought('main', SPOT)).toBe(0.2);
  expect(holdings.sellable('main')).toEqual([{ symbol: SPOT, size: 0.2 }]);
});
