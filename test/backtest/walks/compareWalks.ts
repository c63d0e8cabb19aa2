import type { driveReplay } from '../../../backtest/driveReplay.ts';
import { runDirect, runDriven, type ParityRun, type ParityTape } from '../runParity.ts';
import { firstDifference } from './describeRun.ts';
import { drawRun, type DrawnRun } from './drawRun.ts';

/** Two walks of a drawn run that should be the same. */
export interface Compared {
  drawn: DrawnRun;
  exact: ParityRun;
  /** The first line that differs: of the exact walk, and of the other. */
  difference: readonly [string, string] | undefined;
}

export interface OtherWalk {
  drive?: typeof driveReplay | undefined;
  /** Another tape, for a planted difference. */
  change?(tape: ParityTape): ParityTape;
  /** Called before the other walk: plants a difference in code that all runs share, and returns what takes it away. */
  plant?(): () => void;
}

/** Runs a drawn case by the definition of a walk, and as a backtest does. */
export async function compareWalks(
  seed: string,
  { drive, change = (tape) => tape, plant = () => () => {} }: OtherWalk = {},
): Promise<Compared> {
  const drawn = drawRun(seed);
  const tape = { ...drawn.tape, isDescribed: true };
  const exact = await runDirect(tape);
  const uproot = plant();
  const other = await runDriven(change(tape), drive).finally(uproot);
  return { drawn, exact, difference: firstDifference(exact.lines!, other.lines!) };
}

/** What a number of cases covered: each trait, and each kind of intent with its last state, by count. */
export class Coverage {
  readonly #counts = new Map<string, number>();

  take({ drawn, exact }: Compared): void {
    for (const trait of drawn.traits) this.#add(trait);
    for (const { intent, states } of exact.intents) {
      const { kind } = (JSON.parse(intent) as { intent: { kind: string } }).intent;
      this.#add(`${kind} ${states.at(-1)!.split(' ')[0]}`);
    }
    for (const { state } of exact.lives) this.#add(`life ${state}`);
    for (const line of exact.lines!) if (line.startsWith('liquidations ')) this.#add('liquidation');
  }

  count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  #add(name: string): void {
    this.#counts.set(name, this.count(name) + 1);
  }
}
