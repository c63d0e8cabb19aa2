import { INTERVAL_MS } from '../../contract/index.ts';
import type { PaperSettings } from '../../paper/index.ts';

/** The bar of the finest feed: what a step of the replay is. */
export function stepMsOf({ feeds }: Pick<PaperSettings, 'feeds'>): number {
  return Math.min(...feeds.map(({ interval }) => INTERVAL_MS[interval]));
}
