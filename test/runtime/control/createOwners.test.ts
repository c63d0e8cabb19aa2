/** For how long an operator's own position is his, by what the books show of it and whether they can be believed. */
import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { createOwners } from '../../../src/runtime/control/createOwners.ts';
import { createOwnership } from '../../../src/runtime/control/createOwnership.ts';

const plan = {
  strategies: [{ name: 'trend', wallet: 'main', symbols: ['BTC'] }],
  instruments: [],
} as never;

function open() {
  const store = createMemoryStore();
  const { clock, queue } = createVirtualEnv();
  const ownership = () => createOwnership({ plan, store, clock, onFatal: expect.fail });
  const state = { size: 1, isKnown: true, lifetime: { closed: false } };
  const book = {
    position: () => state.size,
    openPositions: () => (state.size === 0 ? [] : [{ symbol: 'BTC' }]),
    spotHoldings: () => [],
  };
  const own = ownership();
  own.own('main', 'BTC', 'trend');
  const owners = createOwners({
    plan,
    wallets: ['main'],
    bookOf: () => book as never,
    ownership: own,
    clock,
    log: { warn: () => {} },
    market: queue,
    isKnown: () => state.isKnown,
    decisions: [{ kind: 'ignore', symbol: 'BTC' }],
    holdings: { bought: () => undefined, sellable: () => [], reportLeft: () => {} },
    lifetime: state.lifetime,
    submit: () => expect.fail(),
  });
  const work = { wallet: 'main', positions: [{ symbol: 'BTC' }] } as never;
  /** By each way of asking. */
  const isIgnored = (): boolean => {
    const is = owners.ignores('main', 'BTC');
    expect(owners.standingOf('main', 'BTC').kind).toBe(is ? 'ignored' : 'owned');
    expect(owners.withoutIgnored(work).positions).toHaveLength(is ? 0 : 1);
    expect(owners.manages('main', 'BTC')).toBe(!is);
    return is;
  };
  return { owners, state, isIgnored, next: () => ownership().isIgnored('main', 'BTC') };
}

test('what is to be ignored is so before the first snapshots, and until nothing of it is left', () => {
  const { owners, state, isIgnored, next } = open();
  expect(owners.ignores('main', 'BTC')).toBe(true);
  owners.look();
  expect(isIgnored()).toBe(true);
  state.size = 0.5;
  expect([isIgnored(), next()]).toEqual([true, true]);
  state.size = 0;
  expect([isIgnored(), next()]).toEqual([false, false]);
  // What the strategy opens then is its own.
  state.size = 2;
  expect(isIgnored()).toBe(false);
});

test.each(['in an outage', 'when the bot is over'])(
  'books without it release nothing %s',
  (when) => {
    const { owners, state, isIgnored, next } = open();
    owners.look();
    const doubt = (is: boolean): void => {
      if (when === 'in an outage') state.isKnown = !is;
      else state.lifetime.closed = is;
    };
    doubt(true);
    state.size = 0;
    expect([isIgnored(), next()]).toEqual([true, true]);
    state.size = 1;
    doubt(false);
    expect([isIgnored(), next()]).toEqual([true, true]);
  },
);
