import type { InstrumentRecord, Scope, Side } from '../../contract/index.ts';
import type { GuardSnapshot } from '../../guards/index.ts';
import {
  isSpot,
  type Coverage,
  type Exposure,
  type Marks,
  type References,
  type WalletBook,
} from '../wallet/index.ts';
import type { EntryGate, Owners, Throttle } from '../control/index.ts';
import { OPERATOR } from '../operator.ts';
import type { RowReservations } from './createRowReservations.ts';

/** The sources of every guard's view. */
export interface GuardSources {
  marks: Marks;
  exposure: Exposure;
  gate: EntryGate;
  coverage: Coverage;
  throttle: Throttle;
  refusedScopes: ReadonlySet<Scope>;
  slots: RowReservations;
  references: References;
  owners: Pick<Owners, 'holdsOn' | 'ignores'>;
  instruments: ReadonlyMap<string, InstrumentRecord>;
}

/** The intent's instance and the time of evaluation. */
export interface GuardSubject {
  /** Market time, epoch milliseconds. */
  now: number;
  present: number;
  wallet: string;
  instance: string;
  book: WalletBook;
  ownedSymbols: readonly string[];
  keyScopes: readonly Scope[] | null;
  declaredScopes: readonly Scope[] | undefined;
  recentIntents: number;
}

/**
 * One intent's snapshot: what a guard needs is read on access, all at the same instant. A class, since most
 * intents need little of it and an object literal with getters is slow to create.
 */
export class GuardView implements GuardSnapshot {
  readonly now: number;
  readonly present: number;
  readonly ownedSymbols: readonly string[];
  readonly keyScopes: readonly Scope[] | null;
  readonly declaredScopes: readonly Scope[] | undefined;
  readonly recentIntents: number;
  readonly #sources: GuardSources;
  readonly #book: WalletBook;
  readonly #wallet: string;
  readonly #instance: string;
  #exposed: readonly string[] | undefined;

  constructor(sources: GuardSources, subject: GuardSubject) {
    this.now = subject.now;
    this.present = subject.present;
    this.ownedSymbols = subject.ownedSymbols;
    this.keyScopes = subject.keyScopes;
    this.declaredScopes = subject.declaredScopes;
    this.recentIntents = subject.recentIntents;
    this.#sources = sources;
    this.#book = subject.book;
    this.#wallet = subject.wallet;
    this.#instance = subject.instance;
  }

  readonly #sizeOf = (order: string): number | undefined => this.#book.order(order)?.size;

  get gate(): readonly string[] {
    const { gate, owners } = this.#sources;
    const reasons = gate.reasons(this.#wallet);
    const unowned = owners.holdsOn(this.#wallet);
    const paused = gate.closedStrategy(this.#instance);
    if (unowned.length === 0 && paused === undefined) return reasons;
    const closed = paused === undefined ? [] : [`${this.#instance} is paused: ${paused}`];
    return [...reasons, ...closed, ...unowned];
  }

  get closedSymbols(): ReadonlyMap<string, string> {
    return this.#sources.gate.closedSymbols(this.#wallet);
  }

  /** An operator's own intents go where he wants them. */
  ignores(symbol: string): boolean {
    return this.#instance !== OPERATOR && this.#sources.owners.ignores(this.#wallet, symbol);
  }

  get refusedScopes(): ReadonlySet<Scope> {
    return this.#sources.refusedScopes;
  }

  market(symbol: string): ReturnType<GuardSnapshot['market']> {
    return this.#sources.marks.of(symbol);
  }

  reference(symbol: string): ReturnType<NonNullable<GuardSnapshot['reference']>> {
    return this.#sources.references.of(this.#wallet, symbol);
  }

  position(symbol: string): number {
    return this.#book.position(symbol);
  }

  pending(symbol: string, side: Side): number {
    const { exposure } = this.#sources;
    const onTheirWay = exposure.pending(this.#wallet, symbol, side, this.#sizeOf);
    return this.#book.resting(symbol, side) + onTheirWay;
  }

  highestTrigger(symbol: string, side: Side): number {
    const onItsWay = this.#sources.exposure.highestTrigger(this.#wallet, symbol, side);
    return Math.max(this.#book.highestTrigger(symbol, side), onItsWay);
  }

  closing(symbol: string, side: Side): number {
    // Spot is never short, so that a sale has nothing beyond the holding to reach.
    if (isSpot(symbol)) return 0;
    const { exposure } = this.#sources;
    const onItsWay = exposure.closing(this.#wallet, symbol, side, this.#sizeOf);
    return this.#book.closing(symbol, side) + onItsWay;
  }

  armed(symbol: string, side: Side): number {
    if (isSpot(symbol)) return 0;
    const onItsWay = this.#sources.exposure.armed(this.#wallet, symbol, side);
    return this.#book.armed(symbol, side) + onItsWay;
  }

  get exposedSymbols(): readonly string[] {
    return (this.#exposed ??= distinct(
      this.#book.exposedSymbols(),
      this.#sources.exposure.symbols(this.#wallet),
    ));
  }

  get runningExecutions(): number {
    return this.#book.runningExecutions();
  }

  get startingExecutions(): number {
    return this.#sources.exposure.executions(this.#wallet) + this.#book.armedExecutions();
  }

  uncovered(): ReturnType<GuardSnapshot['uncovered']> {
    return this.#sources.coverage.uncovered().filter(({ wallet }) => wallet === this.#wallet);
  }

  get maintainedRows(): number {
    const { exposure, slots } = this.#sources;
    return this.#book.maintainedRows() + exposure.rows(this.#wallet) - slots.freed(this.#wallet);
  }

  get recentEntries(): number {
    return this.#sources.throttle.recent(this.#instance);
  }

  get throttled(): string | undefined {
    return this.#sources.throttle.latched(this.#instance);
  }

  get equity(): number | undefined {
    return this.#book.equity();
  }

  get dayLoss(): number {
    return this.#book.dayLoss();
  }

  get dayLimitReached(): number | undefined {
    return this.#book.dayLimitReached();
  }

  instrument(symbol: string): InstrumentRecord | undefined {
    return this.#sources.instruments.get(symbol);
  }

  leverage(symbol: string): number | undefined {
    return this.#book.positionRecord(symbol)?.leverage ?? undefined;
  }
}

/** All of both, each once, in their order. */
function distinct(first: readonly string[], second: readonly string[]): readonly string[] {
  if (second.length === 0 && first.length < 2) return first;
  return [...new Set([...first, ...second])];
}
