import type { PositionRecord } from './records.ts';

/** Base units, positive long; 0 without a position. */
export const signedSize = (position: PositionRecord | undefined): number =>
  position === undefined ? 0 : position.side === 'short' ? -position.size : position.size;
