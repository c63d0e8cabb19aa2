import { NEVER, Observable, type Subscriber } from 'rxjs';
import type { MarketClock } from '../../env/index.ts';
import { createMemoryState } from '../createState.ts';
import { createStrategyHost, type StrategyHostOptions } from '../createStrategyHost.ts';
import type { StrategySources } from '../StrategySources.ts';
import type { StrategyFault } from '../StrategyFault.ts';
import { mapSources } from './mapSources.ts';
import type { RecordedEmission, RecordedLine, TakeLine } from './RecordedLine.ts';

export type ReplayHostOptions = Omit<
  StrategyHostOptions,
  'sources' | 'market' | 'state' | 'random' | 'onIntent' | 'onFault'
> & {
  /** Created for each run of an instance, as in the bot. */
  createRandom(): StrategyHostOptions['random'];
};

export interface ReplayedHost {
  emissions: RecordedEmission[];
  faults: StrategyFault[];
  /** Sources that it requested, as a recording names them: `price BTC#1` is the second time. */
  asked: Set<string>;
  /** Those of them that its recording does not hold: they never delivered anything. */
  missing: Set<string>;
}

/**
 * Runs one instance offline on its recording: its lives one after the other. It yields before each line that
 * none of its calls waits for, so that several instances can be played in turns.
 */
export function* replayHost(
  take: TakeLine,
  options: ReplayHostOptions,
): Generator<void, ReplayedHost, void> {
  const replayed: ReplayedHost = {
    emissions: [],
    faults: [],
    asked: new Set(),
    missing: new Set(),
  };
  let current: RecordedLine | undefined;
  const next = (): RecordedLine | undefined => (current ??= take());
  const skip = (): void => (current = undefined);
  const life: Life = {
    next: () => (next()?.[0] === 'start' ? undefined : next()),
    skip,
  };
  for (let line = next(); line !== undefined; line = next()) {
    skip();
    if (line[0] === 'start') yield* runLife(line, life, options, replayed);
  }
  return replayed;
}

type Start = Extract<RecordedLine, ['start', ...unknown[]]>;

/** The recorded lines of one life, in order; a recording is too long to be held at once. */
interface Life {
  /** The next line; undefined at the life's end. */
  next(): RecordedLine | undefined;
  skip(): void;
}

function* runLife(
  [, startTime, state]: Start,
  life: Life,
  options: ReplayHostOptions,
  { emissions, faults, asked, missing }: ReplayedHost,
): Generator<void, void, void> {
  let now = startTime;
  let timers = 0;
  const counts = new Map<string, number>();
  const listeners = new Map<string, Subscriber<unknown>>();
  const pending = new Map<number, (isLate?: boolean) => void>();
  const held = new Set<string>();
  const wanted = new Set<string>();

  /** The lines delivered during a call, until it was done. */
  function deliverUntilDone(): void {
    for (let line = life.next(); line !== undefined; line = life.next()) {
      life.skip();
      if (line[0] === 'done') return;
      deliver(line);
    }
  }

  function deliver(line: RecordedLine): void {
    switch (line[0]) {
      case 'event':
        now = line[2];
        return listeners.get(line[1])?.next(line[3]);
      case 'failed':
        now = line[2];
        return listeners.get(line[1])?.error(new Error(line[3]));
      case 'timer':
        now = line[2];
        return pending.get(line[1])?.(line[3]);
      // The instance did this when it was recorded and does not now; what was delivered then is still
      // delivered.
      case 'subscribed':
        held.add(line[1]);
        return deliverUntilDone();
      case 'emitted':
        return deliverUntilDone();
      default:
    }
  }

  const market: MarketClock = {
    now: () => now,
    at(_time, run) {
      const id = timers++;
      pending.set(id, run);
      return () => void pending.delete(id);
    },
  };

  function recorded<T>(name: string): Observable<T> {
    return new Observable<T>((subscriber) => {
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      const source = `${name}#${count}`;
      listeners.set(source, subscriber as Subscriber<unknown>);
      asked.add(source);
      const next = life.next();
      // After the last line there is nothing left to deliver, and a file may be cut off within a turn.
      if (next !== undefined) wanted.add(source);
      if (next?.[0] === 'subscribed' && next[1] === source) {
        held.add(source);
        life.skip();
        deliverUntilDone();
      }
      return () => listeners.delete(source);
    });
  }

  const host = createStrategyHost({
    ...options,
    market,
    random: options.createRandom(),
    state: createMemoryState(state ?? undefined),
    sources: mapSources(nothing, (name) => recorded(name)),
    onFault: (fault) => void faults.push(fault),
    onIntent({ decisionKey, marketTime, intent }) {
      emissions.push({ decisionKey, marketTime, intent });
      if (life.next()?.[0] !== 'emitted') return;
      life.skip();
      deliverUntilDone();
    },
  });
  host.start();
  for (;;) {
    yield;
    const line = life.next();
    if (line === undefined) break;
    life.skip();
    deliver(line);
  }
  void host.stop();
  for (const source of wanted) if (!held.has(source)) missing.add(source);
}

/** Only the names of sources matter here. */
const nothing: StrategySources = {
  account$: NEVER,
  position: () => NEVER,
  balances$: NEVER,
  fills$: NEVER,
  orders$: NEVER,
  watch$: NEVER,
  executions$: NEVER,
  monitors$: NEVER,
  refs$: NEVER,
  candles: () => NEVER,
  price: () => NEVER,
  market: () => NEVER,
  book: () => NEVER,
  funding$: NEVER,
  outcomes$: NEVER,
};
