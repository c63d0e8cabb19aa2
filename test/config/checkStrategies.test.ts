import { expect, test } from 'vitest';
import { checkLink } from '../../src/config/checkLink.ts';
import { checkStrategies } from '../../src/config/checkStrategies.ts';

const strategy = (name: string, symbols: string[], more: object = {}) => ({
  name,
  symbols,
  ...more,
});

/** Where each finding is, and what it says. */
function findingsOf(strategies: readonly object[], more: object = {}): string[] {
  const settings = {
    link: { kind: 'paper' },
    paper: {
      feeds: [{ symbol: 'BTC' }, { symbol: 'ETH' }, { symbol: 'SOL' }],
      connections: [],
      funding: {},
      instruments: {},
      fees: {},
      speed: 'max',
    },
    guards: { max_order_size: {} },
    isolation: null,
    strategies,
    ...more,
  } as never;
  return checkStrategies(settings).map(({ path, reason }) => `${path.join('.')}: ${reason}`);
}

test('each finding is at the strategy and the symbol that it is about, not at the first', () => {
  const [one, two] = [strategy('one', ['BTC', 'ETH']), strategy('two', ['SOL', 'XRP'])];
  expect(findingsOf([one, strategy('two', ['SOL'])])).toEqual([]);
  expect(findingsOf([one, two])).toEqual([
    'strategies.1.symbols.1: no feed in paper.feeds serves the symbol XRP',
  ]);
  expect(findingsOf([one, strategy('one', ['SOL'])])).toEqual([
    'strategies.1.name: strategies[0] has the name one already',
  ]);
  const three = [one, strategy('two', ['ETH', 'SOL']), strategy('three', ['ETH'])];
  expect(findingsOf(three)).toEqual([
    'strategies.1.symbols.0: one owns ETH on wallet main already, and positions net',
    'strategies.2.symbols.0: one owns ETH on wallet main already, and positions net',
  ]);
  const allowed = {
    guards: { allowed_symbols: ['BTC', 'SOL'], max_order_size: { SOL: 1, DOGE: 2 } },
  };
  expect(findingsOf([one, strategy('two', ['SOL'])], allowed)).toEqual([
    'strategies.0.symbols.1: guards.allowed_symbols does not have ETH, so every intent would be denied',
    'guards.max_order_size.DOGE: no strategy trades DOGE',
  ]);
});

test('a worker whose recording could not be replayed is at the strategy’s own setting, else at the bot’s', () => {
  const worker = { turn_deadline_seconds: 1, memory_mb: 1 };
  const slow = {
    record: 'x',
    paper: undefined,
    link: { kind: 'paper_service' },
    isolation: worker,
  };
  const all = [
    strategy('one', ['BTC']),
    strategy('two', ['ETH'], { isolation: worker }),
    strategy('three', ['SOL'], { isolation: null }),
  ];
  expect(findingsOf(all, slow).map((line) => line.split(':')[0])).toEqual([
    'isolation',
    'strategies.1.isolation',
  ]);
});

test('a live strategy without a wallet is named by its place', () => {
  const guards = {
    max_order_notional: 1,
    max_gross_notional: 1,
    daily_loss_limit: 1,
    max_uncovered_seconds: 1,
  };
  const strategies = [strategy('one', ['BTC'], { wallet: 'w1' }), strategy('two', ['ETH'])];
  const settings = {
    link: { kind: 'live' },
    guards,
    journal: { path: 'x' },
    budget: {},
    strategies,
  };
  expect(checkLink(settings as never, true).map(({ path }) => path.join('.'))).toEqual([
    'strategies.1.wallet',
  ]);
});
