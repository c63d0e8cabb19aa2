import { createCountProgress, type CountProgressOptions } from '../progress/createCountProgress.ts';
import type { Recording } from './Recording.ts';

/** The same recording, with progress on a terminal while its rows are read. */
export function createRowProgress(
  recording: Recording,
  { stream, now }: Omit<CountProgressOptions, 'unit'>,
): Recording {
  if (stream.isTTY !== true) return recording;
  let total = 0;
  for (const { lines } of recording.instances.values()) total += lines;
  return {
    ...recording,
    *rows() {
      const reportProgress = createCountProgress({ stream, now, unit: 'lines' });
      let done = 0;
      reportProgress({ done, total });
      try {
        for (const row of recording.rows()) {
          reportProgress({ done: ++done, total });
          yield row;
        }
      } finally {
        // A reader that stops before the end also clears the terminal's line.
        if (done < total) stream.write('\n');
      }
    },
  };
}
