import type {
  ExecutionRecord,
  FillRecord,
  MonitorRecord,
  OrderRecord,
} from '../../contract/index.ts';
import type { Outcome } from '../Outcome.ts';

/** What concerns one intent that was proposed with a `ref`. */
export type RefEvent = { ref: string; decisionKey: string } & RefNews;

export type RefNews =
  | { kind: 'outcome'; outcome: Outcome }
  /** `answered`: by the answer to a request, which a frame of the same time is newer than. */
  | { kind: 'order'; order: OrderRecord; answered?: true }
  | { kind: 'execution'; execution: ExecutionRecord; answered?: true }
  | { kind: 'monitor'; monitor: MonitorRecord; answered?: true }
  | { kind: 'fill'; fill: FillRecord }
  /** It was open before an outage, and the snapshot after it lacks it. */
  | { kind: 'gone'; id: string };

/** A record of the streams with the `ref` of the intent that it belongs to, if that intent had one. */
export type WithRef<R> = R & { ref?: string };
