import { relative, resolve } from 'node:path';
import type { OutputKind } from '../../operate/index.ts';
import { prepareOutput, STDOUT } from './prepareOutput.ts';
import { say } from './say.ts';
import { writeOutput } from './writeOutput.ts';

/**
 * Where `--json` writes: a file, examined before the work as every output, or standard output.
 *
 * @throws CommandFailure with flag, file, reason and remedy
 */
export function prepareJson<F extends string | undefined>(
  file: F,
  how: { kind: OutputKind; force: boolean },
): F | string {
  if (file === undefined || file === STDOUT) return file;
  const path = resolve(file);
  prepareOutput('--json', path, how);
  return path;
}

/** @param name of the output, for the line that says where it is */
export async function writeJson(name: string, file: string, text: string): Promise<void> {
  if (file === STDOUT) return say(text.endsWith('\n') ? text : `${text}\n`);
  await writeOutput(file, text);
  process.stdout.write(`${name}: ${relative(process.cwd(), file)}\n`);
}

/** Where a command's text goes beside its `--json`. */
export const besideJson = (file: string | undefined): NodeJS.WritableStream =>
  file === STDOUT ? process.stderr : process.stdout;
