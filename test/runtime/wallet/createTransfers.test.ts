import { expect, test } from 'vitest';
import type { FillRecord } from '../../../src/contract/index.ts';
import { createTransfers } from '../../../src/runtime/wallet/createTransfers.ts';
import type { AccountModel } from '../../../src/streams/index.ts';

const account = { equity: 0, unrealized_pnl: 0, realized_pnl: 0, fees_paid: 0, funding_paid: 0 };
const model = (cash: number, units: number): AccountModel =>
  ({
    account,
    complete: true,
    balances: new Map(
      [
        ['USDC', cash],
        ['SOL', units],
      ].map(([asset, total]) => [asset, { asset, total }]),
    ),
  }) as unknown as AccountModel;

test.each(['buy', 'sell'] as const)(
  'a balance before its fills (%s) is no transfer after either of them, whatever the price becomes',
  (side) => {
    let price = 50;
    const transfers = createTransfers(() => price);
    const sign = side === 'buy' ? 1 : -1;
    const of = (size: number): FillRecord =>
      ({
        symbol: 'SOL/USDC',
        side,
        size,
        notional: size * 50,
        fee: 0,
        closed_pnl: 0,
      }) as FillRecord;
    transfers.model(model(10_000, 8));
    transfers.model(model(10_000 - sign * 250, 8 + sign * 5));
    price = 60;
    transfers.fill(of(2));
    expect(transfers.pending()).toBeCloseTo(0, 9);
    price = 70;
    transfers.fill(of(3));
    expect(transfers.pending()).toBeCloseTo(0, 9);
    // What is filled beyond the balance is not in it yet: the rest is valued by now.
    transfers.fill(of(1));
    expect(transfers.pending()).toBeCloseTo(sign * 50 - sign * 70, 9);
  },
);

/** A wallet whose frames are missing since its first record: what its balances and its cost became by the next. */
test.each([
  ['a deposit beside a purchase that is worth more by now', 1_000, 2, 65, 1_100, 130],
  ['a deposit beside a purchase that is worth less by now', 1_000, 2, 40, 1_100, 100],
  ['a withdrawal beside a purchase that is worth more by now', 800, 2, 65, 900, -70],
  ['a withdrawal beside a purchase that is worth less by now', 800, 2, 40, 900, -100],
  ['a purchase that is worth more by now', 900, 2, 65, 1_000, 0],
  ['a purchase that is worth less by now', 900, 2, 40, 1_000, 0],
  ['a withdrawal that a gain in worth exceeds', 850, 2, 95, 950, 0],
])(
  'while frames are missing, %s counts as what leaves more of a loss',
  (_what, cash, units, price, cost, amount) => {
    const transfers = createTransfers(() => price);
    const shown = (of: AccountModel, equity: number): AccountModel => ({
      ...of,
      complete: false,
      account: { ...of.account, equity, unrealized_pnl: 0 },
    });
    transfers.model(shown(model(1_000, 0), 1_000));
    expect(transfers.model(shown(model(cash, units), cost))).toBeCloseTo(amount, 9);
  },
);

test('an asset that came without a price is valued by the first one there is, whatever it becomes', () => {
  let price: number | undefined;
  const transfers = createTransfers(() => price);
  transfers.model(model(1_000, 1));
  transfers.model(model(1_000, 6));
  expect(transfers.pending()).toBe(0);
  price = 50;
  expect(transfers.pending()).toBeCloseTo(250, 9);
  price = 60;
  expect(transfers.pending()).toBeCloseTo(250, 9);
  transfers.model(model(1_000, 8));
  expect(transfers.pending()).toBeCloseTo(250 + 120, 9);
});
