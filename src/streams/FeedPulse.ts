/** How a feed gives: what tells that something new came, and how long it may give nothing. */
export interface FeedRhythm {
  /** Another value each time something new was given; undefined before the first. */
  given(): number | undefined;
  /** Milliseconds without anything that are never too long. */
  leastMs: number;
  /** How many times its longest gap of late the feed may give nothing. */
  factor: number;
  /** Gaps that must be known before it is judged. */
  leastGaps: number;
}

/** What is left of a long gap with each gap after it: one outage is forgotten within some hundred. */
const FADES = 0.99;

/** Follows what one feed gives, by a monotonic clock, and learns its rhythm. */
export class FeedPulse {
  readonly #rhythm: FeedRhythm;
  #given: number | undefined;
  #heardAt: number;
  #askedAt: number;
  #longestMs = 0;
  #gaps = 0;
  #isSilent = false;

  constructor(rhythm: FeedRhythm, now: number) {
    this.#rhythm = rhythm;
    this.#given = rhythm.given();
    this.#heardAt = now;
    this.#askedAt = now;
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** @returns true when the feed should be asked for anew: at most once in the time it may be silent */
  look(now: number): boolean {
    const given = this.#rhythm.given();
    if (given !== this.#given) this.#hear(given, now);
    if (this.#given === undefined || this.#gaps < this.#rhythm.leastGaps) return false;
    if (now - this.#heardAt <= this.#limitMs()) return false;
    this.#isSilent = true;
    if (now - this.#askedAt <= this.#limitMs()) return false;
    this.#askedAt = now;
    return true;
  }

  /** Time that says nothing about the feed: the connection was gone, or the process did not run. */
  skip(ms: number): void {
    this.#heardAt += ms;
    this.#askedAt += ms;
  }

  #hear(given: number | undefined, now: number): void {
    if (this.#given !== undefined) this.#learn(now - this.#heardAt);
    this.#given = given;
    this.#heardAt = now;
    this.#askedAt = now;
    this.#isSilent = false;
  }

  /** What ended a silence is learned in part: a slower market goes on, an outage is no rhythm. */
  #learn(gapMs: number): void {
    this.#gaps += 1;
    const known = this.#isSilent ? Math.min(gapMs, 2 * this.#limitMs()) : gapMs;
    this.#longestMs = Math.max(known, this.#longestMs * FADES);
  }

  #limitMs(): number {
    const { leastMs, factor } = this.#rhythm;
    return Math.max(leastMs, factor * this.#longestMs);
  }
}
