/** Records a strategy instance's inputs and replays them: host → lines → host. */
export { recordHost } from './recordHost.ts';
export { replayHost, type ReplayedHost } from './replayHost.ts';
export type { RecordedEmission, RecordedLine, TakeLine } from './RecordedLine.ts';
