import { styleText } from 'node:util';
import { UTC, type TimeZone } from './timeZone.ts';
import { visibleText } from './visibleText.ts';

const LEVELS: Readonly<Record<number, string>> = {
  20: styleText('gray', 'debug'),
  30: styleText('green', 'info '),
  40: styleText('yellow', 'warn '),
  50: styleText('red', 'error'),
};

/**
 * A JSON log line in readable form: `12:34:56 info  message key=value`. A replay's line has the market
 * time, which is of another day: `2025-01-01 12:34:56 info  message`. Outside of UTC the offset is shown.
 */
export function formatLogLine(line: string, zone: TimeZone = UTC): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const { market_time: market } = fields;
  const isReplayed = typeof market === 'number' && !Number.isNaN(new Date(market).getTime());
  if (isReplayed) delete fields['market_time'];
  const shown = zone.format(isReplayed ? market : Number(time));
  const clock = (isReplayed ? shown.slice(0, 19) : shown.slice(11, 19)) + shown.slice(23);
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${show(value)}`);
  const label = LEVELS[Number(level)] ?? visibleText(String(level));
  const message = visibleText(String(msg));
  return (
    `${clock} ${label} ${message} ${styleText('gray', visibleText(rest.join(' ')))}`.trimEnd() +
    '\n'
  );
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /[\s"=]/.test(text) ? JSON.stringify(text) : text;
}
