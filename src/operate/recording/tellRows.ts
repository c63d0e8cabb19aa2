import { createCountProgress, type CountProgressOptions } from '../progress/createCountProgress.ts';
import type { Recording } from './Recording.ts';

/** The same recording: who goes through its rows on a terminal is shown how far that is. */
export function tellRows(
  recording: Recording,
  { stream, now }: Omit<CountProgressOptions, 'unit'>,
): Recording {
  if (stream.isTTY !== true) return recording;
  let total = 0;
  for (const { lines } of recording.instances.values()) total += lines;
  return {
    ...recording,
    *rows() {
      const tell = createCountProgress({ stream, now, unit: 'lines' });
      let done = 0;
      tell({ done, total });
      try {
        for (const row of recording.rows()) {
          tell({ done: ++done, total });
          yield row;
        }
      } finally {
        // Who has seen enough leaves before the end, and the terminal's line with it.
        if (done < total) stream.write('\n');
      }
    },
  };
}
