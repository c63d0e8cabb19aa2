import type { ExecutionRecord, FillRecord } from '../contract/index.ts';
import type { StrategyFault, StrategyNotice } from '../strategy/index.ts';
import type { StreamFault } from '../streams/index.ts';
import type { UncoveredAlarm } from './alarmUncovered.ts';
import type { PositionDoubt } from './checkPositions.ts';
import type { Asker } from './createAskedStreams.ts';
import type { KillLatch } from './killLevels.ts';
import type { PipeEvent } from './PipeEvent.ts';
import type { LostStop } from './reattachStops.ts';
import type { RecoveryReport } from './recoverIntents.ts';
import type { TakeOver } from './reportTakeOver.ts';
import type { LifeEvent } from './RestartPolicy.ts';
import type { Works } from './whatWorks.ts';

/** A position that the venue took over, for want of margin; market time. */
export interface Liquidation {
  time: number;
  wallet: string;
  symbol: string;
  /** Whose symbol it is; undefined where it is nobody's of this bot. */
  instance: string | undefined;
}

/** What happens in a bot, for its record, its log and its progress. */
export type BotEvent =
  | { kind: 'intent'; event: PipeEvent }
  | { kind: 'fill'; instance: string | undefined; wallet: string; fill: FillRecord }
  | { kind: 'execution'; instance: string | undefined; execution: ExecutionRecord }
  /** Before the fill that it brings, which looks like any other. */
  | { kind: 'liquidation'; liquidation: Liquidation }
  | { kind: 'strategy_fault'; fault: StrategyFault }
  | { kind: 'strategy_life'; life: LifeEvent }
  | { kind: 'strategy_notice'; instance: string; notice: StrategyNotice }
  /** With who asked for the stream, where it is refused. */
  | { kind: 'stream_fault'; fault: StreamFault; askers: readonly Asker[] }
  /** The service refuses the bot's key, by this code (empty: none): nothing that it sends is taken. */
  | { kind: 'key_refused'; code: string }
  /** The journal was read and the strategies start. */
  | { kind: 'recovered'; report: RecoveryReport }
  /** Once, at the start: what is at work in the bot's wallets, and whose it is. */
  | { kind: 'taken_over'; takeOver: TakeOver }
  /** At the start: what works on the bot's symbols and isn't in its journal; it is left alone. */
  | { kind: 'foreign'; works: Works }
  /** All of the bot's is to be flat; so much of a spot asset it did not buy, and leaves. Base units. */
  | { kind: 'holding_left'; wallet: string; symbol: string; size: number }
  /** A position has stood without its exit for as long as the configuration bears; once a spell. */
  | { kind: 'uncovered'; alarm: UncoveredAlarm }
  /** A wallet's position is not what its fills make of it; entries of the symbol are closed. */
  | { kind: 'position_doubted'; doubt: PositionDoubt }
  /** A fresh snapshot agreed with the view before it: entries of the symbol are open again. */
  | { kind: 'position_confirmed'; wallet: string; symbol: string; size: number }
  /** The service retired a stop whose position stands; with `protection: reattach`. */
  | { kind: 'stop_lost'; lost: LostStop }
  /** An instance entered too often and may not enter until a person re-arms. */
  | { kind: 'throttled'; instance: string; reason: string }
  /** A kill level was entered, or left. */
  | { kind: 'kill'; latch: KillLatch }
  /** Why no entry may be taken; empty when entries are open. */
  | { kind: 'gate'; reasons: readonly string[] };
