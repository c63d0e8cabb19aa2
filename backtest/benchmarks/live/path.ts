import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare, type ComparisonResult, type Contender } from '../harness.ts';
import { startServer, type BenchServer } from '../startServer.ts';
import { openBot } from './openBot.ts';
import { openBareLog, openFloor, openJournalLog } from './openFloor.ts';

const PATHS = 150;
const ALL = ['/floor', '/journal', '/bot'];
/** One and a half times the floor's median, as a ratio of the harness: higher is better. */
const GOAL = 1 / 1.5;
const NANOSECONDS = 1e9;

/**
 * From a frame on a real socket to the signed request on the wire, both measured at the peer; one at a
 * time, as bars arrive. The floor writes, signs and sends the same with nothing in between.
 */
export async function benchLivePath(): Promise<ComparisonResult[]> {
  const folder = mkdtempSync(join(process.env['BENCH_DISK'] ?? tmpdir(), 'trimtab-bench-'));
  const server = await startServer(new URL('./serveLine.ts', import.meta.url));
  const bot = await openBot(server.port, join(folder, 'bot.sqlite'));
  const bare = openBareLog(join(folder, 'bare.sqlite'));
  const journal = openJournalLog(join(folder, 'journal.sqlite'));
  const floors = [
    await openFloor(server.port, '/floor', bare),
    await openFloor(server.port, '/journal', journal),
  ];
  const runOf = createTurns(server, bot.params);
  await bot.settled();
  const before = bot.appends;
  await onePath(server, '/bot', bot.params);
  await bot.settled();
  const appends = bot.appends - before;
  const results = await compare({
    name: `live/path: frame in → signed request out (${appends} durable appends a launch)`,
    contenders: [
      { name: 'ws, SQLite, HMAC, undici', run: runOf('/floor') },
      { name: 'ws, our journal, HMAC, undici', run: runOf('/journal') },
      { name: 'trimtab', run: runOf('/bot'), goal: GOAL },
    ],
    rounds: 9,
    warmUps: 1,
  });
  await bot.close();
  for (const floor of floors) await floor.close();
  server.stop();
  rmSync(folder, { recursive: true });
  return results;
}

async function onePath(server: BenchServer, path: string, params: object): Promise<number> {
  const { nanoseconds } = await server.ask({ path, params });
  return Number(nanoseconds);
}

/**
 * Runs all paths in turn, so that other load on disk and processor affects all alike; the later
 * contenders of a round return what was measured with its first.
 */
function createTurns(server: BenchServer, params: object): (path: string) => Contender['run'] {
  const measured = new Map<string, number[]>();
  const measure = async (): Promise<void> => {
    for (const path of ALL) measured.set(path, []);
    for (let index = 0; index < PATHS; index++) {
      for (const path of ALL) measured.get(path)!.push(await onePath(server, path, params));
    }
  };
  return (path) => async () => {
    if (!measured.has(path)) await measure();
    const times = measured.get(path)!.toSorted((a, b) => a - b);
    measured.delete(path);
    const at = (share: number): number => times[Math.floor(times.length * share)]!;
    return { '1/median s': NANOSECONDS / at(0.5), '1/p99 s': NANOSECONDS / at(0.99) };
  };
}
