import { formatColumns, formatWhole, type Align } from '../progress/index.ts';
import type { ReportProfile } from '../report/index.ts';

const ALIGN: readonly Align[] = ['left', 'right', 'right'];

/** Where the time of a backtest went, and how its bars were walked, as text. */
export function formatProfile({ totalMs, stations, lines, spans, walk }: ReportProfile): string {
  const timed = (title: string, rows: readonly { name: string; ms: number }[]): string =>
    formatColumns(
      [
        [title, 'ms', 'share'],
        ...rows.map(({ name, ms }) => [name, formatWhole(ms), share(ms, totalMs)]),
      ],
      ALIGN,
    );
  const lengths = spans.map(({ bars, count }) => [bars, formatWhole(count)]);
  return [
    timed('where the time went', stations),
    ...(lines.length === 0 ? [] : ['', timed('lines of the plugin', lines)]),
    ...(lengths.length === 0
      ? []
      : ['', formatColumns([['bars in a span', 'spans'], ...lengths], ['left', 'right'])]),
    '',
    ...walk,
    '',
  ].join('\n');
}

const share = (part: number, whole: number): string =>
  `${((100 * part) / Math.max(whole, 1e-9)).toFixed(1)} %`;
