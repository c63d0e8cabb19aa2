import { INTERVAL_MS } from '../../contract/index.ts';
import type { PaperSettings } from '../../paper/index.ts';

/** The bar length of the finest feed, which is one step of the replay. */
export function stepMsOf({ feeds }: Pick<PaperSettings, 'feeds'>): number {
  return Math.min(...feeds.map(({ interval }) => INTERVAL_MS[interval]));
}
