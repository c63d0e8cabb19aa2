/**
 * Benchmarks as ratios: contenders run in turn, round after round in one process tree, so that a slow
 * minute of the machine hits all of them; what is compared is a contender against the baseline of the
 * same round, and the median over the rounds is what counts.
 */

/** One of the things that are compared. */
export interface Contender {
  name: string;
  /** Does a round of work; returns the rate per second, by unit: higher is better. */
  run(): Promise<Rates> | Rates;
  /** Lowest ratio to the baseline that the design requires, in the first unit. */
  goal?: number;
  /** Lowest ratio in the first unit below which `--check` fails, whatever was recorded: for what no machine changes. */
  must?: number;
  /** A note beside its figures after it has run: the result of its work. */
  note?(): string;
}

/** By unit: `requests/s`, `requests/CPU-s` (a second of the server's processor), `bars/s`. */
export type Rates = Readonly<Record<string, number>>;

export interface Comparison {
  /** `paper/http: GET /v1/price/{symbol}`. */
  name: string;
  /** The first contender is the baseline. */
  contenders: readonly [Contender, ...Contender[]];
  /**
   * Whether the baseline is ours and the contenders are peers (false): then a ratio is how many times as
   * fast the baseline is, so that a lower one is our loss here too.
   */
  isBaselineCompared?: boolean;
  /** At least 5, so that a median means something. */
  rounds?: number;
  /** Unmeasured rounds, for the compiler to warm up (1). */
  warmUps?: number;
}

export interface ContenderResult {
  name: string;
  /** Median over the rounds, units a second. */
  rate: number;
  /** Median of the rounds' ratios to the baseline; 1 for the baseline itself. */
  ratio: number;
  /** Lowest and highest ratio of a round. */
  spread: [low: number, high: number];
  goal: number | null;
  must: number | null;
  note: string;
}

export interface ComparisonResult {
  name: string;
  unit: string;
  isBaselineCompared: boolean;
  rounds: number;
  contenders: ContenderResult[];
}

const ROUNDS = 5;

/**
 * Runs a comparison: each contender warms up, then all run in turn, round after round.
 *
 * @returns a result for each unit that the contenders report
 */
export async function compare(comparison: Comparison): Promise<ComparisonResult[]> {
  const { contenders, rounds = ROUNDS, warmUps = 1 } = comparison;
  const measured = contenders.map((): Rates[] => []);
  for (const contender of contenders) {
    for (let round = 0; round < warmUps; round++) await contender.run();
  }
  for (let round = 0; round < rounds; round++) {
    for (const index of orderOf(round, contenders.length)) {
      measured[index]!.push(await contenders[index]!.run());
    }
  }
  const units = Object.keys(measured[0]![0]!);
  return units.map((unit, index) =>
    toComparisonResult(comparison, { unit, isFirst: index === 0 }, measured),
  );
}

function toComparisonResult(
  comparison: Comparison,
  { unit, isFirst }: { unit: string; isFirst: boolean },
  measured: Rates[][],
): ComparisonResult {
  const rates = measured.map((rounds) => rounds.map((round) => round[unit]!));
  const { name, isBaselineCompared = false } = comparison;
  const contenders = comparison.contenders.map((contender, index): ContenderResult => {
    const ratios = rates[index]!.map((rate, round) => {
      const ratio = rate / rates[0]![round]!;
      return isBaselineCompared ? 1 / ratio : ratio;
    });
    return {
      name: contender.name,
      rate: median(rates[index]!),
      ratio: median(ratios),
      spread: [Math.min(...ratios), Math.max(...ratios)],
      goal: isFirst ? (contender.goal ?? null) : null,
      must: isFirst ? (contender.must ?? null) : null,
      note: contender.note?.() ?? '',
    };
  });
  return { name, unit, isBaselineCompared, rounds: rates[0]!.length, contenders };
}

/** Every round starts with another contender: a fixed first one would always run on a cool machine. */
function orderOf(round: number, count: number): number[] {
  return Array.from({ length: count }, (_each, index) => (index + round) % count);
}

/** Processor time of a piece of work in this process, all threads, in seconds. */
export async function processorSeconds(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** The middle value; for an even number of values the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
