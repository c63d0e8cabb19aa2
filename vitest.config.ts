import { execFileSync } from 'node:child_process';
import { defineConfig } from 'vitest/config';
import { FULL, PROGRAM } from './test/tiers.ts';

/** What rotates moves on with every commit, or with the day where there is no history. */
function rotation(): string {
  const given = process.env['TRIMTAB_TESTS_ROTATION'];
  if (given !== undefined) return given;
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore'];
    return execFileSync('git', ['rev-list', '--count', 'HEAD'], { encoding: 'utf8', stdio }).trim();
  } catch {
    return String(Math.floor(Date.now() / 86_400_000));
  }
}
// For the files of tests, and for the closing line.
process.env['TRIMTAB_TESTS_ROTATION'] = rotation();

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
