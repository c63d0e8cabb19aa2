import {
  isValidPrice,
  isValidSize,
  readFieldIssues,
  type InstrumentRecord,
  type ServiceFault,
} from '../../contract/index.ts';
import { effectOf, type Intent } from '../../intents/index.ts';
import type { PipeEvent } from '../PipeEvent.ts';

const RESTART = 'instruments are read at the start, and this one has changed: restart the bot';
/** As services call a number that has too many digits. */
const OF_GRID = /(?:^|_)(?:grid|decimal|precision|tick|step)s?(?:_|$)/;
/** Last names of the paths of what is rounded by an instrument. */
const SIZES = /(?:^|_)size$/;
const PRICES = /(?:^|_)price$|^sweep_limit$|^band_(?:low|high)$/;
const MINIMA: Readonly<Record<string, 'min_order_value' | 'algo_min_value' | undefined>> = {
  below_order_minimum: 'min_order_value',
  below_algo_minimum: 'algo_min_value',
};

/**
 * Names the cause of a rejection that the instrument does not explain as it was when the bot started: prices and sizes
 * are rounded by it until a restart, so that each order would be rejected.
 */
export function explainChange(
  event: PipeEvent,
  instrumentOf: (symbol: string) => InstrumentRecord | undefined,
): PipeEvent {
  const { state, fault, emission } = event;
  if (state !== 'rejected' || fault === undefined) return event;
  const instruments = effectOf(emission.intent).symbols.map(instrumentOf);
  const isChanged = instruments.some(
    (one) => one !== undefined && (hasOtherMinimum(fault, one) || isOnGrid(fault, emission, one)),
  );
  return isChanged ? { ...event, reason: `${event.reason ?? fault.message}; ${RESTART}` } : event;
}

function hasOtherMinimum({ code, details }: ServiceFault, instrument: InstrumentRecord): boolean {
  const kind = MINIMA[code];
  const minimum = details?.['minimum'];
  return kind !== undefined && typeof minimum === 'number' && minimum !== instrument[kind];
}

/** The service finds a number off the grid that is on it by what is known. */
function isOnGrid(
  { code, details }: ServiceFault,
  { intent }: { intent: Intent },
  instrument: InstrumentRecord,
): boolean {
  if (code !== 'validation_failed' || !('request' in intent)) return false;
  return readFieldIssues(details).some(({ path, code: of }) => {
    const names = path.split('.');
    const value = names.reduce<unknown>(fieldOf, intent.request);
    if (!OF_GRID.test(of) || typeof value !== 'number') return false;
    if (SIZES.test(names.at(-1)!)) return isValidSize(value, instrument);
    return PRICES.test(names.at(-1)!) && isValidPrice(value, instrument);
  });
}

const fieldOf = (from: unknown, name: string): unknown =>
  (from as Readonly<Record<string, unknown>> | undefined)?.[name];
