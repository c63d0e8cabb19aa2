/** Recordings of the strategies' input: written by a run, read, replayed, compared. */
export * from './diffRecordings.ts';
export { findDifferences, MOST_REPORTED, type Difference } from './findDifference.ts';
export { openRecording, recordTo } from './openRecording.ts';
export { readRecording } from './readRecording.ts';
export type { RecordedBar, RecordedView } from './RecordedView.ts';
export type { Recording, RecordingHeader } from './Recording.ts';
export { hashEmissions, replayRecording, type InstanceReplay } from './replayRecording.ts';
export { createRowProgress } from './createRowProgress.ts';
export { writeRecording, type RecordingWriter } from './writeRecording.ts';
