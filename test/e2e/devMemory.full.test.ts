import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { pluginTemplate } from '../../src/cli/project/initTemplates.ts';
import { openDevWorkshop, startDev } from './startDev.ts';

const workshop = openDevWorkshop('dev-memory');
afterAll(() => workshop.close());

/** Of a module, which no reload may leave behind: a leak of 200 would be 800 MB. */
const TABLE = 'export const table = new Float64Array(500_000).fill(1);\n';

/** Two threads take turns, so that memory goes up and down with them; a leak would lift the lows. */
test.skipIf(process.platform !== 'linux')(
  '200 reloads leave no memory behind',
  async () => {
    const dev = await startDev(workshop);
    await dev.aboutRun(1);
    const megabytes = (): number =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${dev.child.pid}/status`, 'utf8'))![1]) /
      1_024;
    const lows: number[] = [];
    for (let run = 2; run <= 201; run++) {
      workshop.write('strategies/firstPlugin.ts', `${pluginTemplate}${TABLE}// ${run}\n`);
      await dev.until(`\nrun ${run} `);
      const at = Math.floor((run - 2) / 50);
      lows[at] = Math.min(lows[at] ?? Infinity, megabytes());
    }
    process.stdout.write(
      `Lowest megabytes of each 50 reloads: ${lows.map(Math.round).join(', ')}\n`,
    );
    expect(lows[3]! - lows[1]!).toBeLessThan(100);
  },
  300_000,
);
