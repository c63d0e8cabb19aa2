import { styleText } from 'node:util';

const LEVELS: Readonly<Record<number, string>> = {
  20: styleText('gray', 'debug'),
  30: styleText('green', 'info '),
  40: styleText('yellow', 'warn '),
  50: styleText('red', 'error'),
};

/** A JSON log line as people read it: `12:34:56 info  message key=value`. */
export function formatLogLine(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const clock = new Date(Number(time)).toISOString().slice(11, 19);
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${show(value)}`);
  const label = LEVELS[Number(level)] ?? String(level);
  return `${clock} ${label} ${String(msg)} ${styleText('gray', rest.join(' '))}`.trimEnd() + '\n';
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /[\s"=]/.test(text) ? JSON.stringify(text) : text;
}
