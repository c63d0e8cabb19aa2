import { Option } from 'commander';
import type { Refusal } from '../../runtime/index.ts';
import { CommandFailure } from './CommandFailure.ts';

/** Events on which a pipeline can fail. */
export const FAIL_ON = ['rejected', 'denied', 'uncovered'] as const;
export type FailOn = (typeof FAIL_ON)[number];

/** Exit code of a complete run that is not a success. */
const NO_SUCCESS = 3;

export const failOnOption = (): Option =>
  new Option('--fail-on <what...>', `end with ${NO_SUCCESS} where there was any of it`).choices([
    ...FAIL_ON,
  ]);

/** The figures by which a run is evaluated. */
export interface RunResultCounts {
  totals: {
    intents: Readonly<Record<'emitted' | 'denied' | 'accepted' | 'rejected' | 'unknown', number>>;
    uncovered?: { total_seconds: number };
  };
  /** Most frequent first. */
  refusals: readonly Refusal[];
}

/**
 * Fails a run of which every intent was refused. In a table alone that looks like a quiet strategy. An
 * unknown intent may have been accepted.
 *
 * @throws CommandFailure with the most frequent reason
 */
export function requireAccepted({ totals: { intents }, refusals }: RunResultCounts): void {
  if (intents.emitted === 0 || intents.accepted > 0 || intents.unknown > 0) return;
  const [first] = refusals;
  const why =
    first === undefined ? '' : `\n  Most often (${first.count}), ${first.cause}: ${first.example}`;
  const all = intents.emitted === 1 ? 'The one intent' : `None of the ${intents.emitted} intents`;
  const was = intents.emitted === 1 ? 'was not accepted' : 'was accepted';
  throw new CommandFailure('TRIMTAB_RUN_NOTHING_ACCEPTED', `${all} ${was}.${why}`, NO_SUCCESS);
}

/** @throws CommandFailure if an event occurred that `--fail-on` names */
export function failOnAny(
  { totals, refusals }: RunResultCounts,
  failOn: readonly FailOn[] = [],
): void {
  const found = failOn.flatMap((what) => {
    const count =
      what === 'uncovered' ? (totals.uncovered?.total_seconds ?? 0) : totals.intents[what];
    return count > 0 ? [`${what}: ${Math.ceil(count)}${what === 'uncovered' ? ' s' : ''}`] : [];
  });
  if (found.length === 0) return;
  const [first] = refusals;
  const why = first === undefined ? '' : `\n  Most often, ${first.cause}: ${first.example}`;
  throw new CommandFailure(
    'TRIMTAB_RUN_FAIL_ON',
    `--fail-on ${failOn.join(' ')}: there was ${found.join(', ')}.${why}`,
    NO_SUCCESS,
  );
}
