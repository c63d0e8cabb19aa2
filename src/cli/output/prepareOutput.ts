import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Option } from 'commander';
import { reasonOf } from '../../env/index.ts';
import { overwriteRefusal, explainUnwritable, type OutputKind } from '../../operate/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';

/** As value of `--json`: standard output. */
export const STDOUT = '-';

/** For every command that writes a file. */
export const forceOption = (): Option =>
  new Option('--force', 'overwrite files that are not Trimtab outputs as well');

/**
 * Called before the work: an unwritable file should not waste a run, and a run should not destroy a file.
 * An output of the same kind is overwritten.
 *
 * @param what the flag or the configuration key that names it
 * @param options.force overwrites anything; null if the command has no such flag
 * @throws CommandFailure with flag, file, reason and remedy
 */
export function prepareOutput(
  what: string,
  file: string,
  { kind, force = false }: { kind: OutputKind; force?: boolean | null },
): void {
  const reason = explainUnwritable(file);
  if (reason !== null) throw unwritable(what, file, reason);
  const foreign = force === true ? null : lookAt(what, file, kind);
  if (foreign === null) return;
  const other = 'Name another file, or move this one away';
  const remedy = force === null ? other : `${other}; --force overwrites it`;
  throw new CommandFailure(
    'TRIMTAB_OUTPUT_EXISTS',
    `${what}: ${file} is not overwritten: ${foreign}.\n  ${remedy}.`,
  );
}

function lookAt(what: string, file: string, kind: OutputKind): string | null {
  try {
    return overwriteRefusal(file, kind);
  } catch (error) {
    // A file that is writable but not readable can't be identified.
    throw unwritable(what, file, `what it holds can't be read (${reasonOf(error)})`);
  }
}

const unwritable = (what: string, file: string, reason: string): CommandFailure =>
  new CommandFailure('TRIMTAB_OUTPUT_UNWRITABLE', `${what}: ${file} can't be written: ${reason}`);

/**
 * Of two outputs at one path the later destroys the earlier.
 *
 * @param outputs each by its flag, or what it is, and its file; one that is not asked for has none
 * @throws CommandFailure naming both
 */
export function requireDistinct(
  outputs: ReadonlyArray<readonly [what: string, file: string | null | undefined]>,
): void {
  const taken = new Map<string, string>();
  for (const [what, file] of outputs) {
    const path = file === null || file === undefined ? null : fileOf(file);
    if (path === null) continue;
    const other = taken.get(path);
    if (other !== undefined)
      throw new CommandFailure(
        'TRIMTAB_USAGE',
        `${other} and ${what} are the same file, ${file}.\n  Name another one for ${other}.`,
      );
    taken.set(path, what);
  }
}

/** Null for what holds nothing that a second output could destroy: a device such as /dev/null, a pipe. */
function fileOf(file: string): string | null {
  if (file === STDOUT) return null;
  const place = placeOf(file);
  try {
    return statSync(place).isFile() ? place : null;
  } catch {
    return place;
  }
}

/** One file may have several names, by symbolic links in its path. */
function placeOf(file: string): string {
  const path = resolve(file);
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(placeOf(folder), basename(path));
  }
}
