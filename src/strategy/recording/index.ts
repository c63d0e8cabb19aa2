/** A strategy instance's inputs written down, and run again: host → lines → host. */
export { recordHost } from './recordHost.ts';
export { replayHost, type ReplayedHost, type ReplayHostOptions } from './replayHost.ts';
export type { RecordedEmission, RecordedLine, TakeLine } from './RecordedLine.ts';
