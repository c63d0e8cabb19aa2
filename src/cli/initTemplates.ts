/**
 * The files of `trimtab init`: a plugin that trades a replay in under 40 lines, and a bot that runs it.
 */
export const pluginTemplate = `import { map, merge, share } from 'rxjs';
import { closePosition, defineStrategy, placeOrder, stopLoss } from 'trimtab';
import { crossesOver, crossesUnder, ema, whenFlat, whenOpen, withIndicators } from 'trimtab';
import { z } from 'zod';

const stop_loss = stopLoss.trail({ pct: 2, interval: '5m' });
const fast = (row: { fast: number }): number => row.fast;
const slow = (row: { slow: number }): number => row.slow;
const bars = z.object({
  fast: z.int().min(2).default(10).describe('Bars of the fast average.'),
  slow: z.int().min(3).default(30).describe('Bars of the slow average.'),
});

export default defineStrategy({
  name: 'first-plugin',
  contract: 1,
  description: 'Buys when a fast average crosses above a slow one, sells when it falls back.',
  scopes: ['trade'],
  params: bars.refine((p) => p.fast < p.slow, { path: ['fast'], error: 'must be below slow' }),
  warmup: ({ slow }) => slow * 3,
  setup: (ctx) => {
    const indicators = { fast: ema(ctx.params.fast), slow: ema(ctx.params.slow) };
    const rows$ = ctx.candles(ctx.symbol, '5m').pipe(withIndicators(indicators), share());
    const entries$ = rows$.pipe(
      crossesOver(fast, slow),
      whenFlat(ctx.position(ctx.symbol)),
      map(({ bar }) => {
        const size = ctx.instrument(ctx.symbol).roundSize(ctx.capital() / 2 / bar.close);
        return placeOrder.market({ symbol: ctx.symbol, side: 'buy', size, stop_loss });
      }),
    );
    const exits$ = rows$.pipe(
      crossesUnder(fast, slow),
      whenOpen(ctx.position(ctx.symbol)),
      map(() => closePosition.atMarket(ctx.symbol)),
    );
    return merge(entries$, exits$);
  },
});
`;

/** @param schemaPath where editors find the schema, from the file's own directory */
export function botTemplate(schemaPath: string): string {
  return `# yaml-language-server: $schema=${schemaPath}
#
# A bot on the embedded paper service. Paths are relative to this file.

name: first-bot

link:
  kind: paper

paper:
  feeds:
    # 3,000 made bars, of which 500 are history. Your own: { symbol: BTC, interval: 1m, path: btc.csv.gz }
    - { symbol: BTC, interval: 1m, generate: { seed: 7, bars: 3000 } }
  balance: 10000 # USDC
  speed: max
  budget_clock: replay

strategies:
  - name: first
    use: ./strategies/firstPlugin.ts
    symbols: [BTC]
    params: { fast: 10, slow: 30 }

# What breaks one of these is denied before anything is sent. Amounts in USD.
guards:
  max_order_notional: 10000
  max_leverage: 2
  daily_loss_limit: 500
  # Seconds that a position may stand without a stop before entries end; a live bot must say it.
  max_uncovered_seconds: off

journal:
  path: ./var/first-bot.sqlite

report: ./reports/first-bot.html
`;
}
