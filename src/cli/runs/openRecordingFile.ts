import { readRecording, type Recording } from '../../operate/recording/index.ts';
import { CommandFailure, runFailed } from '../failures/CommandFailure.ts';

/**
 * A recording to replay or to compare. Warns on stderr if it is truncated: missing data would look like
 * events that did not happen.
 *
 * @throws CommandFailure if it can't be read or is empty
 */
export function openRecordingFile(path: string): Recording {
  const recording = readRecording(path);
  if (!recording.ok) throw runFailed(recording.failure);
  refuseEmpty(path, recording.value);
  if (!recording.value.isComplete) {
    process.stderr.write(
      `${path} is cut off: it ends before its bot did. It is read to its last checksum.\n`,
    );
  }
  return recording.value;
}

/** Two empty recordings would count as equal. */
function refuseEmpty(path: string, { instances, isComplete }: Recording): void {
  if ([...instances.values()].some(({ lines }) => lines > 0)) return;
  const what = isComplete
    ? 'its strategies saw nothing'
    : 'it is cut off before its first checksum';
  throw new CommandFailure(
    'TRIMTAB_RECORDING_EMPTY',
    `${path} holds nothing to replay: ${what}.\n  Take a copy that is whole, or record again.`,
  );
}
