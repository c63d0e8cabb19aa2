/** The state: each wallet's book, exposure, open records, protection and marks. */
export {
  type AtWork,
  isOwn,
  keysOf,
  LIVE,
  monitorKeysOf,
  openKeys,
  ownEntries,
  ownEntryMonitors,
  ownEntryOrders,
  ownExitOrders,
  ownExits,
} from './AtWork.ts';
export { isSpot } from '../../contract/index.ts';
export type { WalletBook } from './WalletBook.ts';
export type { Liquidation, WalletEvent } from './WalletEvent.ts';
export { alarmUncovered } from './alarmUncovered.ts';
export { catchUpFills, LIST_LAG_MS } from './catchUpFills.ts';
export { agrees, confirmSnapshots } from './confirmSnapshots.ts';
export { type Accepted, createAccepted } from './createAccepted.ts';
export { type AskedStreams, createAskedStreams } from './createAskedStreams.ts';
export { createAtWork } from './createAtWork.ts';
export { type Coverage, coverOf, createCoverage, isOfLeg, isStop } from './createCoverage.ts';
export { persistUncovered } from './persistUncovered.ts';
export {
  createExposure,
  type Exposure,
  type OrderStanding,
  type RecordKind,
  type Resized,
} from './createExposure.ts';
export { createFilledSizes } from './createFilledSizes.ts';
export { createMissedLiquidations } from './createMissedLiquidations.ts';
export { createHoldings, type Holdings } from './createHoldings.ts';
export { createLearning } from './createLearning.ts';
export { createMarks, type Marks } from './createMarks.ts';
export { createReferences, type References } from './createReferences.ts';
export { createRefLog, type RefLog } from './createRefLog.ts';
export { createRefs, liveIdsOf, type Meant, type OpenRecords, type Refs } from './createRefs.ts';
export { openBooks } from './openBooks.ts';
export { actionOf, entryOf, openMonitors } from './openMonitors.ts';
export { orderEventsOf } from './orderEventsOf.ts';
export {
  type Reading,
  readStops,
  readWork,
  type Unread,
  type Unreadable,
  type WorkKind,
} from './readWork.ts';
export {
  createSnapshotCoverage,
  type Snapshot,
  type SnapshotCoverage,
} from './createSnapshotCoverage.ts';
export {
  clientIdOf,
  clientNameAsked,
  clientNameOf,
  kindOfRecord,
  recordIdsOf,
  standingOf,
} from './recordIdsOf.ts';
