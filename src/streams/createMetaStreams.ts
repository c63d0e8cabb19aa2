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
   * result; it is ignored once a frame has reported something newer, and then the result is false.
   */
  expectLayers(): (layers: Readonly<Record<string, string>>) => boolean;
  lost(): void;
}

/** Follows the channel that is always on. It has no snapshot to request: a gap is only reported. */
export function createMetaStreams(report: ReportFault): MetaStreams {
  const meta$ = new Subject<MetaEvent>();
  const connectivity$ = new BehaviorSubject<Readonly<Record<string, string>>>({});
  let next: number | null = null;

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
      const { seq, channel, params } = frame;
      const expected = next ?? seq;
      if (seq < expected) return;
      next = seq + 1;
      const isMeta = isChannelFrame(frame, '_meta');
      if (isMeta) updateConnectivity(frame);
      // After the frame counts: a report starts a read of the layers at once, which a newer frame would make void.
      if (seq > expected) report({ kind: 'gap', channel, params, expected, got: seq });
      if (isMeta) meta$.next(frame);
    },
    expectLayers() {
      const known = connectivity$.value;
      return (layers) => {
        const isNews = Object.entries(layers).some(([layer, status]) => known[layer] !== status);
        const isNewest = connectivity$.value === known;
        if (isNews && isNewest) connectivity$.next({ ...known, ...layers });
        return isNewest;
      };
    },
    lost: () => {
      next = null;
    },
  };
}
