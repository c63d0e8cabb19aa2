import { isValidSize, toValidSize, type InstrumentRecord } from '../contract/index.ts';
import { testRefusal } from './testRefusal.ts';

/**
 * The service fills in steps of the size: a part of a step would be rounded, and seem to have filled.
 *
 * @throws for a size between two steps
 */
export function requireStep(what: string, instrument: InstrumentRecord, size: number): void {
  if (!(size > 0) || isValidSize(size, instrument)) return;
  const { symbol, size_decimals } = instrument;
  const step = (10 ** -size_decimals).toFixed(size_decimals);
  throw testRefusal(
    `${what}: size ${size} of ${symbol} is not a multiple of ${step}, its step.`,
    `Write a whole number of steps, such as ${toValidSize(size, instrument) || step}.`,
  );
}
