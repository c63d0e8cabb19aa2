import { Observable } from 'rxjs';
import { reasonOf, type MarketClock } from '../../env/index.ts';
import type { StrategyHostOptions } from '../createStrategyHost.ts';
import { mapSources } from './mapSources.ts';
import type { RecordedLine } from './RecordedLine.ts';

type Recorded = Pick<StrategyHostOptions, 'market' | 'sources' | 'state' | 'onIntent'>;

/**
 * A host's options with a recorder in between, which writes down everything that goes into the instance and
 * what it emits. Market time is constant while the instance processes one input, so that the recording holds
 * every time that it can have seen.
 */
export function recordHost<Options extends Recorded>(
  options: Options,
  write: (line: RecordedLine) => void,
): Options {
  let now = options.market.now();
  let timers = 0;
  const counts = new Map<string, number>();
  const arrive = (): number => (now = options.market.now());

  const market: MarketClock = {
    now: () => now,
    at(time, run) {
      const id = timers++;
      return options.market.at(time, (isLate = false) => {
        write(isLate ? ['timer', id, arrive(), true] : ['timer', id, arrive()]);
        run(isLate);
      });
    },
  };

  /** Distinguishes a subscription from earlier ones of the same source. */
  function recorded<T>(name: string, source$: Observable<T>): Observable<T> {
    return new Observable<T>((subscriber) => {
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      const source = `${name}#${count}`;
      write(['subscribed', source]);
      const subscription = source$.subscribe({
        next(event) {
          write(['event', source, arrive(), event]);
          subscriber.next(event);
        },
        error(error: unknown) {
          write(['failed', source, arrive(), reasonOf(error)]);
          subscriber.error(error);
        },
        complete: () => subscriber.complete(),
      });
      write(['done']);
      return subscription;
    });
  }

  write(['start', now, options.state.read() ?? null]);
  return {
    ...options,
    market,
    sources: mapSources(options.sources, recorded),
    onIntent(emission) {
      const { decisionKey, marketTime, intent } = emission;
      write(['emitted', { decisionKey, marketTime, intent }]);
      options.onIntent(emission);
      write(['done']);
    },
  };
}
