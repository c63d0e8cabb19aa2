import type { ExecutionRecord, FillRecord } from '../contract/index.ts';
import type { StrategyFault } from '../strategy/index.ts';
import type { StreamFault } from '../streams/index.ts';
import type { UncoveredAlarm } from './alarmUncovered.ts';
import type { KillLatch } from './killLevels.ts';
import type { PipeEvent } from './PipeEvent.ts';
import type { RecoveryReport } from './recoverIntents.ts';
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
  | { kind: 'stream_fault'; fault: StreamFault }
  /** The service refuses the bot's key, by this code (empty: none): nothing that it sends is taken. */
  | { kind: 'key_refused'; code: string }
  /** The journal was read and the strategies start. */
  | { kind: 'recovered'; report: RecoveryReport }
  /** At the start: what works on the bot's symbols and isn't in its journal; it is left alone. */
  | { kind: 'foreign'; works: Works }
  /** A position has stood without its exit for as long as the configuration bears; once a spell. */
  | { kind: 'uncovered'; alarm: UncoveredAlarm }
  /** An instance entered too often and may not enter until a person re-arms. */
  | { kind: 'throttled'; instance: string; reason: string }
  /** A kill level was entered, or left. */
  | { kind: 'kill'; latch: KillLatch }
  /** Why no entry may be taken; empty when entries are open. */
  | { kind: 'gate'; reasons: readonly string[] };
