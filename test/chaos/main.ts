/**
 * `npm run chaos`: kills, stops and disconnects real processes, then counts the effects on the service. After `--minutes`
 * no further round begins; another `--seed` goes on with others.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolFlags } from '../readToolFlags.ts';
import { openTestDatabase } from '../journal/openTestDatabase.ts';
import { BOUNDARIES, type Boundary } from './boundaries.ts';
import { bundleBot } from './bundleBot.ts';
import { DISTURBANCES } from './disturbances.ts';
import { killRound } from './killRounds.ts';
import { measureRecovery } from './measureRecovery.ts';
import type { Play } from './play.ts';
import { runTests } from './runTests.ts';
import { BUNDLED } from './startBot.ts';
import { startService, type ChaosService } from './startService.ts';
import { formatRow, HEAD, isGood, type Row } from './table.ts';
import { twoOnDatabase, twoOnFile } from './twoInstances.ts';

const values = toolFlags({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: 'chaos' },
    only: { type: 'string' },
    jobs: { type: 'string', default: '6' },
    minutes: { type: 'string' },
  },
  modes: { '': ['rounds', 'seed', 'only', 'jobs', 'minutes'] },
  counts: ['rounds', 'jobs', 'minutes'],
});
const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** A row of the table: the disturbance, and the condition for a round to count. */
interface Scene {
  name: string;
  rounds: number;
  run(service: ChaosService, seed: string): Promise<Play>;
  wasHit(played: Play): boolean;
}

const RECOVERY = '100,000 intents';
const EXITS_WITHIN_MS = 5_000;
/** Programs in it find the libraries. */
const PROGRAMS = join(
  import.meta.dirname,
  '../../node_modules/.cache/trimtab/chaos',
  String(process.pid),
);
const rounds = Number(values.rounds);
const few = Math.ceil(rounds / 4);
const database = await openTestDatabase();
if ('reason' in database) throw new Error(database.reason);
const kill = (boundary: Boundary, databaseUrl?: string) => ({
  rounds,
  run: (service: ChaosService, seed: string) =>
    killRound(service, boundary, { seed, ...(databaseUrl !== undefined && { databaseUrl }) }),
  wasHit: ({ kills }: Play) => kills.includes(boundary),
});
const known: Scene[] = [
  ...BOUNDARIES.map((boundary) => ({ name: boundary, ...kill(boundary) })),
  ...BOUNDARIES.map((boundary) => ({
    name: `${boundary} (PostgreSQL)`,
    ...kill(boundary, database.url),
  })),
  ...Object.entries(DISTURBANCES).map(([name, run]) => ({
    name,
    rounds: few,
    run,
    wasHit: () => true,
  })),
  { name: 'two instances (SQLite)', rounds: few, run: twoOnFile, wasHit: () => true },
  { name: 'two instances (PostgreSQL)', rounds: few, run: twoOnDatabase, wasHit: () => true },
  ...['tornJournal.test.ts', 'fullDisk.test.ts'].map((file) => ({
    name: file,
    rounds: 1,
    run: () => runTests(file),
    wasHit: () => true,
  })),
];
// Names contain commas: one full name, or several.
const chosen = values.only === undefined ? null : chooseScenes(values.only);
const scenes = known.filter(({ name }) => chosen === null || chosen.includes(name));

/** A misspelt name would otherwise run no round and pass. */
function chooseScenes(text: string): string[] {
  const names = [...known.map(({ name }) => name), RECOVERY];
  const wanted = names.includes(text) ? [text] : text.split(',').map((name) => name.trim());
  const strange = wanted.find((name) => !names.includes(name));
  if (strange === undefined) return wanted;
  process.stderr.write(
    `--only ${strange}: there is no such scene. Known:\n  ${names.join('\n  ')}\n`,
  );
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'trimtab-service-'));
process.env[BUNDLED] = await bundleBot(PROGRAMS);
const service = await startService(folder);
const rows = new Map<string, Row>(
  scenes.map(({ name }) => [name, { name, rounds: 0, hits: 0, doubled: 0, lost: 0, wrong: 0 }]),
);

async function playOne(scene: Scene, seed: string): Promise<void> {
  const row = rows.get(scene.name)!;
  const played = await scene.run(service, seed).catch((error: unknown): Play => {
    const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { doubled: [], lost: [], differs: [], kills: [], failure };
  });
  const wasHit = played.failure === undefined && scene.wasHit(played);
  const { doubled, lost, differs, failure } = played;
  row.rounds++;
  row.hits += wasHit ? 1 : 0;
  row.doubled += doubled.length;
  row.lost += lost.length;
  row.wrong += differs.length + (failure === undefined ? 0 : 1);
  for (const text of [
    ...doubled,
    ...lost,
    ...differs,
    ...(failure === undefined ? [] : [failure]),
  ]) {
    print(`  ${scene.name}, --seed ${values.seed}, round ${seed}: ${text}`);
  }
}

/** Alone, after all others: a journal of 100,000 intents, some unanswered. */
async function recover(): Promise<void> {
  const figures = await measureRecovery(service, { count: 100_000, unanswered: 20 });
  const { loaded, recovered, exited, cpu } = figures;
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;
  print(
    `${RECOVERY}: exits open ${seconds(recovered)} after the start of the process ` +
      `(${seconds(recovered - loaded)} of the runtime), the first one accepted after ` +
      `${seconds(exited)}, with ${seconds(cpu)} of the processor`,
  );
  const wrong = exited <= EXITS_WITHIN_MS ? 0 : 1;
  rows.set(RECOVERY, { name: RECOVERY, rounds: 1, hits: 1, doubled: 0, lost: 0, wrong });
}

const jobs = Array.from({ length: rounds }, (_none, round) =>
  scenes
    .filter((scene) => round < scene.rounds)
    .map((scene) => () => playOne(scene, `${values.seed} ${round}`)),
).flat();
const total = jobs.length;
const lastStart = performance.now() + Number(values.minutes ?? Infinity) * 60_000;
const worker = async (): Promise<void> => {
  while (performance.now() < lastStart) {
    const job = jobs.shift();
    if (job === undefined) return;
    await job();
    const done = total - jobs.length;
    if (done % 25 === 0) print(`  ${done} of ${total} rounds begun`);
  }
};
await Promise.all(Array.from({ length: Number(values.jobs) }, worker));
if (chosen === null || chosen.includes(RECOVERY)) await recover();
await service.close();
await database.drop();
for (const used of [folder, PROGRAMS]) rmSync(used, { recursive: true, force: true });

print(HEAD);
for (const row of rows.values()) print(formatRow(row));
const isAllGood = [...rows.values()].every(isGood);
print(isAllGood ? 'Nothing was doubled, nothing was lost.' : 'Something is wrong; see above.');
process.exit(isAllGood ? 0 : 1);
