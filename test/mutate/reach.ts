import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../sourceFiles.ts';
import { covers } from './coveredRanges.ts';
import { createTestRunner } from './createTestRunner.ts';
import { createImportGraph } from './importGraph.ts';

/** What one test file executes, recorded by `recordReach.ts`. */
export interface Reach {
  test: string;
  /** Of the test file's text. */
  hash: string;
  ms: number;
  /** By source. */
  files: Readonly<Record<string, ReachOfFile>>;
}

export interface ReachOfFile {
  /** Of the source's text: of another text the ranges say nothing. */
  hash: string;
  ranges: readonly number[];
}

/** A test that executes it. */
export interface ReachingTest {
  test: string;
  ms: number;
  /** It imports the source itself. */
  isDirect: boolean;
}

/** Which tests execute a part of a source. */
export interface ReachMap {
  /** Unordered; a source that changed since the recording counts as executed as a whole. */
  reaching(file: string, start: number, end: number): readonly ReachingTest[];
}

/** Beside the compiled sources: it outlives a run, and a commit. */
const FOLDER = join(root, 'node_modules/.cache/trimtab/reach');

const hashes = new Map<string, string>();

/** Of a file's text as it is first read. */
export function hashOf(file: string): string {
  const known = hashes.get(file);
  if (known !== undefined) return known;
  const hash = createHash('sha1').update(readFileSync(file)).digest('base64url');
  hashes.set(file, hash);
  return hash;
}

/**
 * Records what is not known yet: new and changed test files, each in a separate process, since what is executed
 * while a module loads belongs to all files that load it. It takes as long as the tests do.
 *
 * @param folder a scratch copy, unbroken
 */
export async function recordReach(
  folder: string,
  tests: readonly string[],
  report: (text: string) => void,
): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const known = new Map(readAll().map((each) => [each.test, each.hash]));
  const missing = tests.filter((test) => known.get(test) !== hashOf(join(root, test)));
  if (missing.length === 0) return;
  report(`recording what ${missing.length} test files execute`);
  const runner = createTestRunner(folder, {
    TRIMTAB_MUTATE_CONFIG: join(folder, 'test/mutate/vitest.reach.ts'),
    TRIMTAB_MUTATE_REACH: FOLDER,
    TRIMTAB_MUTATE_BAIL: '0',
    TRIMTAB_MUTATE_WORKERS: '2',
    // Of what comes compiled from the cache, the engine cannot tell which functions ran.
    NODE_DISABLE_COMPILE_CACHE: '1',
  });
  await runner.run(missing, RECORDING_MS);
  runner.close();
}

/** By the recording; a test file without one reaches what it imports. */
export function readReach(tests: readonly string[]): ReachMap {
  mkdirSync(FOLDER, { recursive: true });
  const recorded = new Map(readAll().map((each) => [each.test, each]));
  const graph = createImportGraph();
  const all = tests.map((test): Reaching => {
    const known = recorded.get(test);
    if (known === undefined || known.hash !== hashOf(join(root, test))) {
      const imported = graph.reachedFrom(test);
      return { test, ms: UNKNOWN_MS, reaches: (file) => imported.has(file) };
    }
    return {
      test,
      ms: known.ms,
      reaches(file, start, end) {
        const of = known.files[file];
        if (of === undefined) return false;
        return of.hash !== hashOf(join(root, file)) || covers(of.ranges, start, end);
      },
    };
  });
  return {
    reaching: (file, start, end) =>
      all
        .filter(({ reaches }) => reaches(file, start, end))
        .map(({ test, ms }) => ({ test, ms, isDirect: graph.importedBy(test).includes(file) })),
  };
}

interface Reaching {
  test: string;
  ms: number;
  reaches(file: string, start: number, end: number): boolean;
}

const RECORDING_MS = 3 * 3_600_000;
/** Of a test file that was never recorded: new ones run early. */
const UNKNOWN_MS = 500;

function readAll(): Reach[] {
  return readdirSync(FOLDER).flatMap((name) => {
    try {
      return [JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Reach];
    } catch {
      // It is being written.
      return [];
    }
  });
}
