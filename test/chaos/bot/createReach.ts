import { writeSync } from 'node:fs';
import type { Boundary } from '../boundaries.ts';
import type { Armed, ChaosLine } from './ChaosOrders.ts';

/** Counts the passages of each boundary, and ends the process at the one that it is armed for. */
export interface Reach {
  /** @returns whether this passage is the last one: the caller does what it must, and dies */
  arrives(boundary: Boundary): boolean;
  /** Dies here, if this is the passage. */
  reach(boundary: Boundary): void;
  die(boundary: Boundary): never;
  readonly passages: Readonly<Partial<Record<Boundary, number>>>;
}

export const say = (line: ChaosLine): void => void writeSync(1, `${JSON.stringify(line)}\n`);

export function createReach(armed: Armed | null): Reach {
  const passages: Partial<Record<Boundary, number>> = {};
  const arrives = (boundary: Boundary): boolean => {
    const passage = (passages[boundary] ?? 0) + 1;
    passages[boundary] = passage;
    return armed?.boundary === boundary && armed.passage === passage;
  };
  /** SIGKILL of one's own process is delivered before the call returns: no handler, no flush. */
  const die = (boundary: Boundary): never => {
    say({ kind: 'dies', boundary });
    process.kill(process.pid, 'SIGKILL');
    throw new Error('The process outlived its SIGKILL.');
  };
  return {
    arrives,
    reach(boundary) {
      if (arrives(boundary)) die(boundary);
    },
    die,
    passages,
  };
}
