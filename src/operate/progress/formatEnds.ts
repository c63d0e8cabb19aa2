import type { Refusal } from '../../runtime/createRunRecord.ts';
import { formatWhole } from './formatNumbers.ts';

/** What a person should know beside the closing table; a part that says nothing is left out. */
export interface Ends {
  /** Decisions upon warm-up, which are never sent. */
  suppressed?: number;
  refusals: readonly Refusal[];
  /** Positions that are open still, each as a line. */
  positions?: readonly string[];
}

const MOST_REFUSALS = 5;

/** Lines below the closing table: refusals by cause, warm-up, open positions. */
export function formatEnds({ suppressed = 0, refusals, positions = [] }: Ends): string {
  const lines = [
    ...refusals.slice(0, MOST_REFUSALS).map(toLine),
    ...more(refusals.length - MOST_REFUSALS),
    ...(suppressed === 0 ? [] : [`decided in warm-up, not sent: ${formatWhole(suppressed)}`]),
    ...positions.map((position) => `open: ${position}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function toLine({ cause, count, example }: Refusal): string {
  const words = example.startsWith(`${cause}: `) ? example.slice(cause.length + 2) : example;
  return `not accepted, ${cause}: ${formatWhole(count)} (${words})`;
}

const more = (left: number): string[] => (left > 0 ? [`and ${left} more causes`] : []);
