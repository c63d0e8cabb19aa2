import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Play } from './play.ts';

const ROOT = join(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

/**
 * A test file of this folder as a row of the table: at every byte; a machine that can't mount a small disk
 * fails.
 */
export async function runTests(file: string): Promise<Play> {
  const child = spawn(process.execPath, [VITEST, 'run', `test/chaos/${file}`], {
    cwd: ROOT,
    env: { ...process.env, TRIMTAB_CHAOS: 'full', CI: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      said = (said + part).slice(-4_000);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  const clean: Play = { doubled: [], lost: [], differs: [], kills: [] };
  return code === 0 ? clean : { ...clean, failure: said };
}
