import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['trimtab-source'] },
  ssr: { resolve: { conditions: ['trimtab-source'] } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: './test/startPostgres.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: [process.stdout.isTTY ? 'default' : 'dot', './test/closingLine.ts'],
  },
});
