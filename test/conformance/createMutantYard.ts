import { spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { applyEdit } from '../mutate/Patch.ts';
import { root } from '../sourceFiles.ts';
import type { Mutation } from './mutations.ts';

export interface Mutant {
  baseUrl: string;
  wsUrl: string;
  keyId: string;
  secret: string;
  stop(): Promise<void>;
}

/** A copy of the sources in which rules are broken one at a time, and services are started. */
export interface MutantYard {
  /** null: the copy as it is. */
  start(mutation: Mutation | null): Promise<Mutant>;
  close(): Promise<void>;
}

/** Runs inside the copy: the service over generated tapes, its address and key on stdout. */
const START = `import { createLiveEnv } from './src/env/index.ts';
import { paperSettings, startPaperServer } from './src/paper/index.ts';
import { withOutages, madeTape } from './tapes.ts';
const feeds = [madeTape('BTC', 60_000, 8_000), withOutages(madeTape('xyz:GAPS', 250, 8_000))];
const settings = paperSettings.parse({
  feeds: feeds.map(({ symbol }) => ({ symbol, interval: '1m', generate: {} })),
  paused: true,
  port: 0,
  budget_clock: 'replay',
});
const server = await startPaperServer({ settings, data: { feeds, funding: {} } }, createLiveEnv());
const { baseUrl, wsUrl, keyId, secret } = server;
console.log(JSON.stringify({ baseUrl, wsUrl, keyId, secret }));
`;

export async function createMutantYard(): Promise<MutantYard> {
  const yard = await mkdtemp(join(tmpdir(), 'trimtab-mutants-'));
  await cp(join(root, 'src'), join(yard, 'src'), { recursive: true });
  await cp(join(root, 'package.json'), join(yard, 'package.json'));
  await symlink(join(root, 'node_modules'), join(yard, 'node_modules'));
  await writeFile(join(yard, 'start.ts'), START);
  const tapes = await readFile(join(import.meta.dirname, 'tapes.ts'), 'utf8');
  await writeFile(join(yard, 'tapes.ts'), tapes.replaceAll('../../src/', './src/'));

  return {
    async start(mutation) {
      const restore = mutation === null ? async () => {} : await mutate(yard, mutation);
      const child = spawn(process.execPath, ['start.ts'], {
        cwd: yard,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      try {
        return { ...(await readyLine(child)), stop: () => end(child) };
      } finally {
        // It has read its sources by now.
        await restore();
      }
    },
    close: () => rm(yard, { recursive: true, force: true }),
  };
}

/** Breaks the rule; returns a function that restores it. The text must occur exactly once in the source. */
async function mutate(yard: string, { file, from, to }: Mutation): Promise<() => Promise<void>> {
  const path = join(yard, 'src/paper', file);
  const source = await readFile(path, 'utf8');
  await writeFile(path, applyEdit(source, file, { from, to }));
  return () => writeFile(path, source);
}

async function readyLine(child: ChildProcess): Promise<Omit<Mutant, 'stop'>> {
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  for await (const line of createInterface({ input: child.stdout! }))
    return JSON.parse(line) as Mutant;
  throw new Error(`The service ended before it was ready:\n${complaints}`);
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
