import { statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { currentRotation } from './test/rotation.ts';

// For the files of tests, and for the closing line; what belongs to which tier depends on it.
process.env['TRIMTAB_TESTS_ROTATION'] = String(currentRotation());
// `npm test` says `--mode=part`, `npm run test:rest` says `--mode=rest`.
const mode = process.argv.find((argument) => /^--mode=(part|rest)$/.test(argument));
if (mode !== undefined) process.env['TRIMTAB_TESTS'] ??= mode.slice('--mode='.length);
const { COMMAND, FULL, LEFT_OUT, PROGRAM, REPLACING } = await import('./test/tiers.ts');
// Hundreds of processes and threads are started from the same sources: compiled once, they start in half the time.
process.env['NODE_COMPILE_CACHE'] ??= join(
  import.meta.dirname,
  'node_modules/.cache/trimtab/compiled',
);
// Journals wait for the disk at each append. Memory, where there is enough of it, answers at once and
// holds the same promises to a process that is killed.
const MEMORY = '/dev/shm';
if (freeBytes(MEMORY) > 4 * 2 ** 30) process.env['TMPDIR'] ??= MEMORY;

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** Node runs the sources as they are, as it does for users: nothing is transformed, and nothing can be replaced. */
const NATIVE = {
  execArgv: ['--conditions=trimtab-source'],
  experimental: { viteModuleRunner: false, nodeLoader: false },
};

export default defineConfig({
  resolve: { conditions: ['trimtab-source'] },
  ssr: { resolve: { conditions: ['trimtab-source'] } },
  test: {
    globalSetup: './test/startPostgres.ts',
    setupFiles: './test/drawOfCommit.ts',
    // One more than there are cores: what starts programs waits for them half of its time.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A process or a socket of a busy machine may need more than the default of a second.
    expect: { poll: { timeout: 20_000 } },
    reporters: [process.stdout.isTTY ? 'default' : 'dot', './test/closingLine.ts'],
    projects: [
      {
        extends: true,
        test: {
          ...NATIVE,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...COMMAND, ...PROGRAM, ...REPLACING, ...FULL, ...LEFT_OUT],
          // They change nothing that another file sees: what one has loaded serves the next.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { ...NATIVE, name: 'command', include: COMMAND, exclude: LEFT_OUT, isolate: false },
      },
      {
        extends: true,
        test: {
          ...NATIVE,
          name: 'program',
          include: PROGRAM,
          exclude: [...REPLACING, ...FULL, ...LEFT_OUT],
        },
      },
      {
        extends: true,
        test: {
          ...NATIVE,
          name: 'replacing',
          include: REPLACING,
          exclude: LEFT_OUT,
          experimental: { viteModuleRunner: false, nodeLoader: true },
        },
      },
      { extends: true, test: { ...NATIVE, name: 'full', include: FULL } },
    ],
  },
});
