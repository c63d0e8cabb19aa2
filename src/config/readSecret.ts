import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UnboundedFileError, readRegularText } from '../env/index.ts';
import type { Environment } from './environment.ts';
import type { SecretReference } from './linkSettings.ts';

/**
 * The content, or why it could not be read, with the name of the variable or file and never its content.
 */
export type SecretRead = { text: string } | { reason: string; remedy: string };

/** Permissions of group and others: a secret file must have none. */
const OTHERS = 0o077;
/** Longer than any key or token. */
const MAX_BYTES = 2 ** 16;

export async function readSecret(
  reference: SecretReference,
  from: { environment: Environment; directory: string },
): Promise<SecretRead> {
  return 'env' in reference
    ? readVariable(reference.env, from.environment)
    : readSecretFile(resolve(from.directory, reference.file));
}

function readVariable(name: string, environment: Environment): SecretRead {
  const text = environment[name]?.trim();
  if (text !== undefined && text !== '') return { text };
  const state = text === undefined ? 'is not set' : 'is empty';
  return {
    reason: `the environment variable ${name} ${state}`,
    remedy: `Set it before the start, for example: read -rs ${name} && export ${name}`,
  };
}

async function readSecretFile(path: string): Promise<SecretRead> {
  try {
    const { mode } = await stat(path);
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      const octal = (mode & 0o777).toString(8).padStart(3, '0');
      return {
        reason: `others may read the file ${path} (its mode is ${octal})`,
        remedy: `Make it yours alone: chmod 600 ${path}`,
      };
    }
    const text = (await readRegularText(path, MAX_BYTES)).trim();
    if (text !== '') return { text };
    return {
      reason: `the file ${path} is empty`,
      remedy: 'Write the value into it, and nothing else.',
    };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    const what = error instanceof UnboundedFileError ? `: ${error.message}` : ` (${code})`;
    const why = code === 'ENOENT' ? 'does not exist' : `can't be read${what}`;
    return {
      reason: `the file ${path} ${why}`,
      remedy: `Create it with the value alone, then: chmod 600 ${path}`,
    };
  }
}
