import { NEVER, Observable, type Subscriber } from 'rxjs';
import type { MarketClock } from '../../env/index.ts';
import { createMemoryState } from '../createState.ts';
import { createStrategyHost, type StrategyHostOptions } from '../createStrategyHost.ts';
import type { StrategySources } from '../StrategySources.ts';
import type { StrategyFault } from '../StrategyFault.ts';
import { mapSources } from './mapSources.ts';
import type { RecordedEmission, RecordedLine } from './RecordedLine.ts';

export type ReplayHostOptions = Omit<
  StrategyHostOptions,
  'sources' | 'market' | 'state' | 'random' | 'onIntent' | 'onFault'
> & {
  /** Made anew for each life, as the bot does. */
  createRandom(): StrategyHostOptions['random'];
};

export interface ReplayedHost {
  emissions: RecordedEmission[];
  faults: StrategyFault[];
  /** Sources that it asked for, as a recording names them: `price BTC#1` is the second time. */
  asked: Set<string>;
  /** Those of them that its recording does not hold: they never told it anything. */
  missing: Set<string>;
}

/** Runs one instance on what was recorded of it, offline: its lives one after the other. */
export function replayHost(
  lines: readonly RecordedLine[],
  options: ReplayHostOptions,
): ReplayedHost {
  const replayed: ReplayedHost = {
    emissions: [],
    faults: [],
    asked: new Set(),
    missing: new Set(),
  };
  const starts = lines.flatMap(([kind], at) => (kind === 'start' ? [at] : []));
  for (const [index, from] of starts.entries()) {
    const life = lines.slice(from, starts[index + 1]);
    runLife(life, options, replayed);
  }
  return replayed;
}

function runLife(
  lines: readonly RecordedLine[],
  options: ReplayHostOptions,
  { emissions, faults, asked, missing }: ReplayedHost,
): void {
  const [, startTime, state] = lines[0] as Extract<RecordedLine, ['start', ...unknown[]]>;
  let at = 1;
  let now = startTime;
  let timers = 0;
  const counts = new Map<string, number>();
  const listeners = new Map<string, Subscriber<unknown>>();
  const pending = new Map<number, () => void>();
  const held = new Set<string>();
  const wanted = new Set<string>();

  /** What was told while a call was on, until it was done. */
  function tellUntilDone(): void {
    while (at < lines.length) {
      const line = lines[at++]!;
      if (line[0] === 'done') return;
      tell(line);
    }
  }

  function tell(line: RecordedLine): void {
    switch (line[0]) {
      case 'event':
        now = line[2];
        return listeners.get(line[1])?.next(line[3]);
      case 'failed':
        now = line[2];
        return listeners.get(line[1])?.error(new Error(line[3]));
      case 'timer':
        now = line[2];
        return pending.get(line[1])?.();
      // The instance did this when it was recorded and does not now; what was told it still is.
      case 'subscribed':
        held.add(line[1]);
        return tellUntilDone();
      case 'emitted':
        return tellUntilDone();
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
      const next = lines[at];
      // After the last line there is nothing left to tell, and a file may be cut off within a turn.
      if (next !== undefined) wanted.add(source);
      if (next?.[0] === 'subscribed' && next[1] === source) {
        held.add(source);
        at++;
        tellUntilDone();
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
      if (lines[at]?.[0] !== 'emitted') return;
      at++;
      tellUntilDone();
    },
  });
  host.start();
  while (at < lines.length) tell(lines[at++]!);
  void host.stop();
  for (const source of wanted) if (!held.has(source)) missing.add(source);
}

/** Only the names of sources matter here. */
const nothing: StrategySources = {
  account$: NEVER,
  position: () => NEVER,
  fills$: NEVER,
  watch$: NEVER,
  executions$: NEVER,
  candles: () => NEVER,
  price: () => NEVER,
  outcomes$: NEVER,
};
