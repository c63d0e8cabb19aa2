/**
 * Which test files run when: `npm test` runs the unit tests and the programs, `npm run test:full` what the
 * name says besides. See test/README.md.
 */

/** Only in the full run: `*.full.test.ts`. */
export const FULL = ['test/**/*.full.test.ts'];

/**
 * Each file in a separate process: they start programs, own a database or a browser, mock a
 * module, or play other files' tests again.
 */
export const PROGRAM = [
  'test/{chaos,conformance,deploy,e2e,simulation}/*.test.ts',
  'test/**/*.browser.test.ts',
  'test/backtest/sweep/*.test.ts',
  'test/budget/sharedBudget.test.ts',
  'test/journal/postgres{,Drawn,Failover}.test.ts',
  'test/wire/foreign/*.test.ts',
];

/** The command line inside the test's process: apart from the unit tests, and as they share a process and its modules. */
export const COMMAND = ['test/cli/*.test.ts'];

/** They replace a module of the runtime, so that the runner has to load it. */
export const REPLACING = ['test/simulation/teeth.test.ts'];

/**
 * Files of a few tests that start threads and processes for long: `npm test` takes one of these lists, another with
 * each commit. About as long as each other.
 */
const COSTLY: readonly (readonly string[])[] = [
  ['test/backtest/sweep/merge.test.ts', 'test/chaos/sweepQueueOnFullDisk.test.ts'],
  [
    'test/e2e/{sweep,explain,stateVersions,shadow,promote}.test.ts',
    'test/backtest/sweep/parquet.test.ts',
  ],
  [
    'test/e2e/{shardKilled,demo,latched}.test.ts',
    'test/deploy/sweepExamples.test.ts',
    'test/operate/operatorPictures.browser.test.ts',
  ],
];

/** Whether everything is wanted of what `npm test` takes a part of. */
export const isFull = process.env['TRIMTAB_TESTS'] === 'full';

/** Whether this is `npm test`, which takes the costly tests in turn; a file that is run by its name has all of its own. */
export const isPart = process.env['TRIMTAB_TESTS'] === 'part';

/** The part of the rotating tests that runs; the closing line of a run prints it. */
export const rotation = Number(process.env['TRIMTAB_TESTS_ROTATION'] ?? 0);

/** What `npm test` leaves to the next commits. */
export const NOT_IN_TURN = isPart
  ? COSTLY.filter((_files, at) => at !== rotation % COSTLY.length).flat()
  : [];

/** A part of a list, another with the next rotation; all in a full run. */
export function rotated<T>(all: readonly T[], count: number): readonly T[] {
  if (isFull) return all;
  const first = rotation * count;
  return Array.from(
    { length: Math.min(count, all.length) },
    (_none, index) => all[(first + index) % all.length]!,
  );
}

/** The seeds up to this one are held by every full run; fresh ones come after it. */
export const KNOWN_SEEDS = 500;

/** Seeds that no run of another rotation draws, up to as many rotations as a project sees. */
export function freshSeeds(count: number): readonly string[] {
  const first = KNOWN_SEEDS + 1 + rotation * count;
  return Array.from({ length: count }, (_none, index) => String(first + index));
}
