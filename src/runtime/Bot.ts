import type { BudgetStatus, BudgetUse } from '../budget/index.ts';
import type { Observable } from 'rxjs';
import type { StrategyHost } from '../strategy/index.ts';
import type { Streams } from '../streams/index.ts';
import type { BotEvent } from './BotEvent.ts';
import type { BooksOfBotOptions } from './createBooks.ts';
import type { MembersOptions, Threads } from './members/createMembers.ts';
import type { OwnerDecision } from './control/createOwnerDecisions.ts';
import type { OwnerStanding } from './control/createOwners.ts';
import type { SpotPosition } from './control/createSpotPositions.ts';
import type { Unanswered } from './control/listUnanswered.ts';
import type { Coverage } from './wallet/createCoverage.ts';
import type { Mark } from './wallet/createMarks.ts';
import type { Ledger } from './record/createLedger.ts';
import type { ColumnsListener, InstantListener } from './record/createInstants.ts';
import type { Settle } from './recovery/createSettle.ts';
import type { WalletBook } from './wallet/WalletBook.ts';
import type { KeyChanged, KeyRotation } from './control/rotateKey.ts';
import type { KillLevel } from './control/killLevels.ts';
import type { Stage } from './control/createStages.ts';
import type { StageStep } from './control/promote.ts';
import type { StopOptions } from './control/stopBot.ts';

export interface BotOptions extends BooksOfBotOptions {
  /** Required if a strategy of the plan runs in isolation. */
  threads?: Threads;
  /** Receives everything that goes into a strategy instance and everything that comes out. */
  record?: MembersOptions['record'];
  /** Receives what each instance computes, for a report; left out, nothing is collected. */
  onPlot?: MembersOptions['onPlot'];
  /** The operator's decisions at this start about positions without an owner. */
  decisions?: readonly OwnerDecision[];
}

export interface Bot {
  readonly events$: Observable<BotEvent>;
  /**
   * Called for each instant at which bars closed, once everything that belongs to it is counted.
   *
   * @param columns receives many instants at once; default: each by itself
   */
  onInstant(listener: InstantListener, columns?: ColumnsListener): void;
  /** The newest such instant, complete or not, epoch milliseconds; 0 before the first. */
  readonly instant: number;
  readonly streams: Streams;
  /** Subscribes; recovery runs and the strategies start with the first snapshots. */
  start(): Promise<void>;
  /**
   * Makes no further decisions. Sends what the stop policy asks for until the service confirms it, and
   * concludes what is in flight, within `limitMs`.
   */
  stop(options?: StopOptions): Promise<void>;
  /** Raises the kill level at once; only {@link Bot.rearm} lowers it. */
  kill(level: KillLevel, reason: string): Promise<void>;
  /**
   * What the present kill level could not end, as far as the service confirms, one line each. Empty if
   * everything has ended, or if the level ends nothing.
   */
  killed(): Promise<readonly string[]>;
  rearm(reason: string): Promise<void>;
  /**
   * Keeps one strategy from adding exposure, across restarts; its exits go on. In force at once.
   *
   * @throws what keeps it from being durable
   */
  pauseStrategy(instance: string, reason: string): Promise<void>;
  /** It may enter again. */
  resumeStrategy(instance: string, reason: string): Promise<void>;
  /**
   * Takes a strategy one stage up or down: the version that trades next takes over what is open, by name.
   *
   * @returns why it can't be done; undefined when it is done and durable
   * @throws what keeps it from being durable; the stage remains as it was
   */
  promote(instance: string, step: StageStep): Promise<string | undefined>;
  /** The stage of a strategy's new version; `shadow` where it has none. */
  stageOf(instance: string): Stage;
  /** Why an operator has paused a strategy; undefined if it is not paused. */
  paused(instance: string): string | undefined;
  /**
   * The link signs with another key from now on: refusals and scopes of the old one are forgotten, and what it sent
   * is not sent again. At once; resolves when the journal has it.
   *
   * @throws what keeps it from being durable
   */
  keyRotated(rotation: KeyRotation): Promise<void>;
  /** When the key in use was put in the place of another, also by an earlier process; undefined if it never was. */
  lastKeyChange(keyId: string): KeyChanged | undefined;
  /**
   * Journals who asked for a rotation that has happened already, and why.
   *
   * @throws what keeps it from being durable
   */
  keyConfirmed(rotation: Omit<KeyRotation, 'unanswered' | 'budget'>): Promise<void>;
  /** The key was to be replaced, and the old one stays in use; null: it is no longer to be replaced. */
  keyRotationRefused(reason: string | null): void;
  /** A read of someone else shows that the service accepts the key: the next refusal is news again. */
  keyAccepted(): void;
  /** Why a strategy that entered too often may not enter until it is re-armed; undefined if it may. */
  throttled(instance: string): string | undefined;
  /** Records durably what an operator asked for, and why. */
  audit(what: string, reason: string): Promise<void>;
  /** Ends an unresolved intent by an operator's decision; exposure and strategy are updated. */
  readonly settle: Settle;
  readonly killLevel: KillLevel;
  readonly coverage: Coverage;
  /** Resolves when recovery is done and nothing is being sent. */
  settled(): Promise<void>;
  /** Sends at once what would go out after this turn, for a loop that must not wait on every bar. */
  flush(): void;
  /** Whether {@link Bot.settled} would resolve at once, for a loop that must not wait on every bar. */
  isIdle(): boolean;
  /** Entries are closed since the start, until a second snapshot agrees with the first. */
  readonly isConfirming: boolean;
  readonly sends: number;
  readonly hosts: readonly StrategyHost[];
  ledgerOf(instance: string): Ledger;
  book(wallet: string): WalletBook;
  /**
   * The last price of a symbol that a strategy owns, or of a spot asset that a wallet holds; undefined before its first
   * bar.
   */
  mark(symbol: string): Mark | undefined;
  /** Who owns what a wallet has on a symbol. */
  ownerOf(wallet: string, symbol: string): OwnerStanding;
  /** A wallet's spot holdings, of which positions and their records have nothing. */
  spotPositions(wallet: string): readonly SpotPosition[];
  /** Intents of the journal that may have been executed and have no answer, oldest first. */
  unanswered(): readonly Unanswered[];
  /** Why a wallet takes no entry at all, beside what closes the bot's gate; empty when it may. */
  closedWallet(wallet: string): readonly string[];
  /** Why a wallet adds no exposure on some symbols, by symbol; empty when all are open. */
  closedSymbols(wallet: string): ReadonlyMap<string, string>;
  /** The rate budget now, and for how long the service has paused it, on the budget's clock; 0 if it has not. */
  budget(): Pick<BudgetStatus, 'used' | 'limit' | 'allowance' | 'heldForMs'>;
  /** Weight spent since the start. */
  budgetUse(): BudgetUse;
  /** Weight that closing everything open would cost: what the budget reserves for it. */
  exitWeight(): number;
}
