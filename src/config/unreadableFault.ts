import type { ConfigFault } from './ConfigFault.ts';

/** The fault of a whole file: it can't be read, or lacks the expected content. */
export function unreadableFault(file: string, reason: string, remedy: string): ConfigFault {
  return {
    code: 'TRIMTAB_CONFIG_UNREADABLE',
    file,
    place: null,
    path: '',
    value: null,
    reason,
    remedy,
  };
}
