import { expect, test } from 'vitest';
import { account, position } from '../streams/records.ts';
import { setUpParts } from './setUpParts.ts';

const WALLETS = ['main', 'side'];
const strategies = WALLETS.map((wallet) => ({ name: `of-${wallet}`, wallet }));

/** Each wallet ignores its position in BTC since the last process, and has shown it. */
function setUp() {
  const parts = setUpParts({ strategies });
  const { books, control } = parts;
  const show = (wallet: string, size: number): void =>
    books.bookOf(wallet).model({
      account,
      positions: new Map(size === 0 ? [] : [['BTC', position(size)]]),
      balances: new Map(),
      openOrders: new Map(),
    } as never);
  for (const wallet of WALLETS) {
    books.ownership.ignore(wallet, 'BTC');
    show(wallet, 1);
  }
  control.owners.look();
  return { ...parts, show };
}

type Parts = ReturnType<typeof setUp>;

test.each<[string, (control: Parts['control']) => void, (control: Parts['control']) => void]>([
  [
    'the stream is lost',
    ({ gate }) => gate.close('the stream is lost'),
    ({ gate }) => gate.open('the stream is lost'),
  ],
  [
    'the position is doubted',
    ({ gate }) => gate.closeSymbol('side', 'BTC', 'its fills do not add up'),
    ({ gate }) => gate.openSymbol('side', 'BTC'),
  ],
])('while %s, what is ignored stays so, whatever the book shows', (_why, close, open) => {
  const { control, show } = setUp();
  const { owners } = control;
  close(control);
  show('side', 0);
  expect(owners.ignores('side', 'BTC')).toBe(true);
  open(control);
  expect(owners.ignores('side', 'BTC')).toBe(false);
  expect(owners.ignores('main', 'BTC')).toBe(true);
});

test.each([
  ['another wallet’s', 'main', 'BTC'],
  ['another', 'side', 'ETH'],
])('%s position that is doubted keeps nothing ignored that is gone', (_what, wallet, symbol) => {
  const { control, show } = setUp();
  control.gate.closeSymbol(wallet, symbol, 'its fills do not add up');
  show('side', 0);
  expect(control.owners.ignores('side', 'BTC')).toBe(false);
});
