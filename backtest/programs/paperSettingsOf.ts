import { withCode } from '../../src/contract/index.ts';
import {
  describeFeedProblem,
  loadMarketData,
  paperSettings,
  type MarketData,
  type PaperSettings,
  type PaperSettingsInput,
} from '../../src/paper/index.ts';
import { explainNothingToReplay } from '../../src/operate/run/index.ts';
import type { FeedInput } from './FeedInput.ts';
import { readFeeds } from './readFeeds.ts';

/** The settings of a configuration's section `paper`, with feeds of this process too. */
export type VenueOptions = Omit<PaperSettingsInput, 'feeds' | 'state'> & {
  feeds: readonly FeedInput[];
};

/**
 * Settings and market data of a venue.
 *
 * @throws Error with the field, its value and what it must be; for a file with its line
 */
export async function paperSettingsOf(
  options: VenueOptions,
  defaults: Partial<PaperSettingsInput>,
): Promise<{ settings: PaperSettings; data: MarketData }> {
  const { settings: feeds, known } = readFeeds(options.feeds);
  const checked = paperSettings.safeParse({ ...defaults, ...options, feeds });
  if (!checked.success) {
    const faults = checked.error.issues.map(({ path, message }) =>
      [placeOf(path), message].filter((text) => text !== '').join(': '),
    );
    throw withCode('TRIMTAB_USAGE', new Error(faults.join('\n')));
  }
  const data = await loadMarketData(checked.data, '.', known);
  if (!data.ok)
    throw withCode('TRIMTAB_DATA_REFUSED', new Error(describeFeedProblem(data.problem)));
  const nothing = explainNothingToReplay(data.value.feeds, checked.data.warmup);
  if (nothing !== undefined)
    throw withCode('TRIMTAB_TAPE_NOTHING_TO_TRADE', new Error(nothing.replace('paper.', '')));
  return { settings: checked.data, data: data.value };
}

/** `feeds[0].interval` */
function placeOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (place, key) =>
      typeof key === 'number' ? `${place}[${key}]` : `${place}${place && '.'}${String(key)}`,
    '',
  );
}

/** @throws TypeError for what is no object */
export function requireVenueOptions(options: unknown): void {
  if (typeof options === 'object' && options !== null) return;
  throw withCode('TRIMTAB_USAGE', new TypeError('There are no options; give { feeds: [ … ] }.'));
}
