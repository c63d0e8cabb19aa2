import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Finding, TestRunner } from './createTestRunner.ts';
import { applyEdit, type Edit, type Patch } from './Patch.ts';
import type { Finders } from './ledger.ts';
import type { ReachingTest, ReachMap } from './reach.ts';

/** What became of a patched program. */
export type Verdict =
  | { result: 'found'; by: string; how: string }
  | { result: 'survived'; after: string }
  /** It cannot be loaded: it proves nothing. */
  | { result: 'invalid'; why: string };

/** Where patches are played. */
export interface Stage {
  /** The scratch copy. */
  folder: string;
  runner: TestRunner;
  reach: ReachMap;
  finders: Finders;
  /** Tests that pass in the unbroken copy, as far as it was asked. */
  trusted: Set<string>;
  /** Tests that do not: they are not run. */
  unfit: Set<string>;
  /** Seeds of the simulator for what tests do not notice; 0: none. */
  seeds: number;
  /** How many seconds of recorded tests a patch may take. */
  seconds: number;
}

/** Tests that run the simulator's corpus come with the simulator. */
const SIMULATED = 'test/simulation/simulation.test.ts';
/** One file's, on a busy machine; the suite's own limit of a test is a minute. */
const FILE_LIMIT_MS = 150_000;
const TOOL = ['--expose-gc', '--no-flush-bytecode', '--conditions=trimtab-source'];
const SIMULATOR_LIMIT_MS = 20 * 60_000;

/** Breaks the copy, runs what can notice it until the first red, and mends the copy. */
export async function playPatch(patch: Patch, stage: Stage): Promise<Verdict> {
  const path = join(stage.folder, patch.file);
  const source = await readFile(path, 'utf8').catch(() => '');
  const broken = brokenBy(patch, source);
  if (broken === undefined) return { result: 'invalid', why: 'its text is not there once' };
  try {
    for (;;) {
      const tests = testsFor(patch, source, stage);
      await writeFile(path, broken);
      const found = await runTests(tests.files, stage.runner);
      if (found === null) return await playSeeds(tests, stage);
      await writeFile(path, source);
      if (await isSure(found, stage)) return found.verdict;
    }
  } finally {
    await writeFile(path, source);
  }
}

async function playSeeds(tests: TestsFor, stage: Stage): Promise<Verdict> {
  const isSimulated = tests.isSimulated && stage.seeds > 0;
  if (isSimulated && !(await simulates(stage))) {
    return { result: 'found', by: 'simulator', how: 'a seed fails' };
  }
  const skipped = tests.skipped === 0 ? '' : `, ${tests.skipped} not run`;
  const seeds = isSimulated ? `, ${stage.seeds} seeds` : '';
  return { result: 'survived', after: `${tests.files.length} test files${skipped}${seeds}` };
}

/**
 * A test that fails in the copy whatever is broken proves nothing, nor does a busy machine that is late: what has
 * found a bug must pass without it, once a run, and each time if a time limit found it. Else it is left out.
 */
async function isSure({ verdict, isTimed }: Found, { runner, trusted, unfit }: Stage) {
  if (verdict.result !== 'found' || (trusted.has(verdict.by) && !isTimed)) return true;
  const isPassing = (await runner.run([verdict.by], FILE_LIMIT_MS)) === 'green';
  (isPassing ? trusted : unfit).add(verdict.by);
  return isPassing;
}

/** Undefined for a row whose text was edited since. */
function brokenBy({ file, edit }: Patch, source: string): string | undefined {
  try {
    return applyEdit(source, file, edit);
  } catch {
    return undefined;
  }
}

interface Found {
  verdict: Verdict;
  isTimed: boolean;
}

async function runTests(files: readonly string[], runner: TestRunner): Promise<Found | null> {
  // A process that something else has ended is started once more.
  const again = (): ReturnType<TestRunner['run']> => runner.run(files, FILE_LIMIT_MS);
  const answer = await again().catch(again);
  if (answer === 'green') return null;
  if ('late' in answer) {
    return { verdict: { result: 'found', by: answer.late, how: 'it does not end' }, isTimed: true };
  }
  const { file, test, message } = answer.red;
  if (isUnloadable(answer.red)) {
    return { verdict: { result: 'invalid', why: message }, isTimed: false };
  }
  const verdict: Verdict = { result: 'found', by: file, how: test };
  return { verdict, isTimed: /timed out/i.test(message) };
}

const isUnloadable = ({ test, message }: Finding): boolean =>
  test === '(while it loads)' && /SyntaxError|Unexpected|Expected|not supported/.test(message);

interface TestsFor {
  files: readonly string[];
  isSimulated: boolean;
  /** Farther tests that the time did not allow. */
  skipped: number;
}

/** Those that execute the patched text, the nearest first. */
function testsFor(patch: Patch, source: string, stage: Stage): TestsFor {
  const [start, end] = rangeOf(source, patch.edit);
  const reaching = stage.reach.reaching(patch.file, start, end);
  const isSimulated = reaching.some(({ test }) => test === SIMULATED);
  const ordered = reaching
    .filter(({ test }) => !stage.unfit.has(test))
    .map((each) => ({ ...each, distance: distanceOf(patch, each, stage.finders) }))
    .toSorted((a, b) => a.distance - b.distance || a.ms - b.ms);
  const files: string[] = [];
  let ms = 0;
  for (const each of ordered) {
    // Its own station's run whatever they take.
    if (each.distance >= FAR) {
      if (ms + each.ms > stage.seconds * 1_000) continue;
      ms += each.ms;
    }
    files.push(each.test);
  }
  return { files, isSimulated, skipped: ordered.length - files.length };
}

function rangeOf(source: string, edit: Edit): readonly [number, number] {
  if ('start' in edit) return [edit.start, edit.end];
  const start = source.indexOf(edit.from);
  return [start, start + edit.from.length];
}

const FAR = 5;

/**
 * 0: the file's own test; 1: it imports the file; 2: it has found a bug of the file before; 3: its folder's; 4: its
 * station's; more: others'; the corpus is last.
 */
function distanceOf(
  { file, station }: Patch,
  { test, isDirect }: ReachingTest,
  finders: Finders,
): number {
  const mirrored = posix.join('test', file.replace(/^src\//, ''));
  if (stemOf(test) === stemOf(mirrored)) return 0;
  if (isDirect) return 1;
  if (finders.of(file).has(test)) return 2;
  if (posix.dirname(test) === posix.dirname(mirrored)) return 3;
  if (test.startsWith(`test/${station}/`)) return 4;
  return test === SIMULATED ? FAR + 1 : FAR;
}

/** `createThrottle.ts` is tested by `throttle.test.ts`. */
const stemOf = (file: string): string =>
  file
    .toLowerCase()
    .replace(/(?:\.test)?\.ts$/, '')
    .replace(/\/create(?=[^/]*$)/, '/');

/** Whether the simulator's seeds hold in the copy. */
async function simulates({ folder, seeds }: Stage): Promise<boolean> {
  const child = spawn(
    process.execPath,
    [...TOOL, 'test/simulation/main.ts', '--seeds', String(seeds)],
    { cwd: folder, stdio: 'ignore', timeout: SIMULATOR_LIMIT_MS, killSignal: 'SIGKILL' },
  );
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
}
