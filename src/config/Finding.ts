import type { FailureCode } from '../contract/index.ts';
import type { KeyPath } from './ConfigFault.ts';

/** A fault found by a check across keys; the loader adds file and location. */
export interface Finding {
  code: FailureCode;
  path: KeyPath;
  reason: string;
  remedy: string;
}
