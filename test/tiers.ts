/**
 * Which test files run when: `npm test` runs the unit tests and the programs, `npm run test:full` what the
 * name says besides. See test/README.md.
 */

import { sourceFiles } from './sourceFiles.ts';

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
  'test/budget/{sharedBudget,createPostgresLedger}.test.ts',
  'test/journal/postgres{,Claims,Drawn,Failover,Stores}.test.ts',
  'test/recorded/postgresJournals.test.ts',
  'test/operate/serve/sharedDatabase.test.ts',
  'test/wire/foreign/*.test.ts',
];

/** The command line inside the test's process: apart from the unit tests, and as they share a process and its modules. */
export const COMMAND = ['test/cli/**/*.test.ts', 'test/recorded/command*.test.ts'];

/** They replace a module of the runtime, so that the runner has to load it. */
export const REPLACING = ['test/simulation/teeth.test.ts'];

/**
 * Files whose few tests take the longest, because they start processes, threads or long runs, with the seconds that each
 * took beside two others on two cores. `npm test` takes a share of them, another with each commit, and `npm run test:rest`
 * the others. `npm run test:slow` shows which other files have become as slow, and which take other times than these;
 * `TRIMTAB_TESTS=rest npm run test:slow` looks at the rest.
 */
const COSTLY: Readonly<Record<string, number>> = {
  'operate/operatorPage.browser': 148,
  'operate/report.browser': 95,
  'operate/accessible.browser': 77,
  'operate/longRun.browser': 62,
  'journal/postgres': 45,
  'operate/candles.browser': 52,
  'backtest/sweep/status': 32,
  'backtest/walks/walks': 82,
  'chaos/kill': 81,
  'simulation/teeth': 77,
  'e2e/sweep': 75,
  'e2e/blockedLoop': 68,
  'technicalindicators/memory': 58,
  'recorded/commandFiles': 79,
  'recorded/moreSimulations': 62,
  'recorded/reportPages.browser': 37,
  'recorded/configurations': 29,
  'recorded/conformance': 28,
  'recorded/commandRuns': 25,
  'recorded/simulations': 21,
  'recorded/paperService': 15,
  'e2e/control': 49,
  'simulation/simulation': 46,
  'e2e/doctor': 42,
  'backtest/sweep/merge': 120,
  'chaos/sweepQueueOnFullDisk': 21,
  'e2e/shardKilled': 74,
  'e2e/demo': 20,
  'e2e/latched': 40,
  'deploy/sweepExamples': 19,
  'operate/operatorPictures.browser': 40,
  'backtest/sweep/storedSweeps': 39,
  'strategy/resting/resting': 37,
  'backtest/parity': 35,
  'chaos/faultyDisk': 35,
  'operate/travel/view.browser': 33,
  'cli/processEnd': 30,
  'operate/serve/shownPage.browser': 26,
  'operate/travel/playedPast.browser': 16,
  'operate/control/watchdog': 9,
  'backtest/ratios': 30,
  'backtest/checkBot': 27,
  'e2e/package': 24,
  'operate/figures': 23,
  'e2e/shadow': 21,
  'runtime/members/isolation': 20,
  'strategies/byHand/byHand': 20,
  'e2e/badInput': 19,
  'backtest/marketData': 18,
  'paper/engine/HookSlots': 18,
  'operate/shadow/shadows': 18,
  'e2e/owners': 18,
  'e2e/rotate': 18,
  'backtest/walks/prefix': 17,
  'e2e/explain': 17,
  'e2e/start503': 17,
  'strategy/thread/createThreadHost': 16,
  'e2e/loadedFiles': 16,
  'operate/recording': 15,
  'paper/state/killed': 15,
  'cli/compare': 14,
  'backtest/runLoadedBacktest': 14,
  'backtest/walks/longWalks': 14,
  'runtime/wallet/hidden': 14,
  'budget/sharedBudget': 13,
  'e2e/dev': 13,
  'backtest/joinedBars': 11,
  'runtime/pipe/askedToWait': 11,
  'e2e/unread': 11,
  'journal/postgresFailover': 22,
  'cli/paper': 10,
  'indicators/drift': 10,
  'backtest/sweep/parquet': 10,
  'wire/foreign/foreign': 10,
  'cli/replay': 9,
  'operate/travel/travel': 9,
  'paper/server/validators': 9,
  'runtime/wallet/holdings': 9,
  'chaos/tornJournal': 9,
  'e2e/promote': 9,
  'simulation/sharedKey': 9,
  'cli/ownIndicator': 8,
  'cli/secretInFault': 8,
  'paper/venue/conservation': 8,
  'e2e/operator': 8,
  'e2e/settle': 8,
  'backtest/sweep/sweep': 60,
  'technicalindicators/catalogue': 7,
  'operate/notify/openAlerts': 7,
  'e2e/endlessFiles': 7,
  'e2e/stateVersions': 7,
  'cli/failures/failOnOutcome': 6,
  'runtime/members/restarts': 6,
  'e2e/sweepReports': 6,
  'simulation/freshSeeds': 50,
  'e2e/endAlerts': 42,
  'conformance/runConformance': 32,
  'cli/watchdog': 28,
  'operate/notify/senders': 26,
  'cli/bin': 23,
  'backtest/dev/createDevRunner': 22,
  'cli/output/wholeFiles': 22,
  'e2e/spotOrphan': 21,
  'backtest/sweep/changedCode': 18,
  'e2e/pages': 18,
  'backtest/longFigures': 18,
  readToolFlags: 17,
  'e2e/prometheus': 15,
  'simulation/soak': 15,
  'service/connectService': 14,
  'e2e/service': 11,
  'operate/dev.browser': 10,
  'e2e/unstarted': 10,
  'backtest/sweep/listedTexts': 10,
  'backtest/sweep/passingFault': 8,
  'e2e/logFile': 8,
  'cli/quietWorker': 7,
  'operate/pages.browser': 20,
  'conformance/ownWork': 20,
  'journal/postgresStores': 19,
  'backtest/sweep/runPoint': 18,
  'journal/backup': 13,
  'strategy/loadStrategy': 12,
  'operate/runTape': 10,
  'budget/createPostgresLedger': 8,
  'journal/postgresDrawn': 8,
  'recorded/commandControl': 8,
  'recorded/postgresJournals': 8,
  'docs/examples': 8,
  'journal/createHeld': 9,
  'journal/upgrade': 7,
  'backtest/sweep/resultsFile': 6,
  'conformance/lies': 6,
  'backtest/sweep/rankUnbounded': 6,
  'strategies/extremeParams': 6,
  'e2e/timeZone': 5,
  'e2e/openService': 5,
  'backtest/sweep/shard': 5,
  'backtest/sweep/sweepContent': 5,
  'conformance/command': 5,
  'operate/watchOwnErrors': 5,
  'backtest/programs/runBacktest': 5,
};

/** A file by the name that it has in {@link COSTLY}. */
export const costlyName = (file: string): string => file.replace(/^test\/|\.test\.ts$/g, '');

/** What a costly file took, seconds; undefined for one that runs with each commit. */
export const secondsOf = (file: string): number | undefined => COSTLY[costlyName(file)];

/** Whether everything is wanted of what `npm test` takes a part of. */
export const isFull = process.env['TRIMTAB_TESTS'] === 'full';

/** Whether this is `npm run test:rest`, which takes the costly files that `npm test` leaves to other commits. */
const isRest = process.env['TRIMTAB_TESTS'] === 'rest';

/** Whether this is one of the two, which take a part of what rotates; a file that is run by its name has all of its own. */
export const isPart = isRest || process.env['TRIMTAB_TESTS'] === 'part';

/** The part of the rotating tests that runs; the closing line of a run prints it. */
export const rotation = Number(process.env['TRIMTAB_TESTS_ROTATION'] ?? 0);

/** So many commits take all costly files once. */
export const TURNS = 16;

/** The costly files of each turn, which take about as long as those of another: the longest first, to the shortest turn. */
function turnsOf(seconds: Readonly<Record<string, number>>): string[][] {
  const turns = Array.from({ length: TURNS }, () => ({ files: [] as string[], sum: 0 }));
  for (const [name, cost] of Object.entries(seconds).toSorted(([, a], [, b]) => b - a)) {
    const shortest = turns.reduce((least, turn) => (turn.sum < least.sum ? turn : least));
    shortest.files.push(`test/${name}.test.ts`);
    shortest.sum += cost;
  }
  return turns.map(({ files }) => files);
}

/**
 * The costly files that `npm test` leaves to other commits than the one of this count.
 *
 * @param turns those of so many commits that come next; default: of all the others
 */
export function restOf(commits: number, turns = TURNS - 1): string[] {
  const all = turnsOf(COSTLY);
  const next = Array.from({ length: turns }, (_none, at) => all[(commits + 1 + at) % TURNS]!);
  return next.flat();
}

const REST = restOf(rotation);
/** A slow machine has no time for all of them. */
const RUN_NOW = restOf(rotation, Number(process.env['TRIMTAB_TESTS_TURNS'] ?? TURNS - 1));

/** What does not run now: with `npm test` the rest, with the rest all others. */
export const LEFT_OUT = isRest
  ? sourceFiles('test').filter((file) => file.endsWith('.test.ts') && !RUN_NOW.includes(file))
  : isPart
    ? REST
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
