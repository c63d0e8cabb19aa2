import { TestScheduler, type RunHelpers } from 'rxjs/testing';
import { expect } from 'vitest';

/** Runs marbles in virtual time; a frame of the diagram that differs fails the test. */
export function marbles(run: (helpers: RunHelpers) => void): void {
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(run);
}
