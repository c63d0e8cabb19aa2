import type { BotConfig } from '../config/index.ts';

/**
 * Says on stderr which `--feed` is of a symbol that no strategy trades. A plugin may read such candles; where
 * it is another name for the symbol meant, the bot trades the candles of its configuration as before.
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
