import { INTERVAL_MS, type Interval } from '../contract/intervals.ts';
import type { Cancel } from '../env/Clock.ts';

/**
 * The bars of one strategy instance across its symbols and intervals. What comes in blocks, one stream after the other
 * (the history at the start, and what closed during an outage), is held until every stream has its own, and delivered by
 * time: in the order in which the bars would have come live.
 */
export interface BarSequence {
  /**
   * A subscription of the instance.
   *
   * @param onHeld the first bar of its history is held
   */
  join(symbol: string, interval: Interval, onHeld: () => void): BarPlace;
  /** The instance is set up: streams that it subscribes to from now on are not waited for. */
  begin(): void;
  /** If anything is held, as {@link giveUp}. */
  release(): void;
  /** What is held is delivered, and no block is waited for any more. */
  giveUp(): void;
}

/**
 * What a subscription delivers: a bar of its history, the end of that, a bar that closed during an outage, or anything
 * that happens now.
 */
export type BarKind = 'history' | 'loaded' | 'catch_up' | 'live';

/** One subscription among those of its instance. */
export interface BarPlace {
  /** Whether what it is handed is delivered at once. */
  readonly isPassing: boolean;
  /**
   * Delivers now, or when its turn comes.
   *
   * @param time at which it happened, epoch milliseconds
   */
  hand(kind: BarKind, time: number, deliver: () => void): void;
  /** A block will come, of what closes until then. */
  awaitBlock(): void;
  /** The block has come, with or without bars. */
  settle(): void;
  leave(): void;
}

export interface BarSequenceOptions {
  /** Of the symbol among those of the service, which publishes what closes at one instant in that order. */
  placeOf(symbol: string): number;
  /** Number of those symbols. */
  symbols: number;
  /**
   * Calls back after the longest time for which anything is held: `due` at that time, and `end` once what arrived until
   * then was delivered. A replay's step delivers snapshots at its end, long after that time.
   */
  limit(due: () => void, end: () => void): Cancel;
}

/**
 * For so long a stream without its block is waited for. Decisions upon the others wait as long, exits too: beyond it
 * they are worth more than the order.
 */
export const LONGEST_HOLD_MS = 5_000;

interface Held {
  place: Place;
  time: number;
  deliver: () => void;
}

export function createBarSequence(options: BarSequenceOptions): BarSequence {
  return new Sequence(options);
}

class Sequence implements BarSequence {
  readonly #options: BarSequenceOptions;
  readonly #places = new Set<Place>();
  /** `opening` until the instance is set up: more streams may be about to join. */
  #state: 'opening' | 'holding' | 'passing' = 'opening';
  #isReleasing = false;
  /** It has held for its longest time: the next that happens live ends it. */
  #isDue = false;
  #held: Held[] = [];
  #joined = 0;
  #cancel: Cancel | undefined;

  constructor(options: BarSequenceOptions) {
    this.#options = options;
  }

  get isPassing(): boolean {
    return this.#state === 'passing';
  }

  join(symbol: string, interval: Interval, onHeld: () => void): BarPlace {
    const { placeOf, symbols } = this.#options;
    // Shorter bars come first, and those of one length in the order of the service's symbols.
    const rank = INTERVAL_MS[interval] * symbols + placeOf(symbol);
    const place = new Place(this, { rank, order: this.#joined++, onHeld });
    if (this.#state === 'opening') place.isAwaited = true;
    else place.isLate = true;
    this.#places.add(place);
    return place;
  }

  begin(): void {
    if (this.#state !== 'opening') return;
    this.#state = 'holding';
    if (!this.#isWaiting()) this.giveUp();
    else if (this.#held.length > 0) this.#limit();
  }

  hand(place: Place, kind: BarKind, time: number, deliver: () => void): void {
    if (this.#passes(place, kind)) return deliver();
    if (this.#state === 'passing') this.#state = 'holding';
    this.#held.push({ place, time, deliver });
    const isFirst = !place.hasHeld;
    place.hasHeld = true;
    if (this.#isReleasing) return;
    if (this.#state === 'holding') {
      // Or the last that was waited for has left.
      if ((this.#isDue && kind === 'live') || !this.#isWaiting()) return this.giveUp();
      this.#limit();
    }
    // The last block that was waited for is delivered as soon as it is whole.
    const isWhole = this.#state === 'holding' && !this.#isWaiting(place);
    if (isFirst && kind === 'history' && !isWhole) place.onHeld();
  }

  #passes(place: Place, kind: BarKind): boolean {
    if (place.isLate) return true;
    if (kind === 'loaded') return !place.hasHeld;
    if (this.#state === 'opening' || this.#isReleasing || this.#held.length > 0) return false;
    // What happens now waits for what is held, and for nothing else.
    return kind === 'live' || !this.#isWaiting(place);
  }

  settle(place: Place): void {
    place.isAwaited = false;
    place.isLate = false;
    if (this.#state === 'holding' && !this.#isWaiting()) this.giveUp();
  }

  leave(place: Place): void {
    // Nothing is delivered from here: all others may be about to leave.
    this.#places.delete(place);
    if (this.#places.size > 0) return;
    this.#stopLimit();
    this.#held = [];
  }

  release(): void {
    if (this.#held.length > 0) this.giveUp();
  }

  giveUp(): void {
    if (this.#state === 'passing' || this.#isReleasing) return;
    this.#stopLimit();
    this.#isReleasing = true;
    for (const place of this.#places) place.isAwaited = place.hasHeld = false;
    const held = this.#held.sort(inOrder);
    // What comes meanwhile is appended.
    for (let at = 0; at < held.length; at++) {
      const { place, deliver } = held[at]!;
      if (this.#places.has(place)) deliver();
    }
    this.#held = [];
    this.#isReleasing = false;
    this.#state = 'passing';
  }

  #limit(): void {
    this.#cancel ??= this.#options.limit(
      () => (this.#isDue = true),
      () => this.giveUp(),
    );
  }

  #stopLimit(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isDue = false;
  }

  /** Whether a block has yet to come, for a stream other than this one. */
  #isWaiting(other?: Place): boolean {
    for (const place of this.#places) if (place !== other && place.isAwaited) return true;
    return false;
  }
}

interface PlaceAbout {
  rank: number;
  order: number;
  onHeld: () => void;
}

class Place implements BarPlace {
  isAwaited = false;
  /** It joined a running instance: its own history is delivered at once, as part of what requested it. */
  isLate = false;
  /** Something of it is held. */
  hasHeld = false;
  readonly rank: number;
  readonly order: number;
  readonly onHeld: () => void;
  readonly #sequence: Sequence;

  constructor(sequence: Sequence, { rank, order, onHeld }: PlaceAbout) {
    this.#sequence = sequence;
    this.rank = rank;
    this.order = order;
    this.onHeld = onHeld;
  }

  get isPassing(): boolean {
    return this.#sequence.isPassing;
  }

  hand(kind: BarKind, time: number, deliver: () => void): void {
    this.#sequence.hand(this, kind, time, deliver);
  }

  awaitBlock(): void {
    this.isAwaited = true;
  }

  settle(): void {
    this.#sequence.settle(this);
  }

  leave(): void {
    this.#sequence.leave(this);
  }
}

/** The sort is stable, and what one stream is handed ascends by time. */
const inOrder = (a: Held, b: Held): number =>
  a.time - b.time || a.place.rank - b.place.rank || a.place.order - b.place.order;
