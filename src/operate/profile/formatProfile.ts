import type { WalkReport } from '../directLink/index.ts';
import { formatColumns, formatWhole, type Align } from '../progress/index.ts';
import type { ProfileSummary } from './summariseProfile.ts';

const ALIGN: readonly Align[] = ['left', 'right', 'right'];
const MOST_LINES = 12;
/** A reader that takes more than this share of its bars is not looked through. */
const MOST_TAKEN = 0.5;

/** Where the time of a backtest went, and how its bars were walked, as text. */
export function formatProfile(summary: ProfileSummary, walked: WalkReport): string {
  return [...stationLines(summary), ...pluginLines(summary), ...walkLines(walked), ''].join('\n');
}

const share = (part: number, whole: number): string =>
  `${((100 * part) / Math.max(whole, 1e-9)).toFixed(1)} %`;

function stationLines({ stations, totalMs }: ProfileSummary): string[] {
  const rows = stations.map(({ name, ms }) => [name, formatWhole(ms), share(ms, totalMs)]);
  return [formatColumns([['where the time went', 'ms', 'share'], ...rows], ALIGN)];
}

function pluginLines({ lines, totalMs }: ProfileSummary): string[] {
  if (lines.length === 0) return [];
  const rows = lines.slice(0, MOST_LINES).map(({ place, name, operator, ms }) => {
    const by = operator === undefined ? '' : ` in ${operator}`;
    return [`${place}${name === '' ? '' : ` ${name}`}${by}`, formatWhole(ms), share(ms, totalMs)];
  });
  return ['', formatColumns([['lines of the plugin', 'ms', 'share'], ...rows], ALIGN)];
}

function walkLines({ stepped, spans, spanned, lanes }: WalkReport): string[] {
  const count = spans.reduce((sum, each) => sum + each, 0);
  const lengths = spans.flatMap((number, at) =>
    number === 0 ? [] : [[lengthOf(at), formatWhole(number)]],
  );
  const head = ['bars in a span', 'spans'];
  const histogram = count === 0 ? [] : ['', formatColumns([head, ...lengths], ['left', 'right'])];
  const readers = lanes
    .filter(({ bars }) => bars > 0)
    .map(({ symbol, interval, bars, taken }) => {
      const whole = `${symbol} ${interval}: ${formatWhole(taken)} of ${formatWhole(bars)} bars in spans went to a plugin`;
      return taken / bars > MOST_TAKEN
        ? `${whole}: read by something else than withIndicators, shareRows, crossesOver or crossesUnder`
        : whole;
    });
  const walk = `walked: ${formatWhole(spanned)} bars in ${formatWhole(count)} spans, ${formatWhole(stepped)} one by one`;
  return [...histogram, '', walk, ...readers];
}

const lengthOf = (place: number): string =>
  place === 0 ? '1' : `${formatWhole(2 ** place)} to ${formatWhole(2 ** (place + 1) - 1)}`;
