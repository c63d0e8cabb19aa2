import { FEE_TIERS } from '../../contract/index.ts';
import { DAY_MS } from '../../contract/durations.ts';

const WINDOW_MS = 14 * DAY_MS;

/** The content of the window, as plain data. */
export interface SavedVolume {
  times: number[];
  notionals: number[];
  total: number;
}

/** Traded volume of the last 14 days, to the millisecond (ACC-2). */
export class VolumeWindow {
  #times: number[] = [];
  #notionals: number[] = [];
  #first = 0;
  #total = 0;

  /** Forgets what is older, too: where the service's fee is fixed, nothing reads the volume. */
  add(time: number, notional: number): void {
    this.at(time);
    this.#times.push(time);
    this.#notionals.push(notional);
    this.#total += notional;
  }

  at(now: number): number {
    while (this.#first < this.#times.length && this.#times[this.#first]! <= now - WINDOW_MS) {
      this.#total -= this.#notionals[this.#first++]!;
    }
    if (this.#first === this.#times.length) this.#reset();
    else if (this.#first > 1_000 && this.#first * 2 > this.#times.length) this.#forgetOld();
    return this.#total;
  }

  save(): SavedVolume {
    const from = this.#first;
    const [times, notionals] = [this.#times.slice(from), this.#notionals.slice(from)];
    return { times, notionals, total: this.#total };
  }

  restore({ times, notionals, total }: SavedVolume): void {
    this.#times = [...times];
    this.#notionals = [...notionals];
    this.#first = 0;
    this.#total = total;
  }

  #reset(): void {
    this.#times = [];
    this.#notionals = [];
    this.#first = 0;
    // Subtraction leaves rounding errors; an empty window is exactly zero.
    this.#total = 0;
  }

  #forgetOld(): void {
    this.#times = this.#times.slice(this.#first);
    this.#notionals = this.#notionals.slice(this.#first);
    this.#first = 0;
    this.#total = this.#notionals.reduce((sum, notional) => sum + notional, 0);
  }
}

/** The tier of a 14-day volume (quote units), and the next tier. */
export function feeTier(volume: number): {
  tier: (typeof FEE_TIERS)[number];
  next: (typeof FEE_TIERS)[number] | null;
} {
  const index = FEE_TIERS.findLastIndex(({ fromVolume }) => volume >= fromVolume);
  return { tier: FEE_TIERS[Math.max(0, index)]!, next: FEE_TIERS[Math.max(0, index) + 1] ?? null };
}
