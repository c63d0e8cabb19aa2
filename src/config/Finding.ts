import type { FailureCode } from '../contract/index.ts';
import type { KeyPath } from './ConfigFault.ts';

/** What a check across keys found; the loader adds file and place. */
export interface Finding {
  code: FailureCode;
  path: KeyPath;
  reason: string;
  remedy: string;
}
