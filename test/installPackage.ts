import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { read, root } from './sourceFiles.ts';

const run = promisify(execFile);

/** npm and npx of a shell may start an older Node; this puts the one under test first. */
export const npmEnv: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
  npm_config_loglevel: 'error',
};

/** What a strict project compiles with that has nothing but the package, rxjs and zod. */
export const COMPILER_OPTIONS = {
  target: 'es2024',
  // rxjs and zod name URL and setTimeout; of Node's own types there are none.
  lib: ['es2024', 'dom'],
  types: [],
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: false,
};

const OLDER = { alias: 'older-typescript', version: '5.9.3' };
/** To be installed beside the package, for those who look for the older one below. */
export const OLDER_TYPESCRIPT = `${OLDER.alias}@npm:typescript@${OLDER.version}`;

/** The folder of the older TypeScript in a project. */
export const olderTypescriptOf = (project: string): string =>
  join(project, 'node_modules', OLDER.alias);

/** TypeScript by version, as the compiler's program: the older one of a project, and this project's own. */
export const compilersOf = (project: string): Record<'5.9' | '7', string> => ({
  '5.9': join(olderTypescriptOf(project), 'bin/tsc'),
  '7': join(root, 'node_modules/typescript/bin/tsc'),
});

interface Manifest {
  exports: Record<string, string | { types: string }>;
  peerDependencies: Record<'rxjs' | 'zod', string>;
  devDependencies: Record<'rxjs' | 'zod' | 'vitest', string>;
}
export const manifest = JSON.parse(read('package.json')) as Manifest;

const oldest = (name: 'rxjs' | 'zod'): string =>
  /^\^(\d+\.\d+\.\d+)$/.exec(manifest.peerDependencies[name])![1]!;
/** What a user has of rxjs and zod: the ends of the ranges that the package takes. */
export const PEERS = {
  oldest: [`rxjs@${oldest('rxjs')}`, `zod@${oldest('zod')}`],
  newest: [`rxjs@${manifest.devDependencies.rxjs}`, `zod@${manifest.devDependencies.zod}`],
};

/** Packs the existing `dist`, without a build; returns the tarball's path. */
export async function packBuilt(into: string): Promise<string> {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', into];
  const { stdout } = await run('npm', args, { cwd: root, env: npmEnv, maxBuffer: 2 ** 26 });
  return join(into, (JSON.parse(stdout) as [{ filename: string }])[0].filename);
}

/** Installs packages in an empty project, which it makes. */
export async function installPackage(
  project: string,
  packages: readonly string[],
  type: 'module' | 'commonjs' = 'module',
): Promise<void> {
  mkdirSync(project, { recursive: true });
  const own = { name: 'mine', private: true, type };
  writeFileSync(join(project, 'package.json'), JSON.stringify(own));
  const flags = ['--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...flags, ...packages], { cwd: project, env: npmEnv });
}
