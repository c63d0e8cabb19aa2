/**
 * Liquidation by its definition, for both sides: the venue takes a position over at the first price at which what backs it
 * is no more than half the initial margin at the most leverage. One position, so that the price follows from five figures.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FillRecord } from '../../src/contract/index.ts';
import { holdLaw, Tried } from '../holdLaw.ts';
import { isFull } from '../tiers.ts';
import { createBench, feedOf, MINUTE, START, walk } from './engine/bench.ts';

const BARS = 190;
const WARM_UP = 5;
const HOUR = 60 * MINUTE;
const FEES = { maker_bps: 0, taker_bps: 5, service_bps: 1 };
const FEE = 6 / 10_000;
/** Closer to the trigger than this, a rounding decides. */
const NEAR = 0.002;

interface Backing {
  sign: number;
  size: number;
  entry: number;
  /** What may be lost: the position's own margin, or all cash. */
  money: number;
  /** Maintenance margin as a share of the value. */
  share: number;
}

/** Where money + size × (price − entry) × side = share × size × price. */
const triggerOf = ({ sign, size, entry, money, share }: Backing): number =>
  (entry - (sign * money) / size) / (1 - sign * share);

test('a position of either side is taken over at its price, and never before', async () => {
  const tried = new Tried();
  const drawn = fc.record({
    seed: fc.integer({ min: 0, max: 1e9 }),
    isLong: fc.boolean(),
    mode: fc.constantFrom('cross' as const, 'isolated' as const),
    leverage: fc.constantFrom(3, 10, 20),
    /** Of all that the margin allows. */
    part: fc.constantFrom(0.4, 0.7, 0.95),
    rate: fc.constantFrom(0, 0.004, -0.004),
    move: fc.constantFrom(0.01, 0.02, 0.04),
    /** Of the available margin, then paid in, or out below 0. */
    paid: fc.constantFrom(0, 0, 0.5, -0.9),
  });
  await holdLaw(40, drawn, ({ seed, isLong, mode, leverage, part, rate, move, paid }) => {
    const sign = isLong ? 1 : -1;
    const rows = walk(seed, BARS, { move, volume: 1e6 });
    const bench = createBench(
      {
        feeds: [feedOf(rows)],
        fundingRates: { BTC: { constantRate: rate, intervalMs: HOUR } },
        halfSpreadBps: 1e-6,
        impactBps: 0,
        fees: { all: FEES, symbols: {} },
      },
      { balance: 10_000 },
    );
    bench.run(WARM_UP);
    const pathParams = { symbol: 'BTC' };
    bench.call('leverage.set', { pathParams, body: { leverage, mode } });
    const wanted = (10_000 * leverage * part) / bench.engine.market.quote('BTC').mark;
    const asked = Math.floor(wanted * 100) / 100;
    bench.order({ side: isLong ? 'buy' : 'sell', size: asked, order_type: 'market' });
    const [entered] = bench.named('fill').map(({ data }) => data as FillRecord);
    // A bar without volume has nothing to take, and another not all.
    if (entered === undefined) return;
    const { price: entry, size } = entered;
    const backing: Backing = {
      sign,
      size,
      entry,
      money: mode === 'cross' ? 10_000 - size * entry * FEE : (size * entry) / leverage,
      share: 1 / (2 * bench.engine.market.instrument('BTC')!.max_leverage),
    };
    let paidIn = 0;
    if (paid !== 0) {
      paidIn = bench.call('account.get').available_margin * paid;
      bench.engine.transfer('main', paidIn);
      if (mode === 'cross') backing.money += paidIn;
      tried.take(paid > 0 ? 'paid in' : 'paid out');
    }
    for (let at = WARM_UP; at < BARS - 1; at++) {
      const trigger = triggerOf(backing);
      const [open, high, low, close] = rows[at]!;
      const worst = isLong ? low : high;
      const time = START + (at + 1) * MINUTE;
      const [position] = bench.call('positions.list').items;
      // Where nothing can use the money up, there is no such price.
      if (trigger <= 0) expect(position.liquidation_price, `minute ${at}`).toBeNull();
      else expect(position.liquidation_price, `minute ${at}`).toBeCloseTo(trigger, 4);
      bench.run(1);
      if (Math.abs(worst - trigger) < NEAR) return;
      if (sign * (worst - trigger) < 0) {
        // At the trigger, or where the bar opens beyond it.
        const price = isLong ? Math.min(trigger, open) : Math.max(trigger, open);
        expectTakenOver(bench, { ...backing, cash: 10_000 + paidIn }, price);
        tried.take(`${mode} ${isLong ? 'long' : 'short'}`);
        return;
      }
      if (time % HOUR === 0) {
        backing.money -= sign * size * close * rate;
        const after = triggerOf(backing);
        if (Math.abs(close - after) < NEAR) return;
        if (sign * (close - after) < 0) {
          expectTakenOver(bench, { ...backing, cash: 10_000 + paidIn }, close);
          tried.take('by funding');
          return;
        }
        if (rate !== 0) tried.take('paid funding');
      }
      expect(bench.named('liquidation'), `minute ${at}`).toEqual([]);
      expect(bench.call('positions.list').items).toHaveLength(1);
    }
    tried.take('survived');
  });
  const sides = ['cross long', 'cross short', 'isolated long', 'isolated short'];
  // So few draws as `npm test` has may leave one out.
  if (isFull)
    expect(tried.rare([...sides, 'survived', 'paid funding', 'paid in', 'paid out'], 1)).toEqual(
      [],
    );
});

function expectTakenOver(
  bench: ReturnType<typeof createBench>,
  { sign, size, entry, cash }: Backing & { cash: number },
  price: number,
): void {
  expect(bench.named('liquidation').map(({ data }) => data)).toMatchObject([
    { symbol: 'BTC', size },
  ]);
  expect(bench.call('positions.list').items).toEqual([]);
  const fills = bench.named('fill').map(({ data }) => data as FillRecord);
  const exits = fills.slice(1);
  expect(exits.reduce((sum, fill) => sum + fill.size, 0)).toBeCloseTo(size, 9);
  for (const fill of exits) {
    expect(fill.side).toBe(sign === 1 ? 'sell' : 'buy');
    // A tick, as the touch is the next one beyond the mark.
    expect(Math.abs(fill.price - price)).toBeLessThan(0.0201);
  }
  const made = exits.reduce((sum, fill) => sum + sign * fill.size * (fill.price - entry), 0);
  const account = bench.call('account.get');
  expect(account.realized_pnl).toBeCloseTo(made, 6);
  const fees = fills.reduce((sum, fill) => sum + fill.size * fill.price * FEE, 0);
  expect(account.equity).toBeCloseTo(cash + made - fees - account.funding_paid, 6);
}
