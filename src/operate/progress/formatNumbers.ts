const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const money = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

export function formatWhole(value: number): string {
  return whole.format(value);
}

/** A count with its noun: `1 point`, `1,200 points`. */
export function formatCount(count: number, one: string): string {
  return `${formatWhole(count)} ${count === 1 ? one : `${one}s`}`;
}

/** Quote units with cents; a rounded zero has no minus. */
export function formatMoney(value: number): string {
  const text = money.format(value);
  return text === '-0.00' ? '0.00' : text;
}

/** With this number of decimals; a rounded zero has no minus here either. */
export function formatFixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : text;
}

/** With its sign always: `+12.30`. */
export function formatGain(value: number): string {
  const text = formatMoney(value);
  return value > 0 && text !== '0.00' ? `+${text}` : text;
}

/** Epoch ms → `2025-01-04 12:20` (UTC). */
export function formatTime(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}

/** Milliseconds → `45 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.ceil(durationMs / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
