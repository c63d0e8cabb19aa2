import { INTERVAL_MS } from '../../contract/index.ts';
import { DAY_MS } from '../../contract/durations.ts';
import { timeText, type Feed, type Stretch } from '../../paper/index.ts';

const SHARE = 0.01;
const count = new Intl.NumberFormat('en-US');

/**
 * That a feed lacks bars within a run: more than 1 % of them, or more than a day in one piece. Venues leave out bars
 * without trades, so that a gap is no fault, and figures of a tape with holes look like any others.
 */
export function explainGaps(feeds: readonly Feed[], run: Stretch): string[] {
  return feeds.flatMap((feed) => gapsOf(feed, run));
}

function gapsOf({ symbol, interval, time }: Feed, { from, until }: Stretch): string[] {
  const step = INTERVAL_MS[interval];
  const bars = time.length;
  // Most have none, which two of their times tell.
  if (bars < 2 || (time[bars - 1]! - time[0]!) / step === bars - 1) return [];
  const isWithin = (open: number): boolean => open >= from && open < until;
  let present = isWithin(time[0]!) ? 1 : 0;
  let missing = 0;
  let longest = { bars: 0, from: 0 };
  for (let at = 1; at < bars; at++) {
    const [before, now] = [time[at - 1]!, time[at]!];
    // By what of the gap is within the run.
    const begin = Math.max(before + step, from);
    const lacks = Math.max(0, Math.round((Math.min(now, until) - begin) / step));
    missing += lacks;
    if (lacks > longest.bars) longest = { bars: lacks, from: begin };
    if (isWithin(now)) present++;
  }
  if (missing <= SHARE * (present + missing) && longest.bars * step <= DAY_MS) return [];
  return [
    `${symbol}@${interval} lacks ${count.format(missing)} of ${count.format(present + missing)} bars, ` +
      `the most in one piece ${count.format(longest.bars)} from ${timeText(longest.from)} UTC: ` +
      'nothing is decided or filled on what is missing.',
  ];
}
