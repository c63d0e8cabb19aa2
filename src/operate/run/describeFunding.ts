import { HOUR_MS } from '../../contract/durations.ts';
import { counted } from '../../env/index.ts';
import {
  DEFAULT_FUNDING_RATE,
  fundingSpan,
  percentHint,
  timeText,
  uncoveredStretches,
  type MarketData,
  type Stretch,
} from '../../paper/index.ts';
import { isSpot } from '../../runtime/index.ts';

export interface FundingWords {
  text: string;
  /** False if a file lacks settlements of the run, where nothing is charged, or its rates seem to be in percent. */
  isWhole: boolean;
}

/** For a file with many gaps the first ones are enough. */
const MOST_STRETCHES = 3;

const rateText = (rate: number, intervalMs: number): string => {
  const hours = intervalMs / HOUR_MS;
  return `${hours === 1 ? 'hourly' : `every ${hours} hours`} at ${Number((rate * 100).toPrecision(6))} %`;
};

const HOURLY = rateText(DEFAULT_FUNDING_RATE, HOUR_MS);

/** The source of each symbol's funding, and the parts of a run that its file lacks. */
export function describeFunding(
  { feeds, funding }: Pick<MarketData, 'feeds' | 'funding'>,
  run: Stretch,
): FundingWords[] {
  const named = Object.entries(funding);
  // Spot holdings pay no funding.
  const perps = feeds.map(({ symbol }) => symbol).filter((symbol) => !isSpot(symbol));
  if (perps.length === 0) return [{ text: 'Spot pays no funding.', isWhole: true }];
  if (named.length === 0) return [{ text: `Funding is ${HOURLY}.`, isWhole: true }];
  const words = named.map(([symbol, rates]): FundingWords => {
    if (!feeds.some((feed) => feed.symbol === symbol)) {
      return { text: `Funding of ${symbol}: set, but no feed is of ${symbol}.`, isWhole: false };
    }
    if (isSpot(symbol)) {
      return { text: `Funding of ${symbol} is set, but spot pays none.`, isWhole: true };
    }
    if ('constantRate' in rates) {
      const text = `Funding of ${symbol} is ${rateText(rates.constantRate, rates.intervalMs)}, as it is set.`;
      return { text, isWhole: true };
    }
    const { from, until } = fundingSpan(rates);
    const file = `Funding of ${symbol} is from its file, ${timeText(from)} to ${timeText(until)} UTC`;
    const uncovered = uncoveredStretches(rates, run);
    const hint = percentHint(rates.rate);
    const doubt = hint === null ? '' : `; ${hint}`;
    if (uncovered.length === 0) {
      return { text: `${file}, which covers the run${doubt}.`, isWhole: hint === null };
    }
    const missing = uncovered.reduce((sum, { settlements }) => sum + settlements, 0);
    const shown = uncovered.slice(0, MOST_STRETCHES).map(stretchText);
    const more = uncovered.length - shown.length;
    if (more > 0) shown.push(`${more} more`);
    const text = `${file}; it lacks ${counted(missing, 'settlement')} of the run, for which nothing is charged: ${shown.join(', ')}${doubt}.`;
    return { text, isWhole: false };
  });
  const without = [...new Set(perps)].filter((symbol) => funding[symbol] === undefined);
  if (without.length === 0) return words;
  const text = `Funding of ${without.join(', ')} is ${HOURLY}: no file is given for it.`;
  return [...words, { text, isWhole: true }];
}

const stretchText = ({ from, until }: Stretch): string => `${timeText(from)} to ${timeText(until)}`;
