/**
 * `npm run test:full`: everything, part by part; each leaves its output in reports/tests.
 * `--only a,b` runs some of them, `--list` names them. `--rotate --minutes N` runs those that a continuous
 * integration takes, beginning with another one at each commit, as far as the minutes go.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolFlags } from './readToolFlags.ts';
import { currentRotation } from './rotation.ts';
import { codeOf, root, sourceFiles } from './sourceFiles.ts';
import { KNOWN_SEEDS } from './tiers.ts';

interface Part {
  name: string;
  /** Arguments of Node. */
  args: readonly string[];
  /** CPU-bound with constant cost, no waiting, and no deadline that a busy machine could miss. */
  rotates?: boolean;
}

const vitest = (...args: string[]) => ['node_modules/vitest/vitest.mjs', 'run', ...args];
const TOOL = ['--expose-gc', '--no-flush-bytecode', '--conditions=trimtab-source'];
const tool = (...args: string[]) => TOOL.concat(args);
const simulate = (...args: string[]) => tool('test/simulation/main.ts', ...args);

const commits = currentRotation();
const FRESH = 5_000;
const freshFrom = KNOWN_SEEDS + 1 + commits * FRESH;

/** Files of which `npm test` takes a part, beside those that are parts of their own. */
const ROTATING = sourceFiles('test').filter(
  (file) =>
    file.endsWith('.test.ts') &&
    !/\.full\.test\.ts$|^test\/(e2e|chaos|simulation)\//.test(file) &&
    codeOf(file).includes('rotated('),
);

const PARTS: readonly Part[] = [
  { name: 'tests', args: vitest('--project=!full') },
  { name: 'planted-bugs', args: vitest('test/simulation/teeth.test.ts'), rotates: true },
  { name: 'known-seeds', args: vitest('test/simulation/knownSeeds.full'), rotates: true },
  { name: 'few-models', args: vitest('test/simulation/models.full'), rotates: true },
  { name: 'few-overloads', args: vitest('test/simulation/overload.full'), rotates: true },
  { name: 'mutations', args: vitest('test/conformance/mutations.full'), rotates: true },
  { name: 'clauses', args: vitest('test/clauseProofs.full'), rotates: true },
  { name: 'patches', args: ['--conditions=trimtab-source', 'test/mutate/main.ts'] },
  {
    name: 'torn-journal',
    args: vitest('test/chaos/tornJournal.test.ts', 'test/chaos/faultyDisk.test.ts'),
    rotates: true,
  },
  { name: 'few-requests', args: vitest('test/fuzz/fuzz.full'), rotates: true },
  {
    name: 'real-data',
    args: vitest(
      'test/backtest/data/realFiles.full',
      'test/backtest/marketMaker.full',
      'test/paper/feed/tapes.full',
      'test/technicalindicators/collection.full',
    ),
  },
  {
    name: 'packages',
    args: vitest(
      'test/backtest/sweep/sweepSources.full',
      'test/e2e/consumer.full',
      'test/e2e/demoFeeds.full',
      'test/e2e/indicatorLibraries.full',
      'test/e2e/installed.full',
      'test/e2e/publicSurface.full',
      'test/paper/state/killedAgain.full',
    ),
    rotates: true,
  },
  {
    name: 'commands',
    args: vitest('test/e2e/', ...ROTATING),
  },
  {
    name: 'processes',
    args: vitest('test/chaos/lateDecisions.full'),
  },
  {
    name: 'many-workers',
    // One after the other: a thousand workers that are to be busy need the machine.
    args: vitest(
      '--no-file-parallelism',
      'test/backtest/sweep/sweepAtScale.full',
      'test/backtest/sweep/thousandWorkers.full',
    ),
  },
  { name: 'million-points', args: vitest('test/backtest/sweep/millionPoints.full') },
  { name: 'deploy', args: vitest('test/deploy/') },
  { name: 'boundaries', args: vitest('test/chaos/kill.test.ts') },
  {
    name: 'fresh-seeds',
    args: simulate('--seeds', String(FRESH), '--from', String(freshFrom), '--keep-going'),
  },
  { name: 'models', args: simulate('--models', '--seeds', '100') },
  { name: 'overload', args: simulate('--overload', '--hours', '100') },
  { name: 'requests', args: ['test/fuzz/run.ts', '--requests', '100000'] },
  { name: 'frames', args: ['test/fuzz/run.ts', '--frames', '1000000'] },
  { name: 'chaos', args: ['test/chaos/main.ts', '--rounds', '4'] },
];

const values = toolFlags({
  options: {
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    rotate: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '8' },
  },
  modes: { '': ['only'], list: [], rotate: ['minutes'] },
  counts: ['minutes'],
});
const print = (text: string): void => void process.stdout.write(`${text}\n`);

function chosen(): readonly Part[] {
  if (values.rotate) {
    const parts = PARTS.filter(({ rotates }) => rotates);
    const first = commits % parts.length;
    print(
      `rotation ${commits}: begins with ${parts[first]!.name}, ${values.minutes} minutes in all`,
    );
    return [...parts.slice(first), ...parts.slice(0, first)];
  }
  if (values.only === undefined) return PARTS;
  const names = values.only.split(',');
  const strange = names.find((name) => !PARTS.some((part) => part.name === name));
  if (strange === undefined) return PARTS.filter(({ name }) => names.includes(name));
  process.stderr.write(`--only ${strange}: there is no such part. --list names them.\n`);
  process.exit(1);
}

const seconds = (since: number): number => Math.round((performance.now() - since) / 1_000);
const folder = join(root, 'reports/tests');
/** Seconds between two lines of progress without a terminal. */
const REPORT_EVERY = 60;

type Outcome = 'passed' | 'FAILED' | 'not finished';

async function run({ name, args }: Part, title: string, limitMs: number): Promise<Outcome> {
  const path = join(folder, `${name}.log`);
  const log = createWriteStream(path);
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    // A separate process group, so that no child outlives the time limit.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TRIMTAB_TESTS: name === 'tests' ? '' : 'full', NO_COLOR: '1' },
  });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const isWatched = process.stderr.isTTY;
  const progress = setInterval(
    () =>
      process.stderr.write(
        `${isWatched ? '\r' : ''}${title}: ${seconds(started)} s${isWatched ? '' : '\n'}`,
      ),
    isWatched ? 1_000 : REPORT_EVERY * 1_000,
  );
  const stop = (): void => void process.kill(-child.pid!, 'SIGKILL');
  let isLate = false;
  const limit = Number.isFinite(limitMs)
    ? setTimeout(() => ((isLate = true), stop()), limitMs)
    : undefined;
  process.once('SIGINT', stop);
  const [code] = (await once(child, 'close')) as [number | null];
  process.removeListener('SIGINT', stop);
  clearInterval(progress);
  clearTimeout(limit);
  log.end();
  await once(log, 'finish');
  const outcome: Outcome = isLate ? 'not finished' : code === 0 ? 'passed' : 'FAILED';
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  if (isWatched) process.stderr.write('\r\u001B[K');
  print(`${title}: ${outcome} after ${seconds(started)} s${isLate ? '' : `: ${lines.at(-1)}`}`);
  if (outcome === 'FAILED') print(lines.slice(-80).join('\n'));
  return outcome;
}

const parts = chosen();
if (values.list) {
  for (const { name, args, rotates } of parts) {
    print(`${name.padEnd(14)} ${rotates ? 'rotates  ' : '         '}${args.join(' ')}`);
  }
  process.exit(0);
}
mkdirSync(folder, { recursive: true });
const started = performance.now();
const deadline = values.rotate ? started + Number(values.minutes) * 60_000 : Infinity;
const outcomes: Outcome[] = [];
for (const [index, part] of parts.entries()) {
  const left = deadline - performance.now();
  if (left <= 0) break;
  outcomes.push(await run(part, `[${index + 1}/${parts.length}] ${part.name}`, left));
}
const count = (outcome: Outcome): number => outcomes.filter((each) => each === outcome).length;
print(
  `${count('passed')} parts passed, ${count('FAILED')} failed, ${count('not finished')} not finished, ` +
    `${parts.length - outcomes.length} not begun, ${seconds(started)} s`,
);
process.exitCode = count('FAILED') === 0 ? 0 : 1;
