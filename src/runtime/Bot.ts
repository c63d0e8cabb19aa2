import type { BudgetUse } from '../budget/index.ts';
import type { Observable } from 'rxjs';
import type { StrategyHost } from '../strategy/index.ts';
import type { Streams } from '../streams/index.ts';
import type { BotEvent } from './BotEvent.ts';
import type { BooksOfBotOptions } from './createBooks.ts';
import type { MembersOptions, Threads } from './members/createMembers.ts';
import type { OwnerDecision } from './control/createOwners.ts';
import type { Coverage } from './wallet/createCoverage.ts';
import type { Ledger } from './record/createLedger.ts';
import type { MomentListener } from './record/createMoments.ts';
import type { Settle } from './recovery/createSettle.ts';
import type { WalletBook } from './wallet/createWalletBook.ts';
import type { KillLevel } from './control/killLevels.ts';
import type { StopOptions } from './control/stopBot.ts';

export interface BotOptions extends BooksOfBotOptions {
  /** Needed where a strategy of the plan has an isolation. */
  threads?: Threads;
  /** Is given all that goes into a strategy instance, and what comes out. */
  record?: MembersOptions['record'];
  /** What a person says at this start of positions that have no owner. */
  decisions?: readonly OwnerDecision[];
}

export interface Bot {
  readonly events$: Observable<BotEvent>;
  /** Is told of each moment at which bars closed, once all that belongs to it is counted. */
  onMoment(listener: MomentListener): void;
  /** The newest such moment, over or not, epoch milliseconds; 0 before the first. */
  readonly moment: number;
  readonly streams: Streams;
  /** Subscribes; recovery and the strategies follow with the first snapshots. */
  start(): Promise<void>;
  /**
   * No further decisions; what the policy asks for is sent until the service shows that it is done, and what
   * is under way is concluded, within `limitMs`.
   */
  stop(options?: StopOptions): Promise<void>;
  /** Goes up to a kill level at once; only {@link Bot.rearm} goes down again. */
  kill(level: KillLevel, reason: string): Promise<void>;
  /**
   * What the present kill level could not end by the service's own word, a line each: nothing where all has
   * ended, or where the level ends nothing.
   */
  killed(): Promise<readonly string[]>;
  rearm(reason: string): Promise<void>;
  /** Ends an unresolved intent by a person's word; exposure and strategy follow. */
  readonly settle: Settle;
  readonly killLevel: KillLevel;
  readonly coverage: Coverage;
  /** Resolves when recovery is done and nothing is being sent. */
  settled(): Promise<void>;
  /** Sends at once what would go out after this turn; for a loop that must not wait on every bar. */
  flush(): void;
  /** {@link Bot.settled} would resolve at once; for a loop that must not wait on every bar. */
  isIdle(): boolean;
  readonly sends: number;
  readonly hosts: readonly StrategyHost[];
  ledgerOf(instance: string): Ledger;
  book(wallet: string): WalletBook;
  budget(): { used: number; limit: number };
  /** Weight that was spent since the start. */
  budgetUse(): BudgetUse;
  /** Weight that closing everything open would cost: what the budget keeps free for it. */
  exitWeight(): number;
}
