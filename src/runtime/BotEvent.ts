import type { StrategyFault, StrategyNotice } from '../strategy/index.ts';
import type { UncoveredAlarm } from './wallet/alarmUncovered.ts';
import type { PositionEvent } from './control/checkPositions.ts';
import type { StreamFaultEvent } from './wallet/createAskedStreams.ts';
import type { KillLatch } from './control/killLevels.ts';
import type { PipeEvent } from './PipeEvent.ts';
import type { LostStop } from './control/reattachStops.ts';
import type { RecoveryReport } from './recovery/recoverIntents.ts';
import type { TakeOver } from './recovery/reportTakeOver.ts';
import type { LifeEvent } from './RestartPolicy.ts';
import type { WalletEvent } from './wallet/WalletEvent.ts';
import type { WorkingOrders } from './control/workingOrders.ts';

/** What happens in a bot, for its record, its log and its progress. */
export type BotEvent =
  | { kind: 'intent'; event: PipeEvent }
  | WalletEvent
  | PositionEvent
  | { kind: 'strategy_fault'; fault: StrategyFault }
  | { kind: 'strategy_life'; life: LifeEvent }
  | { kind: 'strategy_notice'; instance: string; notice: StrategyNotice }
  | StreamFaultEvent
  /** The service refuses the bot's key, by this code (empty: none): nothing that it sends is taken. */
  | { kind: 'key_refused'; code: string }
  /** The journal was read and the strategies start. */
  | { kind: 'recovered'; report: RecoveryReport }
  /** Once, at the start: what is at work in the bot's wallets, and whose it is. */
  | { kind: 'taken_over'; takeOver: TakeOver }
  /** At the start: what works on the bot's symbols and isn't in its journal; it is left alone. */
  | { kind: 'foreign'; works: WorkingOrders }
  /** All of the bot's is to be flat; so much of a spot asset it did not buy, and leaves. Base units. */
  | { kind: 'holding_left'; wallet: string; symbol: string; size: number }
  /** A position has stood without its exit for as long as the configuration bears; once a spell. */
  | { kind: 'uncovered'; alarm: UncoveredAlarm }
  /** The service retired a stop whose position stands; with `protection: reattach`. */
  | { kind: 'stop_lost'; lost: LostStop }
  /** An instance entered too often and may not enter until a person re-arms. */
  | { kind: 'throttled'; instance: string; reason: string }
  /** A kill level was entered, or left. */
  | { kind: 'kill'; latch: KillLatch }
  /** Why no entry may be taken; empty when entries are open. */
  | { kind: 'gate'; reasons: readonly string[] };
