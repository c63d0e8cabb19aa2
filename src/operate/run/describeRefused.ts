import type { BotConfig } from '../../config/index.ts';
import { INTERVAL_MS, type Interval } from '../../contract/index.ts';
import { nearest } from '../../contract/nearest.ts';
import { withFullStop } from '../../env/index.ts';
import type { BotEvent, BotPlan } from '../../runtime/index.ts';
import type { StreamFault } from '../../streams/index.ts';
import { placeIn } from './placeIn.ts';

/** Facts that explain a refusal. */
export interface KnownOfBot {
  config: BotConfig;
  plan: BotPlan;
}

export type RefusedFault = Extract<StreamFault, { kind: 'refused' }>;

/** One of the instances that requested it; none if the bot itself did. */
export interface Refused {
  instance: string | undefined;
  text: string;
}

/**
 * Which stream the service refuses, why, and what to do; a line for each instance that requested it:
 * `bot/trend.ts:12:9: strategy trend asks for 5m bars of BTC, which the service refuses: …`.
 */
export function describeRefused(
  fault: RefusedFault,
  askers: Extract<BotEvent, { kind: 'stream_fault' }>['askers'],
  known?: KnownOfBot,
): Refused[] {
  const { message } = fault.error;
  const why = withFullStop(message);
  const remedy = known === undefined ? undefined : remedyFor(fault, known);
  const rest = remedy === undefined ? why : `${why} ${remedy}`;
  if (askers.length === 0) {
    return [{ instance: undefined, text: `The stream ${namesOf(fault)} is refused: ${rest}` }];
  }
  return askers.map(({ instance, stack }) => {
    const file = known?.config.strategies.find(({ name }) => name === instance)?.use ?? instance;
    const place = placeIn(file, stack);
    const where = place === undefined ? file : `${file}:${place}`;
    const asks = `strategy ${instance} asks for ${whatOf(fault)}`;
    return { instance, text: `${where}: ${asks}, which the service refuses: ${rest}` };
  });
}

function namesOf({ subscription: { channel, params } }: RefusedFault): string {
  const asked = Object.entries(params).map(([name, value]) => `${name} ${String(value)}`);
  return [channel, ...asked].join(' ');
}

function whatOf({ subscription: { channel, params } }: RefusedFault): string {
  const { symbol, interval } = params as { symbol: string; interval?: Interval };
  return interval === undefined ? `the ${channel} of ${symbol}` : `${interval} bars of ${symbol}`;
}

/** Bars can be aggregated to longer ones, never split; a symbol may be misspelt. */
function remedyFor({ subscription }: RefusedFault, known: KnownOfBot): string | undefined {
  const { config, plan } = known;
  const { symbol, interval } = subscription.params as { symbol?: string; interval?: Interval };
  if (symbol === undefined) return undefined;
  const listed = plan.instruments.map((instrument) => instrument.symbol);
  if (!listed.includes(symbol)) {
    const meant = nearest(symbol, listed);
    const list = `The service has ${listed.slice(0, MOST_LISTED).join(', ')}.`;
    return meant === null ? list : `Did you mean ${meant}?`;
  }
  if (interval === undefined) return undefined;
  const shortest = plan.markInterval(symbol);
  if (INTERVAL_MS[interval] >= INTERVAL_MS[shortest]) return undefined;
  const longer = `Ask for ${shortest} or longer`;
  if (config.link.kind === 'live') return `${longer}.`;
  const feed = `a feed of ${interval}`;
  return config.link.kind === 'paper'
    ? `${longer}, or give ${symbol} ${feed} in paper.feeds.`
    : `${longer}, or start the paper service with ${feed}: --feed ${symbol}@${interval}=FILE.`;
}

const MOST_LISTED = 20;
