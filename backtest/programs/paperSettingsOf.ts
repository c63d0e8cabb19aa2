import { checkPaper, formatFaults } from '../../src/config/index.ts';
import { defaultDialect, withCode } from '../../src/contract/index.ts';
import { withoutUndefined } from '../../src/contract/withoutUndefined.ts';
import {
  describeFeedProblem,
  loadMarketData,
  type MarketData,
  type PaperSettings,
  type PaperSettingsInput,
} from '../../src/paper/index.ts';
import { explainNothingToReplay } from '../../src/operate/run/index.ts';
import type { FeedInput } from './FeedInput.ts';
import { nameOf, requireLog } from './requireOptions.ts';
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
  call: string,
  options: VenueOptions,
  defaults: Partial<PaperSettingsInput>,
): Promise<{ settings: PaperSettings; data: MarketData }> {
  const { settings: feeds, known } = readFeeds(options.feeds);
  const checked = checkPaper({ ...defaults, ...withoutUndefined(options), feeds }, call);
  if (!checked.ok) throw withCode('TRIMTAB_USAGE', new Error(formatFaults(checked.faults)));
  const { settings } = checked;
  const data = await loadMarketData(settings, '.', known);
  if (!data.ok)
    throw withCode('TRIMTAB_DATA_REFUSED', new Error(describeFeedProblem(data.problem)));
  const nothing = explainNothingToReplay(data.value.feeds, settings.warmup);
  if (nothing !== undefined)
    throw withCode('TRIMTAB_TAPE_NOTHING_TO_TRADE', new Error(nothing.replace('paper.', '')));
  return { settings, data: data.value };
}

/**
 * Checks what is beside the settings.
 *
 * @throws TypeError for what is no object, and for a seed, a log or a dialect that is none
 */
export function requireVenueOptions(call: string, options: unknown): void {
  const refuse = (what: string): never => {
    throw withCode('TRIMTAB_USAGE', new TypeError(`${call}: ${what}`));
  };
  if (typeof options !== 'object' || options === null)
    return refuse('there are no options; give { feeds: [ … ] }.');
  const { feeds, seed = 0, log, dialect } = options as Record<string, unknown>;
  if (feeds === undefined)
    refuse("there are no feeds; give { feeds: ['BTC@1m=btc.csv.gz'] }, or one with bars.");
  if (typeof seed !== 'string' && !Number.isFinite(seed))
    refuse(`seed: ${nameOf(seed)} is neither a number nor a text.`);
  if ('state' in options) refuse('state: only trimtab paper persists one.');
  requireLog(call, log);
  const isDialect = isObject(dialect) && Object.keys(defaultDialect).every((key) => key in dialect);
  if (dialect !== undefined && !isDialect)
    refuse(`dialect: ${nameOf(dialect)} is no dialect; make one with createDialect.`);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
