import { INTERVALS, type Interval } from '../../contract/index.ts';
import type { PlannedStrategy } from '../../runtime/index.ts';
import { InvalidRequestError, NotFoundError, type Client } from '../../wire/index.ts';
import type { Ask } from './createStartReads.ts';

/** The finest interval that the service serves of each symbol: the source of the symbol's marks. */
export async function readMarkIntervals(
  client: Client,
  ask: Ask,
  strategies: readonly PlannedStrategy[],
): Promise<Map<string, Interval>> {
  const found = new Map<string, Interval>();
  for (const symbol of new Set(strategies.flatMap(({ symbols }) => symbols))) {
    for (const interval of INTERVALS) {
      if (!(await ask(() => isServed(client, symbol, interval)))) continue;
      found.set(symbol, interval);
      break;
    }
  }
  return found;
}

async function isServed(client: Client, symbol: string, interval: Interval): Promise<boolean> {
  try {
    await client.market.candles({ symbol, query: { interval, limit: 1 } });
    return true;
  } catch (error) {
    // Only the service's own response counts: a proxy's 404 would leave the symbol without its finest
    // interval. An unknown symbol has its own message when the instruments are read.
    const isRefused = error instanceof InvalidRequestError || error instanceof NotFoundError;
    if (isRefused) return false;
    throw error;
  }
}
