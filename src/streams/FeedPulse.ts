/** How a feed delivers: what indicates new data, and how long it may deliver nothing. */
export interface FeedRhythm {
  /** Changes each time something new was delivered; undefined before the first. */
  given(): number | undefined;
  /** A silence of this many milliseconds is never too long. */
  leastMs: number;
  /** The allowed silence as a multiple of the longest recent gap. */
  factor: number;
  /** Gaps that must be known before the feed is evaluated. */
  leastGaps: number;
}

/** Decay of a long gap with each gap after it: one outage is forgotten within some hundred. */
const FADES = 0.99;

/** Follows the deliveries of one feed, by a monotonic clock, and learns its rhythm. */
export class FeedPulse {
  readonly #rhythm: FeedRhythm;
  #given: number | undefined;
  #lastFrameAt: number;
  #askedAt: number;
  #longestMs = 0;
  #gaps = 0;
  #isSilent = false;

  constructor(rhythm: FeedRhythm, now: number) {
    this.#rhythm = rhythm;
    this.#given = rhythm.given();
    this.#lastFrameAt = now;
    this.#askedAt = now;
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** @returns true when the feed should be subscribed again: at most once per allowed silence */
  look(now: number): boolean {
    const given = this.#rhythm.given();
    if (given !== this.#given) this.#hear(given, now);
    if (this.#given === undefined || this.#gaps < this.#rhythm.leastGaps) return false;
    if (now - this.#lastFrameAt <= this.#limitMs()) return false;
    this.#isSilent = true;
    if (now - this.#askedAt <= this.#limitMs()) return false;
    this.#askedAt = now;
    return true;
  }

  /** Excludes time that shows nothing about the feed: the connection was lost, or the process did not run. */
  skip(ms: number): void {
    this.#lastFrameAt += ms;
    this.#askedAt += ms;
  }

  #hear(given: number | undefined, now: number): void {
    if (this.#given !== undefined) this.#learn(now - this.#lastFrameAt);
    this.#given = given;
    this.#lastFrameAt = now;
    this.#askedAt = now;
    this.#isSilent = false;
  }

  /** The silence that just ended is learned in part: a slower market continues, an outage is no rhythm. */
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
