import type { AlgoId } from '../../contract/index.ts';
import type { Algo } from './Algo.ts';
import type { Execution } from './Execution.ts';
import { glidemaker } from './glidemaker.ts';
import { pacemaker } from './pacemaker.ts';

/** The algorithms that this engine runs, by their identifier (EXE-1). */
const ALGORITHMS: Partial<Record<AlgoId, Algo>> = {
  glidemaker: glidemaker as Algo,
  pacemaker: pacemaker as Algo,
};

export function findAlgo(id: AlgoId): Algo | undefined {
  return ALGORITHMS[id];
}

export function algoOf(execution: Execution): Algo {
  const algo = ALGORITHMS[execution.record.algo];
  if (algo === undefined) throw new Error(`${execution.record.algo} was launched unknown.`);
  return algo;
}
