import type { PlotLine, PlotSink } from '../PlotLine.ts';
import type { FromThread } from './ThreadMessage.ts';

/** What a strategy computes for a report, on its way out of the thread. */
export interface RemotePlots {
  take: PlotSink;
  /** Sends what the turn computed, as one message. */
  flush(): void;
}

export function createRemotePlots(post: (message: FromThread) => void): RemotePlots {
  const known = new Map<PlotLine, number>();
  let lines: PlotLine[] = [];
  let values: number[] = [];
  const indexOf = (line: PlotLine): number => {
    const index = known.get(line);
    if (index !== undefined) return index;
    known.set(line, known.size);
    lines.push(line);
    return known.size - 1;
  };
  return {
    take: (line, time, value) => void values.push(indexOf(line), time, value),
    flush() {
      if (values.length === 0) return;
      post({ kind: 'plots', lines, values });
      lines = [];
      values = [];
    },
  };
}
