import { relative } from 'node:path';
import type { WalkedLane, WalkReport } from '../directLink/index.ts';
import { formatWhole } from '../progress/index.ts';
import type { ReportProfile } from '../report/index.ts';
import { placeOfPlugin } from '../run/placeIn.ts';
import type { ProfileSummary } from './summariseProfile.ts';

const MOST_LINES = 12;
/** A reader that takes more than this share of its bars is not looked through. */
const MOST_TAKEN = 0.5;
const KNOWN = 'withIndicators, shareRows, crossesOver and crossesUnder';

/** Where the time of a backtest went, and how its bars were walked. */
export function describeProfile(
  { totalMs, stations, lines }: ProfileSummary,
  walked: WalkReport,
): ReportProfile {
  const { spans, spanned, stepped, lanes } = walked;
  const lengths = spans.flatMap((count, at) =>
    count === 0 ? [] : [{ bars: lengthOf(at), count }],
  );
  const count = spans.reduce((sum, each) => sum + each, 0);
  const walk = `${formatWhole(spanned)} bars in ${formatWhole(count)} spans, ${formatWhole(stepped)} one by one`;
  const readers = lanes.filter(({ bars }) => bars > 0).flatMap((lane) => readersOf(lane, walked));
  return {
    totalMs,
    stations,
    lines: lines.slice(0, MOST_LINES).map(({ place, name, operator, ms }) => {
      const by = operator === undefined ? '' : ` in ${operator}`;
      return { name: `${place}${name === '' ? '' : ` ${name}`}${by}`, ms };
    }),
    spans: lengths,
    walk: [`walked: ${walk}`, ...readers],
  };
}

/** How many bars of a lane went to a plugin, and if most did, to whom. */
function readersOf({ symbol, interval, bars, taken }: WalkedLane, walked: WalkReport): string[] {
  const whole = `${symbol} ${interval}: ${formatWhole(taken)} of ${formatWhole(bars)} bars in spans went to a plugin`;
  if (taken / bars <= MOST_TAKEN) return [whole];
  const readers = walked.readers.filter(
    (reader) => reader.symbol === symbol && reader.interval === interval,
  );
  if (readers.length === 0) return [`${whole}: only ${KNOWN} let a replay look ahead`];
  return [
    whole,
    ...readers.map(({ operator, stack }) => {
      const place = placeOfPlugin(stack);
      const at = place === undefined ? 'a plugin' : relative(process.cwd(), place);
      return `  ${at}: ${operator ?? 'it'} takes each; only ${KNOWN} let a replay look ahead`;
    }),
  ];
}

const lengthOf = (place: number): string =>
  place === 0 ? '1' : `${formatWhole(2 ** place)} to ${formatWhole(2 ** (place + 1) - 1)}`;
