import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/env/index.ts';
import { ServiceError } from '../../../src/paper/core/ServiceError.ts';
import { createBench, feedOf, walk } from '../engine/bench.ts';

/** A market and a wallet that makes every kind of request at random. */
function play(seed: number, { balance = 20_000, move = 0.01 } = {}) {
  const feeds = [
    feedOf(walk(`${seed}a`, 240, { move })),
    feedOf(walk(`${seed}b`, 240, { move, price: 50 }), { symbol: 'ETH' }),
    feedOf(walk(`${seed}c`, 240, { move, price: 20 }), { symbol: 'HYPE/USDC' }),
  ];
  const instruments = { 'HYPE/USDC': { price_decimals: 2 } };
  const bench = createBench({ feeds, instruments }, { balance });
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)]!;
  const act = (): void => {
    const symbol = pick(['BTC', 'ETH', 'HYPE/USDC']);
    const { mark } = bench.engine.market.quote(symbol);
    const side = pick(['buy', 'sell']);
    const size = Math.round(random.next() * 1_000) / 10 + 0.5;
    const price = Math.round(mark * (1 + (random.next() - 0.5) * 0.02) * 100) / 100;
    const reduce_only = random.next() < 0.2;
    const base = { symbol, side, size, reduce_only };
    const action = pick([
      'market',
      'limit',
      'limit',
      'ioc',
      'cancel',
      'close',
      'tpsl',
      'execute',
      'mode',
    ]);
    if (action === 'market') bench.order({ ...base, order_type: 'market' });
    if (action === 'limit') bench.order({ ...base, order_type: 'limit', price });
    if (action === 'ioc') {
      bench.order({ ...base, order_type: 'limit', price, time_in_force: 'ioc' });
    }
    if (action === 'cancel') bench.call('orders.bulkCancel', { query: { symbol } });
    if (action === 'close') bench.call('positions.close', { pathParams: { symbol } });
    if (action === 'mode') {
      const mode = pick(['isolated', 'cross']);
      const body = { leverage: pick([5, 10, 20]), mode };
      bench.call('leverage.set', { pathParams: { symbol }, body });
    }
    if (action === 'tpsl') {
      const body = { stop_loss: { trail: { pct: 1, interval: '1m' } } };
      bench.call('positions.attachLegs', { pathParams: { symbol }, body });
    }
    if (action === 'execute') {
      const params = { duration_seconds: 300, slices: 5 };
      const body = { algo: 'pacemaker', symbol, side, total_size: size, params, reduce_only };
      bench.call('executions.launch', { body });
    }
  };
  const tryToAct = (): void => {
    try {
      act();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  };
  return { ...bench, tryToAct, random };
}

const seeds = fc.integer({ min: 0, max: 1_000_000 });

test('money is conserved: equity equals fills, fees and funding, to a millionth', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const { engine, run, call, events, tryToAct, random } = play(seed);
      while (engine.now + 60_000 <= engine.endTime) {
        if (random.next() < 0.5) tryToAct();
        run(1);
        const account = call('account.get');
        const flows = new Map<string, number>();
        let expected = 20_000;
        for (const { event, data } of events) {
          if (event === 'funding') expected -= (data as { amount: number }).amount;
          if (event !== 'fill') continue;
          const fill = data as {
            symbol: string;
            side: string;
            size: number;
            notional: number;
            fee: number;
          };
          const sign = fill.side === 'buy' ? 1 : -1;
          expected -= sign * fill.notional + fill.fee;
          flows.set(fill.symbol, (flows.get(fill.symbol) ?? 0) + sign * fill.size);
        }
        for (const [symbol, size] of flows) expected += size * engine.market.quote(symbol).mark;
        expect(Math.abs(account.equity - expected)).toBeLessThan(1e-6);
        const reported =
          20_000 +
          account.realized_pnl +
          account.unrealized_pnl -
          account.fees_paid -
          account.funding_paid;
        expect(Math.abs(account.equity - reported)).toBeLessThan(1e-6);
      }
    }),
    { numRuns: 15 },
  );
});

test('the rows by day and symbol add up to the account', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const { engine, run, call, tryToAct } = play(seed);
      while (engine.now + 60_000 <= engine.endTime) {
        tryToAct();
        run(1);
      }
      const account = call('account.get');
      const sum = (field: string): number =>
        call('account.pnl').items.reduce(
          (total: number, row: Record<string, number>) => total + row[field]!,
          0,
        );
      expect(sum('realized_pnl')).toBeCloseTo(account.realized_pnl, 6);
      expect(sum('unrealized_pnl')).toBeCloseTo(account.unrealized_pnl, 6);
      expect(sum('fees')).toBeCloseTo(account.fees_paid, 6);
      expect(sum('funding')).toBeCloseTo(account.funding_paid, 6);
    }),
    { numRuns: 10 },
  );
});

test('the same requests at the same times give the same events, to the byte', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const [first, second] = [play(seed), play(seed)].map((game) => {
        while (game.engine.now + 60_000 <= game.engine.endTime) {
          game.tryToAct();
          game.run(1);
        }
        return JSON.stringify(game.events);
      });
      expect(first).toBe(second);
      expect(first!.length).toBeGreaterThan(1_000);
    }),
    { numRuns: 5 },
  );
});

test('one long advance equals many short ones', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const [whole, stepped] = [Infinity, 7_919].map((stepMs) => {
        const game = play(seed);
        for (let action = 0; action < 20; action++) {
          game.tryToAct();
          const target = game.engine.now + 10 * 60_000;
          while (game.engine.now < target) {
            game.engine.advanceTo(Math.min(target, game.engine.now + stepMs));
          }
        }
        return JSON.stringify(game.events);
      });
      expect(stepped).toBe(whole);
    }),
    { numRuns: 8 },
  );
});

test('no account is below its maintenance margin at a corner of the path', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const { engine, call, tryToAct, named } = play(seed, { balance: 300, move: 0.05 });
      while (engine.now + 20_000 <= engine.endTime) {
        if (engine.now % 60_000 === 0) tryToAct();
        engine.advanceTo(engine.now + 20_000);
        const account = call('account.get');
        const positions = call('positions.list').items as Array<{ notional: number }>;
        const maintenance = positions.reduce((sum, { notional }) => sum + notional / 100, 0);
        const spot = call('account.balances').items.slice(1);
        if (spot.length > 0 || positions.length === 0) continue;
        expect(account.equity).toBeGreaterThan(maintenance - 1e-6);
      }
      for (const { data } of named('liquidation'))
        expect(data).toMatchObject({ symbol: expect.any(String) });
    }),
    { numRuns: 25 },
  );
});
