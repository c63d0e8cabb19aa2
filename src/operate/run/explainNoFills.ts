import { countUntil, type Feed } from '../../paper/index.ts';

interface Unfilled {
  /** What the run came to. */
  totals: { fills: number; intents: { accepted: number } };
  feeds: readonly Feed[];
  /** Of the trading, epoch milliseconds. */
  from: number;
  until: number;
}

/** Why nothing was filled although the service accepted, as far as the tape says; undefined where something was. */
export function explainNoFills({ totals, feeds, from, until }: Unfilled): string | undefined {
  const { accepted } = totals.intents;
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

function hasVolume({ time, volume }: Feed, from: number, until: number): boolean {
  for (let row = countUntil(time, from - 1); row < time.length && time[row]! <= until; row++) {
    if (volume[row]! > 0) return true;
  }
  return false;
}
