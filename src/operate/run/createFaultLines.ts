import type { BotConfig } from '../../config/index.ts';
import type { Log } from '../../env/index.ts';
import { strategyFailureCode, type StrategyFault } from '../../strategy/index.ts';
import { placeOfFault } from './placeIn.ts';

/**
 * Writes faults of strategies. One that emits a malformed intent emits it at each bar: the first of a kind has its
 * line, later ones are counted, and the count is written at 10, 100, 1,000.
 */
export function createFaultLines(
  log: Log,
  config: BotConfig | undefined,
): (fault: StrategyFault) => void {
  const counts = new Map<string, number>();
  return (fault) => {
    const { instance, kind, reason, code: cause_code } = fault;
    const fields = {
      code: strategyFailureCode(fault),
      cause_code,
      strategy: instance,
      fault: kind,
    };
    const count = (counts.get(kindOf(fault)) ?? 0) + 1;
    counts.set(kindOf(fault), count);
    if (kind === 'malformed_intent' && count > 1) {
      const level = Number.isInteger(Math.log10(count)) ? 'error' : 'debug';
      return log[level](`Strategy ${instance}: ${count} times so far: ${reason}`, {
        ...fields,
        count,
      });
    }
    const file = config?.strategies.find(({ name }) => name === instance)?.use;
    const place = file === undefined ? undefined : placeOfFault(file, fault.stack);
    return log.error(`Strategy ${instance}: ${wordsOf(fault)}`, { ...fields, place });
  };
}

/** A strategy that goes on as if it had decided nothing is no obvious fault. What can't be read may have been an exit. */
function wordsOf({ kind, isExit, reason }: StrategyFault): string {
  if (kind !== 'malformed_intent') return reason;
  const what =
    isExit === true
      ? 'what may be an exit was malformed and is not sent'
      : 'an intent was malformed and is not sent';
  return `${what}; correct it in the plugin: ${reason}`;
}

/** The same fields with the same faults, whatever the values: those differ at each bar. */
function kindOf({ instance, kind, isExit, fields = [] }: StrategyFault): string {
  const faults = fields.map(({ path, code }) => `${path.replaceAll(/\d+/g, '#')} ${code}`);
  return [instance, kind, String(isExit), ...faults].join('\n');
}
