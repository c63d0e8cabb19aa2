import { countUntil } from '../../env/index.ts';
import type { Feed } from '../../paper/index.ts';

interface Unfilled {
  /** What the run came to. */
  totals: { fills: number; intents: { emitted: number; accepted: number } };
  /** Whether a strategy ended, or gave what is no intent: then something else says so. */
  isTroubled: boolean;
  feeds: readonly Feed[];
  /** Of the trading, epoch milliseconds. */
  from: number;
  until: number;
}

/** Why nothing was filled, as far as the tape says; undefined where something was, or something else says why. */
export function explainNoFills(run: Unfilled): string | undefined {
  const { totals, feeds, from, until, isTroubled } = run;
  const { accepted, emitted } = totals.intents;
  if (emitted === 0 && !isTroubled) return SILENCE;
  if (totals.fills > 0 || accepted === 0) return undefined;
  const still = feeds.filter((feed) => !hasVolume(feed, from, until));
  const symbols = [...new Set(still.map(({ symbol }) => symbol))];
  const what = `${accepted} accepted, and nothing was filled`;
  if (symbols.length > 0) {
    return (
      `${what}: no bar of ${symbols.join(', ')} had volume, and a share of it is what fills.\n` +
      '  Give it candles with their volume.'
    );
  }
  return (
    `${what}. The bars had volume, so look at prices: a limit fills where the market trades through it, and a ` +
    'market order within its slippage_bps only, of which 50 is half a percent.'
  );
}

/** A table of zeros looks like a quiet market, and is as often a mistake. */
const SILENCE =
  'No strategy emitted an intent. If that is a surprise: did a bar of each interval that it reads close in this run,\n' +
  '  was its indicator warm, did a filter pass anything? ctx.plot shows a value in the report, and ctx.log.debug with\n' +
  '  --log-level debug in the log.';

function hasVolume({ time, volume }: Feed, from: number, until: number): boolean {
  for (let row = countUntil(time, from - 1); row < time.length && time[row]! <= until; row++) {
    if (volume[row]! > 0) return true;
  }
  return false;
}
