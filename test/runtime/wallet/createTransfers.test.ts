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
