import { map, merge, ReplaySubject, Subscription, type Observable } from 'rxjs';
import type { MonitorRecord, WatchRow } from '../../contract/index.ts';
import type { AccountModel, Streams } from '../../streams/index.ts';
import { coverOf, type Coverage } from '../wallet/index.ts';

export interface CoverViews {
  streams: Streams;
  coverage: Coverage;
  /** How much of an order or an execution is filled, base units. */
  filledOf(id: string): number | undefined;
  /** Emits when a stop covers more than before. */
  grown$: Observable<void>;
}

/** Maintains what protects a wallet's positions: their legs, and monitors that were made of them. */
export function followCover(
  wallet: string,
  { streams, coverage, filledOf, grown$ }: CoverViews,
): Subscription {
  const source = streams.wallet(wallet);
  const subscription = new Subscription();
  // What the service refuses to show counts as no protection.
  const hiddenRows$ = new ReplaySubject<ReadonlyMap<string, WatchRow>>(1);
  const hiddenMonitors$ = new ReplaySubject<ReadonlyMap<string, MonitorRecord>>(1);
  let positions: AccountModel['positions'] | undefined;
  let rows: ReadonlyMap<string, WatchRow> | undefined;
  let monitors: ReadonlyMap<string, MonitorRecord> | undefined;
  /** Once all three are known, with each change of one of them. */
  function cover(): void {
    if (positions === undefined || rows === undefined || monitors === undefined) return;
    const input = { positions: positions.values(), rows: rows.values(), filledOf };
    coverage.see(wallet, coverOf(wallet, { ...input, monitors: monitors.values() }));
  }
  const sources = [
    streams.faults$.subscribe((fault) => {
      // What is asked for again shows by then what is known now.
      if (fault.kind !== 'refused' || fault.isAskedAgain === true) return;
      if (!source.isOf(fault.subscription)) return;
      const { channel } = fault.subscription;
      if (channel === 'tpsl.watch') hiddenRows$.next(new Map());
      if (channel === 'monitors') hiddenMonitors$.next(new Map());
    }),
    source.account$.subscribe((model) => {
      if (model.positions === positions) return;
      ({ positions } = model);
      cover();
    }),
    merge(hiddenRows$, source.watchRefused$.pipe(map(noRows)), source.watchModel$).subscribe(
      (next) => {
        rows = next;
        cover();
      },
    ),
    merge(
      hiddenMonitors$,
      source.monitorsRefused$.pipe(map(noMonitors)),
      source.monitorsModel$,
    ).subscribe((next) => {
      monitors = next;
      cover();
    }),
    grown$.subscribe(cover),
  ];
  for (const one of sources) subscription.add(one);
  return subscription;
}

const noRows = (): ReadonlyMap<string, WatchRow> => new Map();
const noMonitors = (): ReadonlyMap<string, MonitorRecord> => new Map();
