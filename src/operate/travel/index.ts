/** A bot as it was, from its recording or its journal alone. */
export { recordViews, type ViewRecording } from './recordViews.ts';
export type { Travel } from './Travel.ts';
export { travelJournal } from './travelJournal.ts';
export { travelRecording } from './travelRecording.ts';
