import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { currentRotation } from './test/rotation.ts';
import { FULL, PROGRAM } from './test/tiers.ts';

// For the files of tests, and for the closing line.
process.env['TRIMTAB_TESTS_ROTATION'] = String(currentRotation());
// Hundreds of processes and threads are started from the same sources: compiled once, they start in half the time.
process.env['NODE_COMPILE_CACHE'] ??= join(
  import.meta.dirname,
  'node_modules/.cache/trimtab/compiled',
);

export default defineConfig({
  resolve: { conditions: ['trimtab-source'] },
  ssr: { resolve: { conditions: ['trimtab-source'] } },
  test: {
    globalSetup: './test/startPostgres.ts',
    // Else one core of two would stand still.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: [process.stdout.isTTY ? 'default' : 'dot', './test/closingLine.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...PROGRAM, ...FULL],
          // They change nothing that another file sees: what one has loaded serves the next.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'program', include: PROGRAM, exclude: FULL } },
      { extends: true, test: { name: 'full', include: FULL } },
    ],
  },
});
