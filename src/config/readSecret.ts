import { stat } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { UnboundedFileError, readRegularText } from '../env/index.ts';
import type { Environment } from './environment.ts';
import type { SecretReference } from './linkSettings.ts';

/**
 * The content, or why it could not be read, with the name of the variable or file and never its content.
 */
export type SecretRead = { text: string } | { reason: string; remedy: string };

/** Permissions of group and others: a secret file must have none. */
const OTHERS = 0o077;
/**
 * In the service manager's directory, the group's right to read is allowed: newer systemd gives the
 * service access by an ACL, and `stat` shows its mask there (0440), although the group may read nothing.
 */
const BEYOND_GROUP_READ = 0o037;
/** Longer than any key or token. */
const MAX_BYTES = 2 ** 16;

export async function readSecret(
  reference: SecretReference,
  from: { environment: Environment; directory: string },
): Promise<SecretRead> {
  if ('env' in reference) return readVariable(reference.env, from.environment);
  const credentials = credentialsDirectory(from.environment);
  // A credential's name has no folder: './key' is always the file beside the configuration.
  const isName = basename(reference.file) === reference.file;
  const beside = resolve(from.directory, reference.file);
  if (credentials === undefined && isName && !(await exists(beside))) return absent(beside);
  if (credentials === undefined || !isName) return readSecretFile(beside);
  const credential = join(credentials, reference.file);
  // What the service manager hands to this service precedes a file that was left beside the configuration.
  if (await exists(credential)) return readSecretFile(credential, BEYOND_GROUP_READ);
  if (await exists(beside)) return readSecretFile(beside);
  return {
    reason: `neither the file ${beside} nor a credential of that name in ${credentials} ($CREDENTIALS_DIRECTORY) exists`,
    remedy: `Give the service the credential (LoadCredential= in its unit), or create the file with the value alone, then: chmod 600 ${beside}`,
  };
}

/** A file that is not there, where no service manager has handed over anything: this shell may not be the unit's. */
function absent(path: string): SecretRead {
  const name = basename(path);
  return {
    reason: `the file ${path} does not exist`,
    remedy:
      `Create it with the value alone, then: chmod 600 ${path}\n` +
      `  If it is a credential of a systemd unit, start this by the unit, or by systemd-run with LoadCredential=${name}:PATH (docs/how-to/deploy.md).`,
  };
}

/** Where a service manager puts the credentials of this service (systemd.exec(5)), if it does. */
function credentialsDirectory({ CREDENTIALS_DIRECTORY: path }: Environment): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/** A file that can't be looked at is taken to exist, so that reading it names the reason. */
async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
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

async function readSecretFile(path: string, denied = OTHERS): Promise<SecretRead> {
  try {
    const { mode } = await stat(path);
    if (process.platform !== 'win32' && (mode & denied) !== 0) {
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
