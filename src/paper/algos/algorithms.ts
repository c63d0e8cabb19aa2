import type { AlgoId } from '../../contract/index.ts';
import type { Algo } from './Algo.ts';
import type { Execution } from './Execution.ts';
import { flowband } from './flowband.ts';
import { flowscale } from './flowscale.ts';
import { ghostsweep } from './ghostsweep.ts';
import { glidemaker } from './glidemaker.ts';
import { pacemaker } from './pacemaker.ts';
import { smartexit } from './smartexit.ts';

/** The six algorithms by their identifier (EXE-1). Each keeps its own state and launch types. */
const ALGORITHMS: Readonly<Record<AlgoId, Algo>> = {
  glidemaker: glidemaker as Algo,
  pacemaker: pacemaker as Algo,
  ghostsweep: ghostsweep as Algo,
  flowscale: flowscale as Algo,
  flowband: flowband as Algo,
  smartexit: smartexit as Algo,
};

export function algorithm(id: AlgoId): Algo {
  return ALGORITHMS[id];
}

export function algoOf(execution: Execution): Algo {
  return ALGORITHMS[execution.record.algo];
}
