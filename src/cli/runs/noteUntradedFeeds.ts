import type { BotConfig } from '../../config/index.ts';

/**
 * Warns on stderr of a `--feed` whose symbol no strategy trades. A plugin may read such candles; but if
 * it is a mistaken name, the bot trades the candles of its configuration as before.
 */
export function noteUntradedFeeds(
  feeds: readonly string[] | undefined,
  { strategies }: Pick<BotConfig, 'strategies'>,
): void {
  const traded = [...new Set(strategies.flatMap(({ symbols }) => symbols))];
  for (const feed of feeds ?? []) {
    const [symbol = ''] = feed.split('@');
    if (traded.includes(symbol)) continue;
    const names = traded.join(', ');
    process.stderr.write(`--feed ${feed}: no strategy trades ${symbol}; traded is ${names}.\n`);
  }
}
