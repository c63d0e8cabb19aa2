import { join } from 'node:path';
import { concatMap, ignoreElements, merge, tap } from 'rxjs';
import { defineStrategy, modifyOrder, placeOrder } from 'trimtab';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { defaultDialect } from '../../src/contract/index.ts';
import { loadMarketData, paperSettings, type MarketData } from '../../src/paper/index.ts';
import { EXTRACTS } from '../data/places.ts';
import { runDirect, runPaced, runSockets, type ParityRun, type ParityTape } from './runParity.ts';

const file = (kind: string): string =>
  join(EXTRACTS, `trades_l2/HYPERLIQUID-BTC-20250904-${kind}.csv.gz`);

/** Ten thousand orders over sockets. */
vi.setConfig({ testTimeout: 300_000 });

/** Minutes of the recording that are traded; all before them is history. */
const MINUTES = 4;
const SIDES = ['buy', 'sell'] as const;

/** Quotes both sides at the best price, moves both with each price, and replaces filled quotes. */
const marketMaker = defineStrategy({
  name: 'market-maker',
  contract: 1,
  description: 'For a test.',
  scopes: ['trade'],
  params: z.object({}),
  setup: (ctx) => {
    const quotes = { buy: '', sell: '' };
    let count = 0;
    const quote = (side: (typeof SIDES)[number], price: number) => {
      if (quotes[side] !== '') return modifyOrder({ ref: quotes[side] }, { price });
      quotes[side] = `${side}-${++count}`;
      const order = { symbol: 'BTC', side, size: 0.001, price };
      return placeOrder.limit(order, { ref: quotes[side] });
    };
    const quotes$ = ctx
      .price('BTC')
      .pipe(
        concatMap(({ bid, ask }) => SIDES.map((side) => quote(side, side === 'buy' ? bid : ask))),
      );
    // One quote a side: a fill, or an end of any other kind, makes room for the next.
    const filled$ = ctx.fills$.pipe(
      tap(({ side }) => (quotes[side === 'buy' ? 'buy' : 'sell'] = '')),
    );
    const ended$ = ctx.outcomes$.pipe(
      tap(({ state, intent }) => {
        if (!['denied', 'rejected', 'expired', 'absent'].includes(state)) return;
        for (const side of SIDES) {
          const ref = intent.kind === 'modify_order' ? intent.order : intent;
          if ('ref' in ref && ref.ref === quotes[side]) quotes[side] = '';
        }
      }),
    );
    return merge(merge(filled$, ended$).pipe(ignoreElements()), quotes$);
  },
});

/** What was earned, quote units: cash, fees, and what is left at the last price. */
function earned({ fills }: ParityRun, lastPrice: number): number {
  let [cash, position] = [0, 0];
  for (const { side, price, size, fee } of fills) {
    const signed = side === 'buy' ? size : -size;
    cash -= signed * price + fee;
    position += signed;
  }
  return cash + position * lastPrice;
}

describe('a market maker on recorded trades and book', () => {
  let data: MarketData;
  const feed = { symbol: 'BTC', interval: '1m', trades: file('trades'), book: file('l2book20') };
  beforeAll(async () => {
    const loaded = await loadMarketData(paperSettings.parse({ feeds: [feed] }), '.');
    if (!loaded.ok) throw new Error('The recording can not be read.');
    data = loaded.value;
  });

  const tape = (latency: Record<string, number> = {}): ParityTape => ({
    data,
    settings: {
      feeds: [{ symbol: 'BTC', interval: '1m', generate: {} }],
      warmup: data.feeds[0]!.time.length - MINUTES,
      tier: 'elite',
      fill_on_touch: true,
      latency,
    },
    budgetLimit: defaultDialect.budget.elite,
    guards: {},
    members: [{ strategy: marketMaker, symbols: ['BTC'], wallet: 'main' }],
  });
  const result = (run: ParityRun) => {
    const lastPrice = data.feeds[0]!.close.at(-1)!;
    return { fills: run.fills.length, earned: earned(run, lastPrice) };
  };

  test('trades identically at full speed, with and without sockets, with and without latency', async () => {
    for (const latency of [{}, { order_ms: 250, cancel_ms: 250, data_ms: 50 }]) {
      const [direct, sockets] = [await runDirect(tape(latency)), await runSockets(tape(latency))];
      expect(JSON.stringify(direct)).toBe(JSON.stringify(sockets));
      // Quotes sent at bar ends would move once a minute.
      expect(direct.intents.length).toBeGreaterThan(MINUTES * 60);
      expect(direct.fills.length).toBeGreaterThan(10);
    }
  });

  test('earns the same at a real-time pace, within the effect of latency', async () => {
    const paced = result(await runPaced(tape(), 20));
    const delays = [0, 500, 1_000, 2_000, 5_000];
    const stepped = [];
    for (const order_ms of delays) stepped.push(result(await runDirect(tape({ order_ms }))));
    const band = (values: number[], slack: number) => [
      Math.min(...values) - slack,
      Math.max(...values) + slack,
    ];
    const [least, most] = band(
      stepped.map((each) => each.earned),
      0.5,
    );
    expect(paced.earned).toBeGreaterThan(least!);
    expect(paced.earned).toBeLessThan(most!);
    const fills = stepped.map((each) => each.fills);
    // A clock's latency differs from one order to the next, so that some are filled more often.
    const [fewest, mostFills] = band(fills, 0.15 * Math.max(...fills));
    expect(paced.fills).toBeGreaterThan(fewest!);
    expect(paced.fills).toBeLessThan(mostFills!);
  });
});
