import { INTERVAL_MS, type Interval } from '../../src/contract/index.ts';
import { withOtherTime, type Env } from '../../src/env/index.ts';
import { failed, type LoadedTape, type RunResult } from '../../src/operate/run/index.ts';
import { createPaperService, type PaperSettings } from '../../src/paper/index.ts';
import type { PlannedStrategy } from '../../src/runtime/BotPlan.ts';
import { toFinding, type Finding } from './Finding.ts';
import { firstDifference, type Parting } from './firstDifference.ts';
import { runIntents, type CheckedRun, type RunIntentsOptions } from './runIntents.ts';
import { truncateTape } from './truncateTape.ts';

/** What the same bot earns where fills are simulated otherwise. */
export interface FillScenario {
  name: 'pessimistic' | 'as configured' | 'optimistic';
  /** What was assumed, in a few words. */
  assumptions: string;
  pnl: number;
  fills: number;
}

export interface CheckResult {
  findings: readonly Finding[];
  /** What could not be checked, and why. */
  notes: readonly string[];
  base: CheckedRun;
  scenarios: readonly FillScenario[];
  /** Backtests that it took. */
  runs: number;
}

export interface CheckOptions {
  tape: LoadedTape;
  live: Env;
  startTime?: number | undefined;
  /** Moments at which the tape is truncated. */
  points: number;
  /** Before each backtest: what it is for. */
  onRun(what: string): void;
}

/** How much more history strategies are given than they asked for. */
const WARM_UPS = [2, 4] as const;
const MOST_WARM_UP = 5_000;
/** Averages that never quite forget where they began move a price by a tick; that is told, no more. */
const DRIFT = 0.001;

const LOOKS_AHEAD = 'with the tape ended later it decided otherwise: it knows what comes';
const NEEDS_MORE = 'with more history than it asks for it decides otherwise: raise its warm-up';
const NOT_ALONE =
  'with another clock and other randomness it decides otherwise: use ctx.now() and ctx.random()';
const PROMISES =
  'with promises settled between bars it decides otherwise: decide in the event, not after an await';

/** Thrown inside only: the first run that fails ends the check with its reason. */
class RunFailed extends Error {}

/** Asks of a bot's backtest what a sceptic would: each finding names the bar and the intent. */
export async function checkBot(options: CheckOptions): Promise<RunResult<CheckResult>> {
  try {
    return { ok: true, value: await check(options) };
  } catch (error) {
    if (error instanceof RunFailed) return failed(error.message);
    throw error;
  }
}

async function check(options: CheckOptions): Promise<CheckResult> {
  const { live, startTime } = options;
  const tape = withFixedInstruments(options.tape, live);
  const findings: Finding[] = [];
  const notes: string[] = [];
  let runs = 0;
  const run = async (what: string, more: Partial<RunIntentsOptions> = {}): Promise<CheckedRun> => {
    options.onRun(what);
    runs++;
    const result = await runIntents({ tape, live, startTime, ...more });
    if (!result.ok) throw new RunFailed(result.failure.message);
    return result.value;
  };
  const compare = (
    check: Finding['check'],
    meaning: string,
    pair: [CheckedRun, CheckedRun],
  ): void => {
    const parting = firstDifference(pair[0].intents, pair[1].intents);
    if (parting !== undefined) findings.push(toFinding(check, meaning, parting));
  };

  const base = await run('as configured');
  if (base.intents.length === 0) notes.push('It decided nothing, so there is little to check.');
  const again = await withOtherTime(() => run('with another clock and other randomness'));
  compare('determinism', NOT_ALONE, [base, again]);
  const stepped = await run('with promises settled between bars', { isStepped: true });
  compare('promises', PROMISES, [base, stepped]);

  for (const until of truncationPoints(tape, base, options.points)) {
    const cut = truncateTape(tape, until);
    try {
      const short = await run(`tape ended at ${new Date(until).toISOString()}`, { tape: cut.tape });
      const intents = base.intents.filter(({ time }) => time <= until);
      compare('look-ahead', LOOKS_AHEAD, [short, { ...base, intents }]);
    } finally {
      cut.dispose();
    }
    // One place is enough to know, and the earliest is the one to look at.
    if (findings.some(({ check }) => check === 'look-ahead')) break;
  }

  const middle = middleOf(tape);
  const usual = await run('from the middle of the tape', { startTime: middle });
  const asked = Math.max(...tape.strategies.map(warmUpOf));
  for (const factor of WARM_UPS) {
    if (!hasHistory(tape, base, [middle, Math.min(MOST_WARM_UP, asked * factor)])) {
      notes.push(
        `The tape has no history for ${factor} × the warm-up; a longer one would tell more.`,
      );
      break;
    }
    const longer = withWarmUp(tape, factor);
    const more = await run(`with ${factor} × the warm-up`, { tape: longer, startTime: middle });
    const parting = firstDifference(usual.intents, more.intents, DRIFT);
    const drift = firstDifference(usual.intents, more.intents);
    if (parting !== undefined) findings.push(toFinding('warm-up', NEEDS_MORE, parting));
    else if (drift !== undefined) notes.push(driftNote(drift));
    if (drift !== undefined) break;
  }

  const scenarios: FillScenario[] = [];
  for (const scenario of scenariosOf(tape.paper)) {
    const { name, assumptions, settings } = scenario;
    const paper = { ...tape.paper, ...settings };
    const result =
      settings === null ? base : await run(`fills ${name}`, { tape: { ...tape, paper } });
    const { pnl, fills } = result.run.data.totals;
    scenarios.push({ name, assumptions, pnl, fills });
  }
  return { findings, notes, base, scenarios, runs };
}

function driftNote({ one, other, words }: Parting): string {
  const { instance, decisionKey } = (one ?? other)!;
  const moved = `with more warm-up ${instance} decides the same with numbers within 0.1 %`;
  return `warm-up: ${moved}, first in ${decisionKey} (${words.join(', ')}).`;
}

/** An instrument's grid follows from its feed; a shorter feed must not have another one. */
function withFixedInstruments(tape: LoadedTape, live: Env): LoadedTape {
  const { paper, data, dialect } = tape;
  const core = createPaperService({ settings: paper, data, dialect }, live);
  const decimals = core.engine.market.instruments.map(({ symbol, price_decimals }) => [
    symbol,
    { price_decimals, ...paper.instruments[symbol] },
  ]);
  return { ...tape, paper: { ...paper, instruments: Object.fromEntries(decimals) as never } };
}

/** Evenly over what was traded, at the close of bars on which something was decided where there are. */
function truncationPoints(tape: LoadedTape, { intents, run }: CheckedRun, count: number): number[] {
  const { startTime, endTime } = run.data;
  const longest = Math.max(...tape.data.feeds.map(({ interval }) => INTERVAL_MS[interval]));
  const points = new Set<number>();
  for (let at = 1; at <= count; at++) {
    const wanted = startTime + ((endTime - startTime) * at) / (count + 1);
    const near = intents.find(({ time }) => time >= wanted)?.time ?? wanted;
    const aligned = Math.floor(near / longest) * longest;
    if (aligned > startTime && aligned < endTime) points.add(aligned);
  }
  return [...points];
}

function middleOf({ data }: LoadedTape): number {
  const middles = data.feeds.map(({ time }) => time[time.length >> 1] ?? 0);
  return Math.max(...middles);
}

const warmUpOf = ({ strategy, params }: PlannedStrategy): number => strategy.warmup?.(params) ?? 0;

function withWarmUp(tape: LoadedTape, factor: number): LoadedTape {
  const strategies = tape.strategies.map((planned) => {
    const bars = Math.min(MOST_WARM_UP, warmUpOf(planned) * factor);
    return { ...planned, strategy: { ...planned.strategy, warmup: () => bars } };
  });
  return { ...tape, strategies };
}

const BAR_CAUSE = /bar:[^#]*?:(\d+[a-z]):\d+#/;

/** Whether so much history stands before a moment, in the longest bars that were decided upon. */
function hasHistory(
  tape: LoadedTape,
  { intents }: CheckedRun,
  need: [moment: number, bars: number],
) {
  const [moment, bars] = need;
  const causes = intents.map(({ decisionKey }) => BAR_CAUSE.exec(decisionKey)?.[1]);
  const lengths = causes.map((interval) => INTERVAL_MS[interval as Interval] ?? 0);
  const own = tape.data.feeds.map(({ interval }) => INTERVAL_MS[interval]);
  const start = Math.max(...tape.data.feeds.map(({ time }) => time[0] ?? 0));
  const longest = lengths.reduce((most, length) => Math.max(most, length), Math.max(...own));
  return moment - start >= bars * longest;
}

function scenariosOf(
  paper: PaperSettings,
): ReadonlyArray<
  Omit<FillScenario, 'pnl' | 'fills'> & { settings: Partial<PaperSettings> | null }
> {
  const { half_spread_bps: half, impact_bps: impact, volume_share: share, fill_on_touch } = paper;
  const words = (spread: number, taker: number, volume: number, touch: boolean): string =>
    `half spread ${spread} bps, impact ${taker} bps, ${(volume * 100).toFixed(0)} % of volume, ` +
    (touch ? 'a touch fills' : 'a trade through fills');
  const worse = [Math.max(3 * half, 1), Math.max(3 * impact, 10), share / 3] as const;
  return [
    {
      name: 'pessimistic',
      assumptions: words(...worse, false),
      settings: {
        half_spread_bps: worse[0],
        impact_bps: worse[1],
        volume_share: worse[2],
        fill_on_touch: false,
      },
    },
    {
      name: 'as configured',
      assumptions: words(half, impact, share, fill_on_touch),
      settings: null,
    },
    {
      name: 'optimistic',
      assumptions: words(0, 0, 1, true),
      settings: { half_spread_bps: 0, impact_bps: 0, volume_share: 1, fill_on_touch: true },
    },
  ];
}
