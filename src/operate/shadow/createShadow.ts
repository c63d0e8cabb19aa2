/**
 * The shadow of a strategy, as its bot sees it: bars go into its thread, intents and figures come out.
 *
 * Nothing of the bot waits for it, except a replay at maximum speed for the end of each of its turns, so that the
 * two advance together. Whatever the plugin does ends its thread and nothing else: it throws, floods, loops, exits
 * or takes too much memory.
 */
import type { Log, OpenThread, Timers } from '../../env/index.ts';
import type { Bot } from '../../runtime/index.ts';
import { createThreadTurns, type ThreadTurns } from '../../strategy/index.ts';
import { collectBars, type CandleReader } from './collectBars.ts';
import type { ComparedIntent } from './ComparedIntent.ts';
import { createCurve } from './createCurve.ts';
import { createIntentRows } from './createIntentRows.ts';
import {
  shortestBarMs,
  type Figures,
  type FromShadow,
  type ShadowSpec,
  type ToShadow,
} from './ShadowMessage.ts';
import { shadowProgram } from './shadowProgram.ts';
import type { ShadowCourse, ShadowState } from './ShadowView.ts';

export interface ShadowOptions {
  spec: ShadowSpec;
  openThread: OpenThread;
  timers: Timers;
  log: Log;
  /** Whether the bot waits for the end of each turn, as a replay at maximum speed does. */
  waits: boolean;
  /** Wall milliseconds that one turn may take. */
  turnDeadlineMs: number;
  /** Intents of each version that stay in memory: the newest. */
  mostIntents: number;
}

export interface Shadow extends CandleReader {
  /** Compares it with the bot's strategy from now on. */
  follow(bot: Pick<Bot, 'events$' | 'onInstant' | 'ledgerOf' | 'stageOf'>): void;
  course(): ShadowCourse;
  /** Grows with everything that changes its course. */
  readonly changes: number;
  /** Resolves when its last turn is over; within its deadline. */
  close(): Promise<void>;
}

export function createShadow(options: ShadowOptions): Shadow {
  const { spec, log } = options;
  const { instance } = spec;
  let changes = 0;
  let state: ShadowState = 'waiting';
  let reason: string | null = null;
  let [since, until, capital] = [0, 0, 0];
  let shadow: Figures | null = null;
  let live: Figures | null = null;
  let hash: string | null = null;
  let bot: Pick<Bot, 'ledgerOf'> | undefined;
  const curve = createCurve();
  const liveIntents = createBounded(options.mostIntents);
  const shadowIntents = createBounded(options.mostIntents);
  const closed = Promise.withResolvers<void>();
  let turns: ThreadTurns<ToShadow, never> | undefined = createThreadTurns<ToShadow, FromShadow>({
    openThread: options.openThread,
    program: shadowProgram,
    name: `shadow ${instance}`,
    data: spec,
    memoryMb: spec.memoryMb,
    timers: options.timers,
    waits: options.waits,
    turnDeadlineMs: options.turnDeadlineMs,
    hear,
    onEnd: (_kind, why) => end(why),
  });

  function hear(said: Exclude<FromShadow, { kind: 'sync' | 'ready' }>): void {
    if (turns === undefined) return;
    changes += 1;
    if (said.kind === 'fault') end(said.reason);
    else if (said.kind === 'log') log[said.level](said.message, said.fields);
    else if (said.kind === 'intents') shadowIntents.take(said.intents);
    else {
      until = said.at;
      shadow = said.figures ?? shadow;
      if (said.figures !== undefined) curve.shadow(said.at, said.figures.netPnl);
      if (said.hash === undefined) return;
      hash = said.hash;
      release('ended');
    }
  }

  function end(why: string): void {
    if (turns === undefined) return;
    reason = why;
    log.error('The shadow was ended; the live version goes on', { reason: why });
    release('quarantined');
  }

  /** Its version trades now: beside itself it would prove nothing. */
  function retire(stage: string): void {
    reason = `its version trades, at the stage ${stage}; a start at the stage shadow begins anew`;
    release('ended');
  }

  function release(next: ShadowState): void {
    state = next;
    changes += 1;
    turns?.close();
    turns = undefined;
    closed.resolve();
  }

  const collector = collectBars({
    symbols: spec.symbols,
    onBegin(startTime, history) {
      state = 'running';
      [since, until] = [startTime, startTime];
      capital = bot?.ledgerOf(instance).summary().capital ?? 0;
      turns?.post({ kind: 'begin', capital, startTime, history });
    },
    onBars: (bars) => turns?.post({ kind: 'bars', bars }),
  });

  return {
    get changes() {
      return changes;
    },
    take(symbol, interval, candles) {
      if (turns !== undefined) collector.take(symbol, interval, candles);
    },
    expect: collector.expect,
    follow(followed) {
      bot = followed;
      if (followed.stageOf(instance) !== 'shadow') return retire(followed.stageOf(instance));
      const rows = createIntentRows(instance);
      followed.events$.subscribe((event) => {
        if (turns === undefined) return;
        if (event.kind === 'strategy_stage' && event.taken.instance === instance)
          return retire(event.taken.to);
        rows.follow(event);
        if (event.kind === 'intent') liveIntents.take(rows.takeChanged());
      });
      followed.onInstant((time) => {
        if (turns === undefined || since === 0) return;
        live = sinceStart(followed.ledgerOf(instance));
        changes += 1;
        curve.live(time, live.netPnl);
      });
    },
    course: () => ({
      instance,
      use: spec.use,
      state,
      reason,
      since,
      until,
      capital,
      shadow,
      live,
      sizeSteps: Object.fromEntries(
        spec.instruments.map(({ symbol, size_decimals }) => [symbol, 10 ** -size_decimals]),
      ),
      barMs: shortestBarMs(spec),
      curve: curve.points(),
      hash,
      intentsSince: Math.max(since, liveIntents.since(), shadowIntents.since()),
      liveIntents: liveIntents.list(),
      shadowIntents: shadowIntents.list(),
    }),
    async close() {
      if (turns === undefined) return;
      if (state === 'waiting') return release('ended');
      if (bot !== undefined) {
        live = sinceStart(bot.ledgerOf(instance));
        curve.live(until, live.netPnl);
      }
      turns.post({ kind: 'end' });
      await closed.promise;
    },
  };
}

/** Without what a position had earned before the start: the shadow begins flat, with the equity that holds it. */
function sinceStart(ledger: Pick<ReturnType<Bot['ledgerOf']>, 'summary' | 'adopted'>): Figures {
  const figures = ledger.summary();
  const { net, open } = ledger.adopted();
  return {
    ...figures,
    realizedPnl: figures.realizedPnl - (net - open),
    unrealizedPnl: figures.unrealizedPnl - open,
    netPnl: figures.netPnl - net,
  };
}

/** The newest intents by decision: a later row of the same decision replaces the earlier one. */
function createBounded(most: number) {
  const rows = new Map<string, ComparedIntent>();
  /** Market time from which it has all of them. */
  let since = 0;
  function drop(): void {
    const [name, { time }] = rows.entries().next().value!;
    rows.delete(name);
    since = Math.max(since, time + 1);
  }
  return {
    take(intents: readonly ComparedIntent[]): void {
      for (const intent of intents) {
        const name = `${intent.cause}#${intent.ordinal}`;
        if (!rows.has(name) && rows.size >= most) drop();
        rows.set(name, intent);
      }
    },
    since: () => since,
    list: (): ComparedIntent[] => [...rows.values()],
  };
}
