import type { KeyPath } from './ConfigFault.ts';

/** What a check across keys found; the loader adds file and place. */
export interface Finding {
  path: KeyPath;
  reason: string;
  remedy: string;
}
