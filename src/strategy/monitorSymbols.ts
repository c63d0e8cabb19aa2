import type { MonitorRecord } from '../contract/index.ts';

/** The symbols that a monitor watches or trades. */
export function monitorSymbols({ trigger, action }: MonitorRecord): string[] {
  const { request } = action as { request?: { symbol?: unknown } };
  return [(trigger as { symbol?: unknown }).symbol, request?.symbol].filter(
    (symbol) => typeof symbol === 'string',
  );
}
