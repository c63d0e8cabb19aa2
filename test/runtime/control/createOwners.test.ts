/** For how long an operator's own position is his, by what the books show of it and whether they can be believed. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { symbolOf } from '../../../src/intents/symbolOf.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { createOwners } from '../../../src/runtime/control/createOwners.ts';
import { createOwnership, ownerFactOf } from '../../../src/runtime/control/createOwnership.ts';
import type { OwnerDecision } from '../../../src/runtime/control/index.ts';
import type { Emission } from '../../../src/strategy/index.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';

const TREND = [{ name: 'trend', wallet: 'main', symbols: ['BTC'] }];
const plan = { strategies: TREND, instruments: [] } as never;

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

test('what an earlier process was to ignore is ignored before the books show it', () => {
  const { owners, next } = openWallets({
    held: [],
    decisions: [],
    latched: [{ wallet: 'second', symbol: 'ETH' }],
  });
  expect(owners.ignores('second', 'ETH')).toBe(true);
  expect(owners.ignores('main', 'ETH')).toBe(false);
  expect(next('second', 'ETH')).toBe(true);
});

interface Place {
  wallet: string;
  symbol: string;
}

const WALLETS = ['main', 'second'];
const SYMBOLS = ['BTC', 'ETH', 'HYPE/USDC', 'PURR/USDC'];
const PLACES: readonly Place[] = WALLETS.flatMap((wallet) =>
  SYMBOLS.map((symbol) => ({ wallet, symbol })),
);
const isSpot = (symbol: string): boolean => symbol.includes('/');
const nameOf = ({ wallet, symbol }: Place): string => `${wallet}:${symbol}`;

/** Two wallets whose strategy is gone, or is one of another symbol. */
function openWallets({
  held,
  decisions,
  latched = [],
  others = [],
  strategies = TREND,
}: {
  held: readonly Place[];
  decisions: readonly OwnerDecision[];
  latched?: readonly Place[];
  /** What this bot never traded. */
  others?: readonly Place[];
  strategies?: ReadonlyArray<{ name: string; wallet: string; symbols: readonly string[] }>;
}) {
  const plan = { strategies, instruments: [] } as never;
  const store = createMemoryStore();
  const { clock, queue } = createVirtualEnv();
  const options = { plan, store, clock, onFatal: expect.fail };
  for (const { wallet, symbol } of PLACES.filter((one) => !others.includes(one)))
    void store.setMeta(ownerFactOf(wallet, symbol), 'gone');
  for (const { wallet, symbol } of latched) createOwnership(options).ignore(wallet, symbol);
  const heldOn = (wallet: string, spot: boolean): Place[] =>
    held.filter((one) => one.wallet === wallet && isSpot(one.symbol) === spot);
  const submitted: Emission[] = [];
  const warned: unknown[] = [];
  const owners = createOwners({
    plan,
    wallets: WALLETS,
    bookOf: (wallet) =>
      ({
        position: (symbol: string) =>
          held.some((one) => nameOf(one) === nameOf({ wallet, symbol })) ? 3 : 0,
        openPositions: () => heldOn(wallet, false),
        spotHoldings: () => heldOn(wallet, true),
      }) as never,
    ownership: createOwnership(options),
    clock,
    log: { warn: (_text, fields) => void warned.push(fields) },
    market: queue,
    isKnown: () => true,
    decisions,
    holdings: {
      bought: (wallet, symbol) =>
        held.some((one) => nameOf(one) === nameOf({ wallet, symbol })) ? 3 : undefined,
      sellable: (wallet) =>
        heldOn(wallet, true).map(({ symbol }) => ({ symbol, size: 3 })) as never,
      reportLeft() {},
    },
    lifetime: { closed: false },
    submit: (emission) => void submitted.push(emission),
  });
  return {
    owners,
    submitted,
    warned,
    next: (wallet: string, symbol: string) => createOwnership(options).isIgnored(wallet, symbol),
    ownerOfNext: (wallet: string, symbol: string) =>
      createOwnership(options).rightfulOwnerOf(wallet, symbol),
  };
}

test('a start gives strategies each symbol of theirs of which nothing is held, on their wallet', async () => {
  const strategies = [
    { name: 'both', wallet: 'main', symbols: ['BTC', 'ETH'] },
    { name: 'spot', wallet: 'second', symbols: ['HYPE/USDC', 'ETH', 'PURR/USDC'] },
  ];
  await holdLaw(100, fc.subarray([...PLACES]), (held) => {
    const { owners, ownerOfNext } = openWallets({ held, decisions: [], strategies });
    owners.look();
    for (const { wallet, symbol } of PLACES) {
      const isHeld = held.some((one) => nameOf(one) === nameOf({ wallet, symbol }));
      const trader = strategies.find(
        (one) => one.wallet === wallet && one.symbols.includes(symbol),
      );
      // What is held is still that of the strategy that is gone.
      expect(ownerOfNext(wallet, symbol)).toBe(isHeld ? undefined : trader?.name);
    }
  });
});

test('an operator’s decisions take effect where they are made, and nowhere else', async () => {
  const tried = new Tried();
  const decision = fc
    .tuple(fc.constantFrom('ignore' as const, 'flatten' as const), fc.constantFrom(...PLACES))
    .map(([kind, place]) => ({ kind, ...place }));
  const cases = fc.tuple(
    fc.subarray([...PLACES]),
    fc.subarray([...PLACES]),
    fc.uniqueArray(decision, { maxLength: 4, selector: nameOf }),
  );
  await holdLaw(300, cases, ([held, others, decisions]) => {
    const { owners, submitted, warned } = openWallets({ held, others, decisions });
    const isHeld = (one: Place): boolean => held.some((other) => nameOf(other) === nameOf(one));
    const of = (kind: string): Place[] =>
      decisions.filter((one) => one.kind === kind && isHeld(one));
    const isIgnored = (one: Place): boolean =>
      of('ignore').some((other) => nameOf(other) === nameOf(one));
    const isOther = (one: Place): boolean => others.some((each) => nameOf(each) === nameOf(one));
    // What it never traded is its strategy's if that trades it now, and nobody's of spot: others' assets.
    const isUnowned = (one: Place): boolean =>
      !isOther(one) || (!isSpot(one.symbol) && nameOf(one) !== 'main:BTC');
    owners.look();
    owners.flatten();
    // Each is closed once: a perp by its position, an asset by a sale of what may be sold of it.
    expect(
      submitted.map(({ wallet, intent, decisionKey }) => {
        const symbol = symbolOf(intent);
        expect(decisionKey).toMatch(new RegExp(`^${wallet}/operator/flatten:${symbol}:`));
        return `${wallet} ${intent.kind} ${symbol}`;
      }),
    ).toEqual(
      of('flatten')
        .filter(isUnowned)
        .map(
          ({ wallet, symbol }) =>
            `${wallet} ${isSpot(symbol) ? 'place_order' : 'close_position'} ${symbol}`,
        ),
    );
    for (const wallet of WALLETS) {
      const own = held.filter((one) => one.wallet === wallet);
      const left = own.filter((one) => !isIgnored(one));
      const waiting = left.filter(isUnowned);
      const symbolsOf = (all: ReadonlyArray<{ symbol: string }>): string[] =>
        all.map(({ symbol }) => symbol).toSorted();
      const perps = own.filter(({ symbol }) => !isSpot(symbol));
      const spots = own.filter(({ symbol }) => isSpot(symbol));
      // One of before may be closed with the bot; one that was never its own waits, and is left.
      expect(owners.orphans(wallet).toSorted()).toEqual(
        symbolsOf(waiting.filter((one) => !isOther(one))),
      );
      expect(owners.holdsOn(wallet)).toHaveLength(waiting.length);
      for (const symbol of SYMBOLS)
        expect(owners.ignores(wallet, symbol)).toBe(isIgnored({ wallet, symbol }));
      const work = owners.withoutIgnored({ wallet, positions: perps, holdings: spots } as never);
      expect(symbolsOf([...work.positions, ...work.holdings!])).toEqual(symbolsOf(left));
      warned.length = 0;
      owners.reportLeft(wallet);
      expect(warned).toEqual(
        [...perps, ...spots].filter(isIgnored).map(({ symbol }) => ({ wallet, symbol, size: 3 })),
      );
      for (const { kind, symbol } of decisions.filter(
        (one) => one.wallet === wallet && isHeld(one),
      ))
        tried.take(`${kind} ${isSpot(symbol) ? 'spot' : 'perp'}`);
    }
  });
  const all = ['ignore', 'flatten'].flatMap((kind) => [`${kind} spot`, `${kind} perp`]);
  expect(tried.rare(all, 20)).toEqual([]);
});
