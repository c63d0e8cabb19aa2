import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { filter, map, take } from 'rxjs';
import type { OrderRecord } from '../../../src/contract/index.ts';
import { placeOrder } from '../../../src/intents/index.ts';
import { createUnshownFills } from '../../../src/runtime/wallet/createUnshownFills.ts';
import { createWalletBook } from '../../../src/runtime/wallet/createWalletBook.ts';
import type { AccountModel } from '../../../src/streams/index.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { testFeed } from '../../paper/core/openTestService.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { account, execution, fill, order, position } from '../../streams/records.ts';
import { openTestBot } from '../openTestBot.ts';

/**
 * What was filled counts until a position shows it: a limit on exposure holds in each frame of a trade, not only when
 * the last of them has come.
 */

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

test('a strategy that enters again when its order is filled can not pass the limit', async () => {
  const server = await openTestServer({ balance: 100_000 }, { feeds: [testFeed('BTC')] });
  open.push(server);
  const again = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.1 });
  const bot = await openTestBot(server, {
    guards: { max_position_notional: 10_000 },
    decides: (ctx) =>
      ctx.orders$.pipe(
        filter((event) => event.order.status === 'filled'),
        take(1),
        map(() => again),
      ),
  });
  open.push(bot);
  await bot.step(2);
  const { mark } = (await bot.client.market.price({ symbol: 'BTC' })) as { mark: number };
  const price = Math.round(mark * 0.9997);
  bot.propose(placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 0.1, price }));
  await bot.step(60);
  const verdicts = bot.events.flatMap((one) =>
    one.kind === 'intent' && ['accepted', 'denied'].includes(one.event.state)
      ? [[one.event.state, one.event.emission.intent]]
      : [],
  );
  expect(verdicts).toEqual([
    ['accepted', expect.objectContaining({ kind: 'place_order' })],
    ['denied', again],
  ]);
});

const SPOT = 'HYPE/USDC';

/** An order or an execution, as the service has it. */
interface Work {
  id: string;
  kind: 'order' | 'execution';
  size: number;
  filled: number;
}

/** A wallet of which each part is shown when the test says so. */
function openWallet(symbol: string, isReducing: boolean, all: readonly Work[]) {
  const book = createWalletBook({
    priceOf: () => 100,
    isListed: () => false,
    isAwaited: () => false,
    now: () => 0,
  });
  const base = { symbol, side: isReducing ? 'sell' : 'buy', reduce_only: isReducing } as const;
  const open = new Map<string, Work>();
  let held = isReducing ? 100 : 0;
  let model: AccountModel = {
    wallet: 'main',
    version: 1,
    time: 0,
    complete: true,
    account,
    positions: new Map(),
    balances: new Map(),
    openOrders: new Map(),
  };
  const ofKind = (kind: Work['kind']) => [...open.values()].filter((one) => one.kind === kind);
  const orderOf = ({ id, size, filled }: Work): OrderRecord => ({
    ...order(id),
    ...base,
    size,
    filled_size: filled,
  });
  function change(changed: Partial<AccountModel>): void {
    model = { ...model, ...changed };
    book.model(model);
  }
  function showHeld(): void {
    const balance = { asset: 'HYPE', total: held, available: held, held: 0 };
    if (symbol === SPOT) return change({ balances: new Map([['HYPE', balance]]) });
    change({ positions: new Map(held === 0 ? [] : [[symbol, position(held, symbol)]]) });
    book.positionShown(symbol);
  }
  function show(one: Work, hasEnded = one.filled === one.size): void {
    if (hasEnded) open.delete(one.id);
    else open.set(one.id, { ...one });
    if (one.kind === 'order') {
      change({ openOrders: new Map(ofKind('order').map((each) => [each.id, orderOf(each)])) });
      return book.orderShown(one.id);
    }
    const records = ofKind('execution').map(({ id, size, filled }) => ({
      ...execution(id),
      ...base,
      total_size: size,
      filled_size: filled,
      remaining_size: size - filled,
    }));
    book.executions(records);
  }
  function snapshot(): void {
    for (const one of all) show(one);
    showHeld();
    change({ account: { ...account } });
  }
  function trade({ id, kind }: Work, size: number): void {
    held += isReducing ? -size : size;
    const ids = kind === 'order' ? { order_id: id } : { order_id: 'child', execution_id: id };
    book.fillInTurn({ ...fill(`${id} ${held}`), ...base, ...ids, size });
  }
  snapshot();
  return {
    book,
    trade,
    show,
    showHeld,
    snapshot,
    /** How far the side may get, as the guards count it: an exit counts by what it may still close. */
    reach: (): number =>
      isReducing
        ? book.closing(symbol, 'sell') - book.position(symbol)
        : book.resting(symbol, 'buy') + book.position(symbol),
  };
}

const step = fc.record({
  what: fc.constantFrom('trade', 'trade', 'trade', 'cancel', 'snapshot'),
  which: fc.nat(2),
  units: fc.integer({ min: 1, max: 4 }),
  isPositionFirst: fc.boolean(),
});
const drawn = fc.record({
  symbol: fc.constantFrom('BTC', SPOT),
  isReducing: fc.boolean(),
  works: fc.array(
    fc.record({
      kind: fc.constantFrom<Array<Work['kind']>>('order', 'execution'),
      filled: fc.nat(2),
      left: fc.integer({ min: 1, max: 6 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  steps: fc.array(step, { maxLength: 8 }),
});

test('what is held and what may still come are never less than the whole, in whichever frame', async () => {
  const tried = new Tried();
  await holdLaw(800, drawn, ({ symbol, isReducing, works, steps }) => {
    const all = works.map(({ kind, filled, left }, at): Work => ({
      id: `w${at}`,
      kind,
      size: filled + left,
      filled,
    }));
    const wallet = openWallet(symbol, isReducing, all);
    let whole = wallet.reach();
    for (const { what, which, units, isPositionFirst } of steps) {
      const one = all[which % all.length]!;
      const size = Math.min(units, one.size - one.filled);
      if (what === 'snapshot') wallet.snapshot();
      else if (what === 'cancel') {
        whole -= one.size - one.filled;
        one.size = one.filled;
        wallet.show(one);
      } else if (size > 0) {
        one.filled += size;
        wallet.trade(one, size);
        expect(wallet.reach()).toBe(whole);
        if (isPositionFirst) wallet.showHeld();
        // As long as the order has not followed, both count.
        else wallet.show(one);
        expect(wallet.reach()).toBe(isPositionFirst ? whole + size : whole);
        if (isPositionFirst) wallet.show(one);
        else wallet.showHeld();
        tried.take(`${symbol} ${one.kind} ${isReducing ? 'closes' : 'opens'}`);
      }
      expect(wallet.reach()).toBe(whole);
    }
  });
  const kinds = ['BTC', SPOT].flatMap((of) => [`${of} order`, `${of} execution`]);
  const all = kinds.flatMap((kind) => [`${kind} closes`, `${kind} opens`]);
  expect(tried.rare(all, 20)).toEqual([]);
});

test('an order that was never shown open counts from its frame on', () => {
  const market: Work = { id: 'w', kind: 'order', size: 2, filled: 2 };
  const wallet = openWallet('BTC', false, []);
  wallet.trade(market, 2);
  // Until then the intent that places it counts.
  expect(wallet.reach()).toBe(0);
  wallet.show(market);
  expect(wallet.reach()).toBe(2);
  expect(wallet.book.exposedSymbols()).toEqual(['BTC']);
  wallet.showHeld();
  expect(wallet.reach()).toBe(2);
  expect(wallet.book.resting('BTC', 'buy')).toBe(0);
});

test('nothing counts any more once a frame shows the position as it was before', () => {
  const bought: Work = { id: 'w', kind: 'order', size: 2, filled: 2 };
  const wallet = openWallet('BTC', false, [{ ...bought, filled: 0 }]);
  wallet.trade(bought, 2);
  wallet.show(bought);
  // Sold again, and shown once.
  wallet.trade({ ...bought, id: 'x' }, -2);
  wallet.showHeld();
  expect(wallet.reach()).toBe(0);
  expect(wallet.book.exposedSymbols()).toEqual([]);
});

test('what an order was shown to have filled before is no part of a later fill', () => {
  const filledOf = new Map<string, number>();
  const { fill: take, seen, size: sizeOf } = createUnshownFills((id) => filledOf.get(id));
  const one = {
    ...fill('f1'),
    order_id: 'one',
    execution_id: null,
    side: 'buy' as const,
    size: 1,
    reduce_only: false,
  };
  const counted = () => sizeOf(one.symbol, 'buy', false);
  // Half a unit of it was filled and shown long ago.
  filledOf.set('one', 0.5);
  take(one, 0.5);
  expect(counted()).toBe(0);
  // A frame of the order of before the fill, then one that has a part of it, then all.
  for (const [filled, size] of [
    [0.5, 0],
    [0.9, 0.4],
    [1.5, 1],
  ] as const) {
    filledOf.set('one', filled);
    seen('one');
    expect(counted()).toBeCloseTo(size, 9);
  }
  // It has ended.
  filledOf.delete('one');
  expect(counted()).toBe(1);
});
