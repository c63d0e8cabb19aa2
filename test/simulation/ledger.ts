import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { drawScenario, FAMILIES, FAULT_KINDS, seedOf } from './Scenario.ts';
import { LEGAL } from './KnownIntent.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulate.ts';

/** What all runs on one file have covered, so that the next one goes on. */
export interface Ledger {
  /** The first number that has not run. */
  next: number;
  seeds: number;
  failed: ReadonlyArray<{ seed: string; message: string; faults: readonly string[] }>;
  /** Seeds in which an intent of this kind reached this state under this fault. */
  covered: Readonly<Record<string, number>>;
}

export interface LedgerRun {
  file: string;
  /** First number of a new file. */
  from: number;
  /** Asked before each seed. */
  isOver(): boolean;
  /** A seed broke an invariant, with the faults that are needed for it. */
  onFailed(failed: Ledger['failed'][number]): void;
}

const ledgerShape = z.strictObject({
  next: z.int().positive(),
  seeds: z.int().nonnegative(),
  failed: z.array(
    z.strictObject({ seed: z.string(), message: z.string(), faults: z.array(z.string()) }),
  ),
  covered: z.record(z.string(), z.int().positive()),
});

/** @throws Error with a readable message for a file that is no ledger */
function readLedger(file: string): Ledger {
  try {
    return ledgerShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file} is no ledger of seeds: name another file, or remove it.`, {
      cause: error,
    });
  }
}

/** Runs seeds one after the other, the families in turn; the file is whole after each. */
export async function extendLedger({ file, from, isOver, onFailed }: LedgerRun): Promise<Ledger> {
  let ledger: Ledger = existsSync(file)
    ? readLedger(file)
    : { next: from, seeds: 0, failed: [], covered: {} };
  const write = (next: Ledger): void => {
    writeFileSync(`${file}.new`, `${JSON.stringify(next)}\n`);
    renameSync(`${file}.new`, file);
  };
  // A place that can't be written is learned of before the first seed.
  write(ledger);
  while (!isOver()) {
    const seed = seedOf(ledger.next, FAMILIES[ledger.next % FAMILIES.length]!);
    const scenario = drawScenario(seed);
    const { violation, covered } = await simulate(scenario);
    const failed = [...ledger.failed];
    if (violation !== null) {
      const { faults } = await shrink(scenario, violation.invariant);
      const one = { seed, message: violation.message, faults: faults.map((each) => each.kind) };
      failed.push(one);
      onFailed(one);
    }
    const counts = { ...ledger.covered };
    for (const one of covered) counts[one] = (counts[one] ?? 0) + 1;
    ledger = { next: ledger.next + 1, seeds: ledger.seeds + 1, failed, covered: counts };
    write(ledger);
  }
  return ledger;
}

const STATES = [...new Set(Object.values(LEGAL).flat())];

/** A line a fault: how many kinds of intent were seen in each state, and which states none was seen in. */
export function formatLedger({ seeds, failed, covered }: Ledger): string {
  const kindsIn = (fault: string, state: string): number =>
    Object.keys(covered).filter((one) => one.startsWith(`${fault} ${state} `)).length;
  const lines = FAULT_KINDS.map((fault) => {
    const counts = STATES.map((state) => [state, kindsIn(fault, state)] as const);
    const seen = counts.filter(([, count]) => count > 0);
    const never = counts.filter(([, count]) => count === 0).map(([state]) => state);
    const rest = never.length === 0 ? '' : `; never ${never.join(', ')}`;
    return `${fault}: ${seen.map(([state, count]) => `${state} ${count}`).join(', ')}${rest}`;
  });
  const all = FAULT_KINDS.length * STATES.length;
  const pairs = FAULT_KINDS.flatMap((fault) => STATES.filter((state) => kindsIn(fault, state) > 0));
  const share = ((pairs.length / all) * 100).toFixed(1);
  return [
    ...lines,
    `${seeds} seeds, ${failed.length} failed; ${pairs.length} of ${all} pairs of a fault and a state (${share} %), ` +
      `${Object.keys(covered).length} with a kind of intent`,
  ].join('\n');
}
