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
  /** A snapshot is owed again and again; once it is read otherwise, {@link beginReading} takes it. */
  missing$: Observable<void>;
  beginReading(): RecordReading<R>;
}

/** What is read elsewhere in place of a snapshot; what frames show from its beginning on is newer. */
export interface RecordReading<R> {
  /**
   * @param isLacking whether a known record may be missing in what was read, so that its absence says nothing; then not
   *   all were shown
   * @returns whether it was taken: a snapshot may have come by now, or frames may have been lost meanwhile
   */
  takes(records: readonly R[], isLacking?: (known: R) => boolean): boolean;
  /**
   * The service refuses that, too.
   *
   * @returns whether that counts, as what is taken does
   */
  refused(): boolean;
  /** Nothing was read. */
  failed(): void;
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
  const missing = new Subject<void>();
  /** What frames have shown since each reading began, which may be older; undefined for what has ended by its event. */
  const readings = new Set<Map<string, R | undefined>>();
  /** Of which only the event says so. */
  const endedByEvent = new Set<R>();
  const late = new LateRecords();

  const takeAll = (records: readonly R[]): void => {
    const gone = missingIn(records, model$.value, shape).filter((one) => !endedByEvent.has(one));
    endedByEvent.clear();
    refused$.next(false);
    model$.next(fromList(records, shape));
    for (const record of records) events.next(toEvent('snapshot', record));
    for (const record of gone) events.next(toEvent('gone', record));
  };
  const takeSnapshot = (data: Readonly<Record<string, unknown>>): void => {
    // It is newer than what is still being read.
    readings.clear();
    late.startOver();
    takeAll(data[shape.list] as R[]);
    snapshots.next();
  };
  const takeRecord = ({ event, seq }: StreamFrame, record: R, order: FrameOrder): void => {
    if (!late.isNews(shape.idOf(record), seq, order) && shape.states.has(event)) return;
    const model = model$.value;
    const endsByEvent = shape.hasEnded(record, event) && !shape.hasEnded(record, '');
    if (order !== 'late') {
      for (const shown of readings) shown.set(shape.idOf(record), endsByEvent ? undefined : record);
    }
    if (model !== null && order !== 'late') {
      if (endsByEvent) endedByEvent.add(record);
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
    // What is read now may lack what the lost frames showed.
    incomplete: () => readings.clear(),
    refused: () => refused$.next(true),
    missing: () => missing.next(),
    forget() {
      readings.clear();
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
    missing$: holding(feed, missing),
    beginReading() {
      const shown = new Map<string, R | undefined>();
      readings.add(shown);
      return {
        takes(records, isLacking) {
          if (!readings.delete(shown)) return false;
          const known =
            isLacking === undefined ? [] : [...(model$.value?.values() ?? [])].filter(isLacking);
          const newest = new Map([...known, ...records].map((one) => [shape.idOf(one), one]));
          for (const [id, record] of shown) {
            if (record === undefined) newest.delete(id);
            else newest.set(id, record);
          }
          feed.wasRead();
          takeAll([...newest.values()]);
          if (isLacking === undefined) snapshots.next();
          return true;
        },
        refused() {
          if (!readings.delete(shown)) return false;
          feed.wasRead();
          refused$.next(true);
          return true;
        },
        failed: () => void readings.delete(shown),
      };
    },
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
