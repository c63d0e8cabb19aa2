import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The compile cache of a run's processes, which halves their start time. */
export const COMPILED = { NODE_COMPILE_CACHE: join(tmpdir(), 'trimtab-chaos-compiled') };
