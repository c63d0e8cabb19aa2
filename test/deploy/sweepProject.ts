import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../sourceFiles.ts';

/** A folder as that of a user who has installed Trimtab: `npx trimtab` is this project's, and there is a bot. */
export interface SweepProject {
  folder: string;
  /** Runs a command of the shell there. */
  run(
    command: string,
    env?: Record<string, string>,
  ): Promise<{ code: number; out: string; err: string }>;
  remove(): void;
}

const BOT = `name: first
link: { kind: paper }
paper:
  feeds:
    - { symbol: BTC, interval: 1h, generate: { seed: 11, bars: 1500, start_price: 61000 } }
  warmup: 300
strategies:
  - { name: first, use: ${join(root, 'strategies/emaTrend.ts')}, symbols: [BTC], params: { interval: 1h } }
`;

export function createSweepProject(): SweepProject {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-shards-')));
  const bin = join(folder, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(join(root, 'bin/trimtab.js'), join(bin, 'trimtab'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  writeFileSync(join(folder, 'bot.yaml'), BOT);
  // The tests' own Node is that of the scripts.
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
  return {
    folder,
    run: (command, env = {}) =>
      new Promise((resolve) => {
        const options = {
          cwd: folder,
          env: { ...process.env, PATH: path, ...env },
          maxBuffer: 1e8,
        };
        execFile('bash', ['-c', command], options, (error, out, err) => {
          const code = error === null ? 0 : Number(error.code ?? 1);
          resolve({ code, out, err });
        });
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
