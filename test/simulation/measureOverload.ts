import { drawOverload } from './drawOverload.ts';
import { percentile } from './percentile.ts';
import { simulate, type SimResult } from './simulate.ts';

/** Totals of many overloaded hours. */
export interface OverloadFigures {
  hours: number;
  intents: number;
  sends: number;
  exits: number;
  /** Milliseconds that an exit waited for its turn, after a 429's `retry_after` was over. */
  exitWaitP99: number;
  exitWaitMax: number;
  /** Exits that waited noticeably. */
  starvedExits: number;
  /** Milliseconds until an unanswered intent was resolved. */
  findings: number;
  findingMax: number;
  /** 429s of the service itself; there is no other client. */
  own429s: number;
  /** Utilisation of a lane's share while it always had work: 1 is full. */
  lanes: Record<string, { hours: number; used: number }>;
  violations: string[];
}

const STARVED_MS = 10_000;
const HOUR_S = 3_600;

/** @param onHour called with the current state after each hour */
export async function measureOverload(
  seeds: readonly string[],
  onHour: (figures: OverloadFigures) => void = () => {},
): Promise<OverloadFigures> {
  const waits: number[] = [];
  const lanes = new Map<string, { seconds: number; used: number; may: number }>();
  const figures: OverloadFigures = {
    hours: 0,
    intents: 0,
    sends: 0,
    exits: 0,
    exitWaitP99: 0,
    exitWaitMax: 0,
    starvedExits: 0,
    findings: 0,
    findingMax: 0,
    own429s: 0,
    lanes: {},
    violations: [],
  };

  function add(seed: string, result: SimResult, countsWaits: boolean): void {
    figures.hours++;
    figures.intents += result.decisions;
    figures.sends += result.sends;
    figures.own429s += result.own429s;
    figures.findings += result.findings.length;
    figures.findingMax = Math.max(figures.findingMax, ...result.findings);
    // Exits wait only where they alone exceed the budget tenfold.
    if (countsWaits) for (const wait of result.exitWaits) waits.push(wait);
    for (const [lane, one] of result.lanes) {
      const sum = lanes.get(lane) ?? { seconds: 0, used: 0, may: 0 };
      lanes.set(lane, {
        seconds: sum.seconds + one.seconds,
        used: sum.used + one.used,
        may: sum.may + one.may,
      });
    }
    if (result.violation !== null) figures.violations.push(`${seed}: ${result.violation.message}`);
  }

  function close(): void {
    waits.sort((a, b) => a - b);
    figures.exits = waits.length;
    figures.exitWaitP99 = percentile(waits, 0.99);
    figures.exitWaitMax = waits.at(-1) ?? 0;
    figures.starvedExits = waits.filter((wait) => wait > STARVED_MS).length;
    for (const [lane, { seconds, used, may }] of lanes) {
      figures.lanes[lane] = { hours: seconds / HOUR_S, used: used / may };
    }
  }

  for (const seed of seeds) {
    const scenario = drawOverload(seed);
    add(seed, await simulate(scenario), scenario.load?.lane === 'entry');
    close();
    onHour(figures);
  }
  return figures;
}
