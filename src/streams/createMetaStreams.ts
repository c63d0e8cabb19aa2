import { BehaviorSubject, Subject, type Observable } from 'rxjs';
import type { ChannelFrame, StreamFrame } from '../contract/frames.ts';
import { isChannelFrame } from '../frames/isChannelFrame.ts';
import type { ReportFault } from './StreamFault.ts';

/** A frame of `_meta`: welcome, degraded, recovered, and of a paper service advanced (STR-4). */
export type MetaEvent = ChannelFrame<'_meta'>;

export interface MetaStreams {
  meta$: Observable<MetaEvent>;
  /** Latest known status by layer, at once and after each change. */
  connectivity$: Observable<Readonly<Record<string, string>>>;
  accept(frame: StreamFrame): void;
  /**
   * Call before layers are read, since a frame that reported them may have been lost. Pass what was read to the
   * result; it is ignored once a frame has reported something newer.
   */
  expectLayers(): (layers: Readonly<Record<string, string>>) => void;
  lost(): void;
}

/** Follows the channel that is always on. It has no snapshot to request: a gap is only reported. */
export function createMetaStreams(report: ReportFault): MetaStreams {
  const meta$ = new Subject<MetaEvent>();
  const connectivity$ = new BehaviorSubject<Readonly<Record<string, string>>>({});
  let next: number | null = null;

  const noticeOrder = ({ seq, channel, params }: StreamFrame): boolean => {
    if (next !== null && seq > next)
      report({ kind: 'gap', channel, params, expected: next, got: seq });
    const isNew = next === null || seq >= next;
    if (isNew) next = seq + 1;
    return isNew;
  };
  const updateConnectivity = (event: MetaEvent): void => {
    const known = connectivity$.value;
    if (event.event === 'welcome') connectivity$.next(event.data.connectivity);
    else if (event.event === 'degraded') {
      const { layer, status } = event.data;
      const word = typeof status === 'string' ? status : 'degraded';
      connectivity$.next({ ...known, [layer]: word });
    } else if (event.event === 'recovered')
      connectivity$.next({ ...known, [event.data.layer]: 'ok' });
  };

  return {
    meta$,
    connectivity$,
    accept(frame) {
      if (!noticeOrder(frame) || !isChannelFrame(frame, '_meta')) return;
      updateConnectivity(frame);
      meta$.next(frame);
    },
    expectLayers() {
      const known = connectivity$.value;
      return (layers) => {
        const isNews = Object.entries(layers).some(([layer, status]) => known[layer] !== status);
        if (isNews && connectivity$.value === known) connectivity$.next({ ...known, ...layers });
      };
    },
    lost: () => {
      next = null;
    },
  };
}
