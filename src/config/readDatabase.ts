import type { KeyPath } from './ConfigFault.ts';
import { databaseFault } from './databaseUrl.ts';
import type { Environment } from './environment.ts';
import type { Finding } from './Finding.ts';
import type { SecretReference } from './linkSettings.ts';
import { readSecret } from './readSecret.ts';
import { Secret } from './Secret.ts';

/** The address of a database, read from the place that the file names. */
export async function readDatabase(
  written: string | SecretReference,
  path: KeyPath,
  from: { environment: Environment; directory: string },
): Promise<{ url: Secret } | { findings: Finding[] }> {
  const read = typeof written === 'string' ? { text: written } : await readSecret(written, from);
  if (!('text' in read)) return { findings: [{ code: 'TRIMTAB_CONFIG_SECRET', path, ...read }] };
  const fault = databaseFault(read.text);
  if (fault === undefined) return { url: new Secret(read.text) };
  const remedy = 'Correct what it refers to.';
  return {
    findings: [
      { code: 'TRIMTAB_CONFIG_BAD_VALUE', path, reason: `what it refers to ${fault}`, remedy },
    ],
  };
}
