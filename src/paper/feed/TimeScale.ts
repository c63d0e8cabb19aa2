const UNITS = [
  { name: 'seconds', below: 1e11, perMs: 1e-3 },
  { name: 'milliseconds', below: 1e14, perMs: 1 },
  { name: 'microseconds', below: 1e17, perMs: 1e3 },
  { name: 'nanoseconds', below: Infinity, perMs: 1e6 },
] as const;

/** The unit of a time, inferred from its size; for messages. */
export function unitOf(time: number): string {
  return UNITS.find(({ below }) => time < below)?.name ?? UNITS[1].name;
}

/**
 * The unit of a file's times, inferred from their size: years from 1973 to 5138 in one unit are centuries
 * away in every other. A file that changes its unit is refused.
 */
export class TimeScale {
  #unit: (typeof UNITS)[number] | null = null;

  /** For messages, if it is not the usual one. */
  get notes(): string[] {
    const { name } = this.#unit ?? UNITS[1];
    return name === 'milliseconds' ? [] : [`Its times are ${name}.`];
  }

  /** Epoch milliseconds; null if the unit differs from that of the rows before. */
  toMs(value: number): number | null {
    if (!(value > 0) || value === Infinity) return value;
    const unit = UNITS.find(({ below }) => value < below)!;
    this.#unit ??= unit;
    if (unit !== this.#unit) return null;
    // Doubles can't resolve nanoseconds; they can resolve microseconds.
    if (unit.perMs === 1e6) return Math.round(value / 1e3) / 1e3;
    return unit.perMs < 1 ? Math.round(value * 1e3) : value / unit.perMs;
  }

  /** The problem of a row in another unit. */
  mixed(): { message: string; remedy: string } {
    const message = `is not a time in ${this.#unit?.name}, as the rows before it are.`;
    return { message, remedy: 'A file has one unit of time: split it where the unit changes.' };
  }
}
