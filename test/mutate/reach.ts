import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../sourceFiles.ts';
import { covers } from './coveredRanges.ts';
import { createTestRunner } from './createTestRunner.ts';

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

/** Which tests execute a part of a source. */
export interface ReachMap {
  /** Unordered; a source that changed since the recording counts as executed as a whole. */
  reaching(file: string, start: number, end: number): ReadonlyArray<{ test: string; ms: number }>;
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
 * while a module loads belongs to all files that load it.
 *
 * @param folder a scratch copy, unbroken
 */
export async function recordReach(
  folder: string,
  tests: readonly string[],
  report: (text: string) => void,
): Promise<ReachMap> {
  mkdirSync(FOLDER, { recursive: true });
  const known = new Map(readAll().map((each) => [each.test, each.hash]));
  const missing = tests.filter((test) => known.get(test) !== hashOf(test));
  if (missing.length > 0) {
    report(`recording what ${missing.length} test files execute`);
    const runner = createTestRunner(folder, {
      TRIMTAB_MUTATE_CONFIG: join(folder, 'test/mutate/vitest.reach.ts'),
      TRIMTAB_MUTATE_REACH: FOLDER,
      TRIMTAB_MUTATE_BAIL: '0',
      // Of what comes compiled from the cache, the engine cannot tell which functions ran.
      NODE_DISABLE_COMPILE_CACHE: '1',
      TRIMTAB_MUTATE_WORKERS: '2',
    });
    await runner.run(missing, 60 * 60_000);
    runner.close();
  }
  const all = readAll().filter(({ test }) => tests.includes(test));
  return {
    reaching(file, start, end) {
      const hash = hashOf(file);
      return all.filter(({ files }) => {
        const of = files[file];
        return of !== undefined && (of.hash !== hash || covers(of.ranges, start, end));
      });
    },
  };
}

function readAll(): Reach[] {
  return readdirSync(FOLDER).map(
    (name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Reach,
  );
}
