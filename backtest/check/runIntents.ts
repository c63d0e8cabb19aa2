import type { Env } from '../../src/env/index.ts';
import {
  runTape,
  stepMsOf,
  type LoadedTape,
  type PaperRun,
  type RunResult,
} from '../../src/operate/run/index.ts';
import { type Bot, runReplay } from '../../src/runtime/index.ts';
import { openDirectVenue } from '../openDirectVenue.ts';

/** An intent as it was decided: the part that must be the same in every run. */
export interface DecidedIntent {
  decisionKey: string;
  instance: string;
  /** Market time of the decision, epoch milliseconds: the close of its bar. */
  time: number;
  /** Everything but its note, which has no effect. */
  intent: unknown;
}

/** Costs of a run, quote units. */
export interface Costs {
  venueFees: number;
  serviceFees: number;
  notional: number;
}

export interface CheckedRun {
  intents: readonly DecidedIntent[];
  costs: Costs;
  run: PaperRun;
}

export interface RunIntentsOptions {
  tape: LoadedTape;
  live: Env;
  startTime?: number | undefined;
  /** Default: never. */
  isStopped?(): boolean;
  /** Bar by bar with promises between, as over sockets. */
  isStepped?: boolean;
}

const silent = { update: () => {}, finish: () => {} };

/** Runs one backtest and returns its intents. */
export async function runIntents(options: RunIntentsOptions): Promise<RunResult<CheckedRun>> {
  const { tape, live, startTime, isStepped = false, isStopped = () => false } = options;
  const direct = openDirectVenue(tape, { live, startTime });
  const { link } = direct;
  const venue = isStepped
    ? {
        ...direct,
        drive: async ({ bot }: { bot: Bot }) => {
          const { controls } = link;
          const end = await runReplay({ controls, link, stepMs: stepMsOf(tape.paper), bot });
          return end.time;
        },
      }
    : direct;
  const intents = new Map<string, DecidedIntent>();
  const costs: Costs = { venueFees: 0, serviceFees: 0, notional: 0 };
  const onBot = (bot: Bot): void => {
    bot.events$.subscribe((event) => {
      if (event.kind === 'fill') {
        const { fill } = event;
        costs.venueFees += fill.venue_fee ?? fill.fee;
        costs.serviceFees += fill.service_fee ?? 0;
        costs.notional += fill.price * fill.size;
      } else if (event.kind === 'intent' && !intents.has(event.event.key)) {
        const { decisionKey, instance, marketTime, intent } = event.event.emission;
        // A note is for readers: it is journaled but never sent, so its digits do not matter.
        const { note: _note, ...decided } = intent;
        intents.set(event.event.key, { decisionKey, instance, time: marketTime, intent: decided });
      }
    });
  };
  const run = await runTape({
    tape,
    endsOutsideTurn: false,
    venue,
    progress: silent,
    isStopped,
    onBot,
  });
  if (!run.ok) return run;
  return { ok: true, value: { intents: [...intents.values()], costs, run: run.value } };
}
