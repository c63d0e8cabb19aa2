import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../sourceFiles.ts';

export interface CliResult {
  code: number | null;
  out: string;
  err: string;
}

export interface CliOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Program to run instead of this project's own. */
  bin?: string;
}

/** Runs the built command line in a separate process, as a user does. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { cwd = root, env = process.env, bin = join(root, 'bin/trimtab.js') } = options;
  const child = spawn(process.execPath, [bin, ...args], { cwd, env });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

/** The hash that a run prints at its end. */
export const hashOf = ({ out }: CliResult): string | undefined => /^hash: (\S+)$/m.exec(out)?.[1];
