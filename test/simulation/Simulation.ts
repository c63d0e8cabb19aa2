import { createHash } from 'node:crypto';
import { createRandom, TaskQueue, type Random } from '../../src/env/index.ts';
import type { Scenario } from './Scenario.ts';

/** Fails the run: an invariant does not hold. */
export class Violation extends Error {
  override readonly name = 'Violation';
  /** Name of the invariant. */
  readonly invariant: string;

  constructor(invariant: string, detail: string) {
    super(`${invariant}: ${detail}`);
    this.invariant = invariant;
  }
}

/** True time, the run's randomness, and the log of all events. */
export interface Simulation {
  readonly scenario: Scenario;
  /** True time; the service's wall clock reads it. */
  readonly queue: TaskQueue;
  readonly startTime: number;
  /** Milliseconds since the start. */
  elapsed(): number;
  /** A random stream per consumer, so that removing a fault does not shift the others. */
  random(user: string): Random;
  after(delayMs: number, run: () => void): void;
  /** Adds to the digest; with a trace it is kept as text. */
  note(...parts: ReadonlyArray<string | number>): void;
  violate(invariant: string, detail: string): void;
  readonly violations: Violation[];
  readonly trace: readonly string[];
  digest(): string;
}

export function createSimulation(
  scenario: Scenario,
  options: { startTime: number; traced: boolean },
): Simulation {
  const { startTime, traced } = options;
  const queue = new TaskQueue(startTime);
  const hash = createHash('sha1');
  const violations: Violation[] = [];
  const trace: string[] = [];
  const elapsed = (): number => queue.now() - startTime;
  const note = (...parts: ReadonlyArray<string | number>): void => {
    const line = `${elapsed()} ${parts.join(' ')}`;
    hash.update(line);
    if (traced) trace.push(line);
  };
  return {
    scenario,
    queue,
    startTime,
    elapsed,
    random: (user) => createRandom(`${scenario.seed} ${user}`),
    after: (delayMs, run) => void queue.at(queue.now() + Math.max(0, delayMs), run),
    note,
    violate(invariant, detail) {
      note('VIOLATION', invariant, detail);
      violations.push(new Violation(invariant, detail));
    },
    violations,
    trace,
    digest: () => hash.copy().digest('hex'),
  };
}
