import { formatPath, type ConfigFault } from './ConfigFault.ts';
import type { Finding } from './Finding.ts';
import type { Places } from './toFaults.ts';

/** The fault of a finding, with its file and location. */
export function findingFault({ code, path, reason, remedy }: Finding, places: Places): ConfigFault {
  return { code, ...places.ofValue(path), path: formatPath(path), value: null, reason, remedy };
}
