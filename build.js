/**
 * `npm run build`: compiles into `dist`, then removes what an earlier build left there and this one did not
 * write. Nothing that a program of `dist` needs is away meanwhile, nor after a build with faults.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = import.meta.dirname;
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const TOLD = 'TSFILE: ';

/** The files that the compiler wrote; what else it says goes to the terminal. */
function compile(config) {
  const pretty = String(process.stdout.isTTY ?? false);
  const args = [
    compiler,
    '--project',
    join(root, config),
    '--listEmittedFiles',
    '--pretty',
    pretty,
  ];
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  const words = lines.filter((line) => !line.startsWith(TOLD));
  if (words.length > 0) process.stdout.write(`${words.join('\n')}\n`);
  if (status !== 0) process.exit(status ?? 1);
  return lines.flatMap((line) =>
    line.startsWith(TOLD) ? [resolve(line.slice(TOLD.length).trim())] : [],
  );
}

const written = new Set(['tsconfig.build.json', 'tsconfig.types.json'].flatMap(compile));
for (const entry of readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  if (entry.isFile() && !written.has(file)) rmSync(file);
}
