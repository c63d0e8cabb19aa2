import { Option } from 'commander';
import type { Refusal } from '../runtime/index.ts';
import { CommandFailure } from './CommandFailure.ts';

/** What a pipeline may want to fail on. */
export const FAIL_ON = ['rejected', 'denied', 'uncovered'] as const;
export type FailOn = (typeof FAIL_ON)[number];

/** A run that went to its end and is no success all the same. */
const NO_SUCCESS = 3;

export const failOnOption = (): Option =>
  new Option('--fail-on <what...>', `end with ${NO_SUCCESS} where there was any of it`).choices([
    ...FAIL_ON,
  ]);

/** The figures that a run is judged by. */
export interface JudgedRun {
  totals: {
    intents: Readonly<Record<'emitted' | 'denied' | 'accepted' | 'rejected' | 'unknown', number>>;
    uncovered?: { total_seconds: number };
  };
  /** Most frequent first. */
  refusals: readonly Refusal[];
}

/**
 * Refuses a run of which nothing came: what was proposed was refused, all of it. In a table alone that looks like
 * a quiet strategy. What is unknown may have been accepted.
 *
 * @throws CommandFailure with the commonest reason
 */
export function requireAccepted({ totals: { intents }, refusals }: JudgedRun): void {
  if (intents.emitted === 0 || intents.accepted > 0 || intents.unknown > 0) return;
  const [first] = refusals;
  const why =
    first === undefined ? '' : `\n  Most often (${first.count}), ${first.cause}: ${first.example}`;
  const all = intents.emitted === 1 ? 'The one intent' : `None of the ${intents.emitted} intents`;
  const was = intents.emitted === 1 ? 'was not accepted' : 'was accepted';
  throw new CommandFailure('TRIMTAB_RUN_NOTHING_ACCEPTED', `${all} ${was}.${why}`, NO_SUCCESS);
}

/** @throws CommandFailure where anything happened that `--fail-on` names */
export function failOnAny({ totals, refusals }: JudgedRun, failOn: readonly FailOn[] = []): void {
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
