import { BehaviorSubject, filter, Subject, type Observable } from 'rxjs';
import type { StreamFrame } from '../contract/frames.ts';
import { isKnownEvent } from '../frames/isChannelFrame.ts';
import type { ChannelFeed, FeedHandler, FrameOrder } from './ChannelFeed.ts';
import { holding } from './holding.ts';
import { LateRecords } from './LateRecords.ts';

/** How the records of a channel are identified, and which of them have ended. */
export interface RecordShape<R> {
  /** Name of the snapshot's list. */
  list: string;
  idOf(record: R): string;
  /** What stays if the service gives the record another id. */
  nameOf?(record: R): string | null | undefined;
  hasEnded(record: R, event: string): boolean;
  /** Events that say only in which state a record is: after a later one they say nothing, and do not pass. */
  states: ReadonlySet<string>;
  /** Of its last change, epoch milliseconds: by it the newest of those that have ended are known. */
  timeOf?(record: R): number;
}

export interface RecordStreams<E, R> {
  /**
   * Each event with its record; a snapshot passes as one `snapshot` event a record, and one `gone` with the last record
   * of each that had not ended and that it lacks.
   */
  events$: Observable<E>;
  /** Records by id, the latest at once. Ended ones are retained for a while, the oldest dropped first. */
  model$: Observable<ReadonlyMap<string, R>>;
  /** Each snapshot, once the model is that and its events have passed. */
  snapshots$: Observable<void>;
  /** The service refuses to show them for good; the latest at once. */
  refused$: Observable<unknown>;
}

const MOST_ENDED = 64;

/** Streams of a channel whose events carry one whole record each: watches, executions, monitors. */
export function createRecordStreams<E, R>(
  createFeed: (handler: FeedHandler) => ChannelFeed,
  shape: RecordShape<R>,
  toEvent: (event: string, record: R) => E,
): RecordStreams<E, R> {
  const model$ = new BehaviorSubject<ReadonlyMap<string, R> | null>(null);
  const events = new Subject<E>();
  const snapshots = new Subject<void>();
  const refused$ = new BehaviorSubject(false);
  /** Of which only the event says so. */
  const endedByEvent = new Set<R>();
  const late = new LateRecords();

  const takeSnapshot = (data: Readonly<Record<string, unknown>>): void => {
    const records = data[shape.list] as R[];
    const gone = missingIn(records, model$.value, shape).filter((one) => !endedByEvent.has(one));
    endedByEvent.clear();
    refused$.next(false);
    late.startOver();
    model$.next(fromList(records, shape));
    for (const record of records) events.next(toEvent('snapshot', record));
    for (const record of gone) events.next(toEvent('gone', record));
    snapshots.next();
  };
  const takeRecord = ({ event, seq }: StreamFrame, record: R, order: FrameOrder): void => {
    if (!late.isNews(shape.idOf(record), seq, order) && shape.states.has(event)) return;
    const model = model$.value;
    if (model !== null && order !== 'late') {
      if (shape.hasEnded(record, event) && !shape.hasEnded(record, '')) endedByEvent.add(record);
      model$.next(withRecord(model, { shape, event, record }));
    }
    events.next(toEvent(event, record));
  };
  const handler: FeedHandler = {
    apply(frame: StreamFrame, order) {
      if (!isKnownEvent(frame)) return;
      if (frame.event === 'snapshot') takeSnapshot(frame.data as Record<string, unknown>);
      else takeRecord(frame, frame.data as R, order);
    },
    incomplete: () => {},
    refused: () => refused$.next(true),
    forget() {
      model$.next(null);
      refused$.next(false);
    },
  };

  const feed = createFeed(handler);
  const isKnown = (model: ReadonlyMap<string, R> | null) => model !== null;
  return {
    events$: holding(feed, events),
    model$: holding(feed, model$.pipe(filter(isKnown))),
    snapshots$: holding(feed, snapshots),
    refused$: holding(feed, refused$.pipe(filter(Boolean))),
  };
}

/** A service may list all that has ended; nothing is dropped of what has not. */
function fromList<R>(records: readonly R[], shape: RecordShape<R>): ReadonlyMap<string, R> {
  const { idOf, timeOf = () => 0 } = shape;
  const model = new Map(records.map((record) => [idOf(record), record]));
  const ended = records.filter((record) => shape.hasEnded(record, ''));
  if (ended.length <= MOST_ENDED) return model;
  const oldest = ended.sort((a, b) => timeOf(a) - timeOf(b)).slice(0, -MOST_ENDED);
  for (const record of oldest) model.delete(idOf(record));
  return model;
}

/** What had not ended, and is not among these. */
function missingIn<R>(
  records: readonly R[],
  known: ReadonlyMap<string, R> | null,
  { idOf, nameOf = () => undefined, hasEnded }: RecordShape<R>,
): R[] {
  if (known === null) return [];
  const shown = new Set(records.flatMap((record) => [idOf(record), nameOf(record)]));
  return [...known.values()].filter((record) => {
    const name = nameOf(record);
    const isShown = shown.has(idOf(record)) || (name != null && shown.has(name));
    return !isShown && !hasEnded(record, '');
  });
}

interface Change<R> {
  shape: RecordShape<R>;
  event: string;
  record: R;
}

function withRecord<R>(
  model: ReadonlyMap<string, R>,
  { shape, event, record }: Change<R>,
): ReadonlyMap<string, R> {
  const changed = new Map(model);
  const id = shape.idOf(record);
  if (shape.hasEnded(record, event)) {
    // Deleted and set again, so that the order of the map is the order of the ends.
    changed.delete(id);
    forgetOldest(changed, shape);
  }
  return changed.set(id, record);
}

function forgetOldest<R>(model: Map<string, R>, shape: RecordShape<R>): void {
  const ended = [...model].filter(([, record]) => shape.hasEnded(record, ''));
  if (ended.length >= MOST_ENDED) model.delete(ended[0]![0]);
}
