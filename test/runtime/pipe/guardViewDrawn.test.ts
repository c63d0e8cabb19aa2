import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEntryGate } from '../../../src/runtime/control/createEntryGate.ts';
import { OPERATOR } from '../../../src/runtime/operator.ts';
import { GuardView } from '../../../src/runtime/pipe/GuardView.ts';
import { holdLaw } from '../../holdLaw.ts';

/** What the guards of one strategy see of a bot with two wallets and two strategies in each. */

const WALLETS = ['main', 'side'];
const INSTANCES = ['one', 'two'];
const SYMBOLS = ['BTC', 'ETH'];
const wallet = fc.constantFrom(...WALLETS);
const instance = fc.constantFrom(...INSTANCES);
const symbol = fc.constantFrom(...SYMBOLS);
const count = fc.nat({ max: 4 });
const byName = fc.record({ main: count, side: count, one: count, two: count });

const drawn = fc.record({
  wallet,
  instance,
  closed: fc.subarray(['the stream is lost', 'a layer is down']),
  paused: fc.subarray(INSTANCES),
  closedSymbols: fc.array(fc.record({ wallet, symbol }), { maxLength: 3 }),
  unowned: fc.subarray(WALLETS),
  uncovered: fc.array(fc.record({ wallet, symbol }), { maxLength: 3 }),
  shownRows: byName,
  rowsInFlight: byName,
  freedRows: byName,
  entered: byName,
  latched: fc.subarray(INSTANCES),
  shown: fc.subarray(SYMBOLS),
  inFlight: fc.array(symbol, { maxLength: 3 }),
});

test('a strategy is held by its own wallet, its own count and its own pause', async () => {
  await holdLaw(1_000, drawn, (one) => {
    const gate = createEntryGate();
    for (const reason of one.closed) gate.close(reason);
    for (const name of one.paused) gate.closeStrategy(name, `why ${name}`);
    for (const of of one.closedSymbols) gate.closeSymbol(of.wallet, of.symbol, `why ${of.wallet}`);
    const uncovered = one.uncovered.map((of) => ({ ...of, since: 1 }));
    const countOf = (all: Readonly<Record<string, number>>) => (name: string) => all[name]!;
    const view = new GuardView(
      {
        gate,
        owners: {
          holdsOn: (of: string) => (one.unowned.includes(of) ? [`nobody owns on ${of}`] : []),
        },
        coverage: { uncovered: () => uncovered },
        exposure: {
          rows: countOf(one.rowsInFlight),
          symbols: (of: string) => (of === one.wallet ? one.inFlight : ['XRP']),
        },
        slots: { freed: countOf(one.freedRows) },
        throttle: {
          recent: countOf(one.entered),
          latched: (of: string) => (one.latched.includes(of) ? `too many of ${of}` : undefined),
        },
      } as never,
      {
        wallet: one.wallet,
        instance: one.instance,
        book: {
          maintainedRows: () => one.shownRows[one.wallet as 'main'],
          exposedSymbols: () => one.shown,
        },
      } as never,
    );
    const reasons = [
      ...one.closed,
      ...(one.paused.includes(one.instance)
        ? [`${one.instance} is paused: why ${one.instance}`]
        : []),
      ...(one.unowned.includes(one.wallet) ? [`nobody owns on ${one.wallet}`] : []),
    ];
    expect(view.gate).toEqual(reasons);
    const closed = one.closedSymbols.filter((of) => of.wallet === one.wallet);
    expect([...view.closedSymbols.keys()].toSorted()).toEqual(
      [...new Set(closed.map((of) => of.symbol))].toSorted(),
    );
    expect(view.uncovered()).toEqual(uncovered.filter((of) => of.wallet === one.wallet));
    const of = one.wallet as 'main';
    expect(view.maintainedRows).toBe(one.shownRows[of] + one.rowsInFlight[of] - one.freedRows[of]);
    expect(view.recentEntries).toBe(one.entered[one.instance as 'one']);
    expect(view.throttled).toBe(
      one.latched.includes(one.instance) ? `too many of ${one.instance}` : undefined,
    );
    const exposed = [...new Set([...one.shown, ...one.inFlight])];
    expect(view.exposedSymbols.toSorted()).toEqual(exposed.toSorted());
  });
});

test('what an operator keeps in a wallet is kept from its strategies, and not from himself', () => {
  const ignores = (of: string, name: string): boolean => of === 'side' && name === 'BTC';
  for (const [of, who, name] of [
    ['side', 'one', 'BTC'],
    ['side', OPERATOR, 'BTC'],
    ['side', 'one', 'ETH'],
    ['main', 'one', 'BTC'],
  ] as const) {
    const subject = { wallet: of, instance: who };
    const view = new GuardView({ owners: { ignores } } as never, subject as never);
    expect(view.ignores(name)).toBe(ignores(of, name) && who !== OPERATOR);
  }
});
