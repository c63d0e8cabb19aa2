/** What an operator reads of wallets, positions, strategies and budget, worked out by hand. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  readFeeds,
  readBudget,
  readPositions,
  readStrategies,
  readWallets,
  type BlockSources,
} from '../../../src/operate/state/readBlocks.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';

const WALLETS = ['main', 'side'] as const;
const SYMBOLS = ['BTC', 'ETH', 'SOL'] as const;

const position = fc.record({
  symbol: fc.constantFrom(...SYMBOLS),
  side: fc.constantFrom('long', 'short'),
  size: fc.constantFrom(1, 2),
  entry_price: fc.constantFrom(90, 100, 110),
  mark_price: fc.constantFrom(95, 105),
  liquidation_price: fc.constantFrom(null, undefined, 50),
});
const spot = fc.record({
  symbol: fc.constantFrom('HYPE/USDC', 'PURR/USDC'),
  size: fc.constantFrom(3, 4),
  price: fc.constantFrom(7, 8, undefined),
  entryPrice: fc.constantFrom(6, undefined),
  unrealizedPnl: fc.constantFrom(5, undefined),
  standing: fc.constantFrom(
    { kind: 'owned' as const, strategy: 'range' },
    { kind: 'orphan' as const, former: 'trend' },
    { kind: 'unmanaged' as const },
  ),
});
const row = fc.record({
  symbol: fc.constantFrom(...SYMBOLS, 'HYPE/USDC'),
  watch_kind: fc.constantFrom('leg', 'leg', 'leg', 'entry'),
  kind: fc.constantFrom('stop_loss', 'stop_loss', 'stop_loss', 'take_profit'),
  status: fc.constantFrom('armed', 'armed', 'armed', 'pending'),
  trigger_price: fc.constantFrom(null, 80, 90, 96, 104, 110, 120),
});
const drawn = fc.record({
  wallets: fc.tuple(
    ...WALLETS.map(() =>
      fc.record({
        isKnown: fc.constantFrom(true, true, true, false),
        equity: fc.constantFrom(1_000, 0, -5),
        positions: fc.uniqueArray(position, { selector: ({ symbol }) => symbol, maxLength: 3 }),
        rows: fc.array(row, { maxLength: 5 }),
        spots: fc.uniqueArray(spot, { selector: ({ symbol }) => symbol, maxLength: 2 }),
      }),
    ),
  ),
  marks: fc.tuple(
    ...SYMBOLS.map(() =>
      fc.option(
        fc.record({ price: fc.constantFrom(98, 100, 102), time: fc.integer({ min: 1, max: 5 }) }),
        {
          nil: undefined,
        },
      ),
    ),
  ),
  bare: fc.array(
    fc.record({
      wallet: fc.constantFrom(...WALLETS),
      symbol: fc.constantFrom(...SYMBOLS),
      size: fc.constant(2),
      covered: fc.constantFrom(0, 0.5),
      since: fc.nat({ max: 9 }),
    }),
    { maxLength: 3 },
  ),
  standings: fc.array(fc.constantFrom('owned', 'ignored', 'orphan'), {
    minLength: 6,
    maxLength: 6,
  }),
  heldForMs: fc.constantFrom(0, 0.25, 99, 1_000, 61_000.5),
  limit: fc.constantFrom(undefined, 50),
});

test('positions, wallets, strategies and budget are shown as they are', async () => {
  const tried = new Tried();
  await holdLaw(300, drawn, ({ wallets, marks, bare, standings, heldForMs, limit }) => {
    const of = (wallet: string) => wallets[WALLETS.indexOf(wallet as 'main')]!;
    const markOf = (symbol: string) => marks[SYMBOLS.indexOf(symbol as 'BTC')];
    const standingOf = (wallet: string, symbol: string) => {
      const kind =
        standings[WALLETS.indexOf(wallet as 'main') * 3 + SYMBOLS.indexOf(symbol as 'BTC')]!;
      return {
        kind,
        ...(kind === 'owned' && { strategy: 'trend' }),
        ...(kind === 'orphan' && { former: 'range' }),
      };
    };
    const spells = bare.filter(
      (one, at) =>
        bare.findIndex((other) => other.wallet === one.wallet && other.symbol === one.symbol) ===
        at,
    );
    const sources = {
      bot: {
        book: (wallet: string) => ({
          account: () =>
            of(wallet).isKnown
              ? {
                  equity: of(wallet).equity,
                  used_margin: 1,
                  available_margin: 2,
                  unrealized_pnl: 3,
                  realized_pnl: 4,
                  fees_paid: 5,
                  funding_paid: 6,
                }
              : undefined,
          openPositions: () => of(wallet).positions,
          spotHoldings: () => of(wallet).spots,
          dayResult: () => undefined,
          dayLimitReached: () => undefined,
        }),
        mark: markOf,
        coverage: { uncovered: () => spells },
        ownerOf: standingOf,
        spotPositions: (wallet: string) => of(wallet).spots,
        hosts: [
          { instance: 'range', status: { state: 'running' } },
          { instance: 'trend', status: { state: 'quarantined', fault: { reason: 'a bug' } } },
        ],
        ledgerOf: (name: string) => ({
          summary: () => ({
            netPnl: name.length,
            realizedPnl: 1,
            unrealizedPnl: 2,
            fees: 3,
            funding: 4,
            fills: 5,
          }),
        }),
        paused: (name: string) => (name === 'range' ? 'why' : undefined),
        stageOf: () => 'shadow',
        throttled: () => undefined,
        budget: () => ({ used: 1, limit: 2, allowance: 3, heldForMs }),
        budgetUse: () => ({ spent: { entry: 1 }, peak: 4 }),
      },
      config: {
        directory: '/bots',
        guards: { ...(limit !== undefined && { daily_loss_limit: limit }) },
        strategies: [
          { name: 'trend', use: '/bots/trend.ts', wallet: 'main', symbols: ['BTC', 'ETH'] },
          {
            name: 'range',
            use: 'a-package',
            wallet: 'side',
            symbols: ['SOL'],
            shadow: { use: '/bots/range2.ts' },
          },
        ],
      },
      plan: {},
      wallets: WALLETS,
      symbols: SYMBOLS,
      intents: {
        of: (name: string) => ({ emitted: name.length, accepted: 1, denied: {}, newest: null }),
        unanswered: () => [],
        deferred: () => ({ entry: 1 }),
      },
      rowsOf: (wallet: string) => of(wallet).rows,
      comparisons: () => [
        {
          instance: 'range',
          use: '/bots/range2.ts',
          state: 'running',
          reason: null,
          until: null,
          counts: { shadow: { intents: 7, denied: 1 } },
          same: 2,
          parted: 3,
          shadow: { netPnl: 8 },
          live: undefined,
        },
      ],
    } as unknown as BlockSources;

    const all = readPositions(sources);
    const isSpot = ({ symbol }: { symbol: string }): boolean => symbol.includes('/');
    const stopsOf = (wallet: string, symbol: string): number[] =>
      of(wallet)
        .rows.filter(
          (one) =>
            one.symbol === symbol &&
            one.watch_kind === 'leg' &&
            one.kind === 'stop_loss' &&
            one.status === 'armed',
        )
        .flatMap(({ trigger_price }) => (trigger_price === null ? [] : [trigger_price]));
    expect(all.filter(isSpot)).toEqual(
      WALLETS.flatMap((wallet) =>
        of(wallet).spots.map(({ symbol, size, price, entryPrice, unrealizedPnl, standing }) => {
          // A holding is long: a stop is reached from above.
          const stops = price === undefined ? [] : stopsOf(wallet, symbol);
          const stop = stops.length === 0 ? null : Math.max(...stops);
          return {
            wallet,
            symbol,
            side: 'long',
            size,
            entry_price: entryPrice ?? null,
            mark_price: price ?? null,
            notional: price === undefined ? null : size * price,
            unrealized_pnl: unrealizedPnl ?? null,
            liquidation_price: null,
            stop_price: stop,
            stop_distance: stop === null ? null : Math.abs(stop - price!) / price!,
            uncovered: 0,
            uncovered_since: null,
            owner: standing.kind === 'owned' ? 'range' : null,
            ownership: standing.kind,
          };
        }),
      ),
    );
    const positions = all.filter((one) => !isSpot(one));
    const expected = WALLETS.flatMap((wallet) =>
      of(wallet).positions.map((held0) => ({ wallet, ...held0 })),
    );
    expect(positions.map(({ wallet, symbol }) => [wallet, symbol])).toEqual(
      expected.map(({ wallet, symbol }) => [wallet, symbol]),
    );
    for (const [
      at,
      { wallet, symbol, side, size, entry_price, mark_price },
    ] of expected.entries()) {
      const mark = markOf(symbol)?.price ?? mark_price;
      const stops = stopsOf(wallet, symbol);
      // A long is stopped from above, a short from below.
      const stop =
        stops.length === 0 ? null : side === 'long' ? Math.max(...stops) : Math.min(...stops);
      const spell = spells.find((one) => one.wallet === wallet && one.symbol === symbol);
      const { kind } = standingOf(wallet, symbol);
      expect(positions[at]).toMatchObject({
        mark_price: mark,
        notional: size * mark,
        stop_price: stop,
        stop_distance: stop === null ? null : Math.abs(stop - mark) / mark,
        uncovered: spell === undefined ? 0 : 2 - spell.covered,
        uncovered_since: spell?.since ?? null,
        owner: kind === 'owned' ? 'trend' : null,
        ownership: kind,
      });
      const gain = side === 'long' ? mark - entry_price : entry_price - mark;
      expect(positions[at]!.unrealized_pnl).toBeCloseTo(size * gain, 9);
      if (stops.length > 1) tried.take('several stops');
      if (spell !== undefined) tried.take('uncovered');
    }

    const known = WALLETS.filter((wallet) => of(wallet).isKnown);
    expect(readWallets(sources)).toMatchObject(
      known.map((wallet) => {
        const { equity } = of(wallet);
        let gross = 0;
        for (const { symbol, size, mark_price } of of(wallet).positions)
          gross += size * (markOf(symbol)?.price ?? mark_price);
        for (const { size, price } of of(wallet).spots) gross += size * (price ?? 0);
        const leverage = gross === 0 ? 0 : equity > 0 ? gross / equity : null;
        return {
          wallet,
          equity,
          leverage,
          day_pnl: null,
          day_loss_limit: limit ?? null,
          day_loss_reached: null,
          fees: 5,
          funding: 6,
        };
      }),
    );

    const times = ['BTC', 'ETH'].map((symbol) => ({ symbol, time: markOf(symbol)?.time }));
    const latest = Math.max(...times.map(({ time }) => time ?? -1));
    const [trend, range] = readStrategies(sources);
    expect(trend).toMatchObject({
      name: 'trend',
      plugin: 'trend.ts',
      life: 'quarantined',
      fault: 'a bug',
      paused: null,
      bar_time: latest < 0 ? null : latest,
      emitted: 5,
      net_pnl: 5,
      stage: null,
      shadow: null,
    });
    if (latest > 0)
      expect(times.filter(({ time }) => time === latest).map(({ symbol }) => symbol)).toContain(
        trend!.bar_symbol,
      );
    expect(range).toMatchObject({
      plugin: 'a-package',
      life: 'running',
      fault: null,
      paused: 'why',
      stage: 'shadow',
      bar_time: markOf('SOL')?.time ?? null,
      shadow: { plugin: 'range2.ts', intents: 7, denied: 1, net_pnl: 8, live_pnl: 0 },
    });
    expect(readBudget(sources, 1_780_000_000_400)).toMatchObject({
      used: 1,
      limit: 2,
      allowance: 3,
      peak: 4,
      held_until:
        heldForMs === 0 ? null : 1_780_000_000_000 + 1_000 * Math.ceil((400 + heldForMs) / 1_000),
    });
  });
  if (isFull) expect(tried.rare(['several stops', 'uncovered'], 20)).toEqual([]);
});

test('a feed has the price, the close and the length of its newest bar, whatever the time is', () => {
  const marks: Record<string, object> = {
    BTC: { price: 61_000, time: 120_000, intervalMs: 60_000 },
    ETH: { price: 3_000, time: 3_600_000, intervalMs: 3_600_000 },
  };
  const sources = {
    bot: { instant: 7_300_000, mark: (symbol: string) => marks[symbol] },
    symbols: ['ETH', 'SOL', 'BTC'],
  } as unknown as Parameters<typeof readFeeds>[0];
  expect(readFeeds(sources)).toEqual([
    { symbol: 'ETH', price: 3_000, close_time: 3_600_000, interval_ms: 3_600_000 },
    { symbol: 'SOL', price: null, close_time: null, interval_ms: null },
    { symbol: 'BTC', price: 61_000, close_time: 120_000, interval_ms: 60_000 },
  ]);
});
