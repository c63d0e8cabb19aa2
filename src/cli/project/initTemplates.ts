/**
 * The files of `trimtab init`: a plugin that trades a replay in under 40 lines, its test, and a bot that runs it.
 */
export const pluginTemplate = `import { map, merge } from 'rxjs';
import { closePosition, crossesOver, crossesUnder, defineStrategy, ema } from 'trimtab';
import { placeOrder, shareRows, stopLoss, whenFlat, whenOpen, withIndicators } from 'trimtab';
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
    const rows$ = ctx.candles(ctx.symbol, '5m').pipe(withIndicators(indicators), shareRows());
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

/** For vitest, which the project brings. */
export const testTemplate = `import { test } from 'vitest';
import { assertIntents, testStrategy } from 'trimtab/testing';
import plugin from './firstPlugin.ts';

/** A bot that has seen prices fall: the fast average is below the slow one. */
function start() {
  const falling = Array.from({ length: 12 }, (_none, bar) => 120 - bar);
  return testStrategy(plugin, {
    symbols: ['BTC'],
    params: { fast: 2, slow: 4 },
    capital: 10_000,
  }).bars('BTC', '5m', falling, { liveness: 'warm_up' });
}

test('buys for half of its capital when the fast average crosses above the slow one', () => {
  const bot = start().bars('BTC', '5m', [108, 125]);
  assertIntents(bot, [{ kind: 'place_order', request: { side: 'buy', size: 40 } }]);
});

test('closes the position when the fast average falls back', () => {
  const bot = start().bars('BTC', '5m', [108, 125]);
  bot.fill(bot.intents[0]!, { price: 125 }).bars('BTC', '5m', [110, 95]);
  assertIntents(bot, [{ kind: 'place_order' }, { kind: 'close_position', symbol: 'BTC' }]);
});

test('ignores a cross while it has a position', () => {
  const bot = start().position('BTC', { side: 'long', size: 1, entry_price: 100 });
  assertIntents(bot.bars('BTC', '5m', [108, 125]), []);
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
    # 3,000 generated bars, of which 500 are history. Your own: { symbol: BTC, interval: 1m, path: btc.csv.gz }
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
