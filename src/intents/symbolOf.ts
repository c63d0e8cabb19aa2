import type { Intent } from './Intent.ts';

/** The symbol that an intent names; empty if it names none, or several. */
export function symbolOf(intent: Intent): string {
  if ('symbol' in intent && typeof intent.symbol === 'string') return intent.symbol;
  const request = 'request' in intent ? intent.request : undefined;
  if (request === undefined || request === null || !('symbol' in request)) return '';
  return typeof request.symbol === 'string' ? request.symbol : '';
}
