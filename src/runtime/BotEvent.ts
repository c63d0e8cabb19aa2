import type { StrategyFault, StrategyNotice } from '../strategy/index.ts';
import type { UncoveredAlarm } from './wallet/alarmUncovered.ts';
import type { PositionEvent } from './control/checkPositions.ts';
import type { StreamFaultEvent } from './wallet/createAskedStreams.ts';
import type { KillLatch } from './control/killLevels.ts';
import type { PipeEvent } from './PipeEvent.ts';
import type { KeyRotation } from './control/rotateKey.ts';
import type { StageTaken } from './control/promote.ts';
import type { LostStop } from './control/reattachStops.ts';
import type { RecoveryReport } from './recovery/recoverIntents.ts';
import type { TakeOver } from './recovery/reportTakeOver.ts';
import type { LifeEvent } from './RestartPolicy.ts';
import type { WalletEvent } from './wallet/WalletEvent.ts';
import type { WorkingOrders } from './control/workingOrders.ts';

/** What happens in a bot, for its record, its log and its progress display. */
export type BotEvent =
  | { kind: 'intent'; event: PipeEvent }
  | WalletEvent
  | PositionEvent
  | { kind: 'strategy_fault'; fault: StrategyFault }
  | { kind: 'strategy_life'; life: LifeEvent }
  | { kind: 'strategy_notice'; instance: string; notice: StrategyNotice }
  | StreamFaultEvent
  /** The service refuses the bot's key with this code (empty: none) and accepts nothing it sends. */
  | { kind: 'key_refused'; code: string }
  /** The service accepts the key that it refused before, as a read has shown. */
  | { kind: 'key_accepted' }
  /** Everything is signed with another key from now on. */
  | { kind: 'key_rotated'; rotation: KeyRotation }
  /** The key was to be replaced, and the old one stays in use; null: its files name the one in use again. */
  | { kind: 'key_rotation_refused'; reason: string | null }
  /** The journal was read and the strategies start. */
  | { kind: 'recovered'; report: RecoveryReport }
  /** Once, at the start: what is open in the bot's wallets, and its owner. */
  | { kind: 'taken_over'; takeOver: TakeOver }
  /** At the start: open records on the bot's symbols that aren't in its journal; they are not touched. */
  | { kind: 'foreign'; works: WorkingOrders }
  /** The bot is being flattened, and this much of a spot asset, which it did not buy, is left. Base units. */
  | { kind: 'holding_left'; wallet: string; symbol: string; size: number }
  /** A position has been without its exit for as long as the configuration allows; once a spell. */
  | { kind: 'uncovered'; alarm: UncoveredAlarm }
  /** The service retired a stop whose position is still open; with `protection: reattach`. */
  | { kind: 'stop_lost'; lost: LostStop }
  /** An instance entered too often and may not enter until an operator re-arms it. */
  | { kind: 'throttled'; instance: string; reason: string }
  /** An operator has paused a strategy, which adds no exposure; reason null: it goes on. */
  | { kind: 'strategy_paused'; instance: string; reason: string | null }
  /** A strategy went to another stage, and the version that trades may be another one. */
  | { kind: 'strategy_stage'; taken: StageTaken }
  /** A kill level was entered, or left. */
  | { kind: 'kill'; latch: KillLatch }
  /** Why no entry may be sent; empty when entries are open. */
  | { kind: 'gate'; reasons: readonly string[] };
