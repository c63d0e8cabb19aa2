import { nearest } from '../contract/nearest.ts';
import { toFeeSettings } from '../paper/server/feeSettings.ts';
import type { PaperSettings } from '../paper/server/PaperSettings.ts';
import type { Finding } from './Finding.ts';

/** A setting for a symbol without a feed would have no effect: the symbol is misspelt. */
export function unfedSymbols(
  paper: Pick<PaperSettings, 'fees' | 'funding' | 'instruments'>,
  fed: readonly string[],
): Finding[] {
  const bySymbol = {
    fees: toFeeSettings(paper.fees).symbols,
    funding: paper.funding,
    instruments: paper.instruments,
  };
  return Object.entries(bySymbol).flatMap(([section, settings]) =>
    Object.keys(settings).flatMap((symbol): Finding[] => {
      if (fed.includes(symbol)) return [];
      const meant = nearest(symbol, fed);
      const list = `Feeds are of: ${fed.join(', ')}. Remove it, or add a feed.`;
      return [
        {
          code: 'TRIMTAB_CONFIG_NO_FEED',
          path: ['paper', section, symbol],
          reason: `no feed serves the symbol ${symbol}`,
          remedy: meant === null ? list : `Did you mean ${meant}?`,
        },
      ];
    }),
  );
}
