import type { ReportIntent } from '../../src/operate/report/index.ts';
import { formatTime } from '../../src/operate/index.ts';

/** The first intent in which two runs differ, by time, kind, symbol and outcome; undefined if there is none. */
export function describeParting(
  before: readonly ReportIntent[],
  now: readonly ReportIntent[],
): string | undefined {
  const count = Math.max(before.length, now.length);
  for (let at = 0; at < count; at++) {
    const [was, is] = [before[at], now[at]].map(inWords);
    if (was !== is) return `the first that differs: ${is ?? 'none'}; before: ${was ?? 'none'}`;
  }
  return undefined;
}

function inWords(intent: ReportIntent | undefined): string | undefined {
  if (intent === undefined) return undefined;
  const { time, strategy, kind, symbol, outcome } = intent;
  return `${formatTime(time)} ${strategy} ${kind} ${symbol} (${outcome})`;
}
