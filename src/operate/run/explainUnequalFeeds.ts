import { INTERVAL_MS } from '../../contract/index.ts';
import { DAY_MS } from '../../contract/durations.ts';
import { timeText, type Feed } from '../../paper/index.ts';

interface Replayed {
  feeds: readonly Feed[];
  /** Of the trading, epoch milliseconds. */
  from: number;
  until: number;
  /** Bars of each feed that are history when trading begins. */
  warmup: number;
}

const SHARE = 0.01;

interface Ends {
  name: string;
  begin: number;
  end: number;
  intervalMs: number;
}

/**
 * That feeds begin or end apart, by more than a day or 1 % of their span: a run begins where all have begun, and goes on
 * after one has ended. Empty where neither shortens the run.
 */
export function explainUnequalFeeds({ feeds, from, until, warmup }: Replayed): string[] {
  const all = feeds.filter(({ time }) => time.length > 0).map(endsOf);
  if (all.length < 2) return [];
  const first = Math.min(...all.map(({ begin }) => begin));
  const last = Math.max(...all.map(({ end }) => end));
  const longest = Math.max(...all.map(({ intervalMs }) => intervalMs));
  const apart = Math.max(longest, Math.min(DAY_MS, SHARE * (last - first)));
  const late = all.reduce((one, other) => (other.begin > one.begin ? other : one));
  const early = all.find(({ begin }) => begin === first)!;
  const notes: string[] = [];
  // A range that begins later loses nothing by it.
  const decides = from <= late.begin + (warmup + 1) * longest;
  if (late.begin - first > apart && decides)
    notes.push(
      `feeds: ${late.name} begins ${timeText(late.begin)} UTC, and ${early.name} ${timeText(first)}: ` +
        'the run begins where all have begun.',
    );
  const whole = all.find(({ end }) => end === last)!;
  for (const { name, end } of all) {
    if (last - end <= apart || end >= until) continue;
    notes.push(
      `feeds: ${name} ends ${timeText(end)} UTC, and ${whole.name} ${timeText(last)}: ` +
        'the run goes on without bars of the first.',
    );
  }
  return notes;
}

function endsOf({ symbol, interval, time }: Feed): Ends {
  const intervalMs = INTERVAL_MS[interval];
  const end = time.at(-1)! + intervalMs;
  return { name: `${symbol}@${interval}`, begin: time[0]!, end, intervalMs };
}
