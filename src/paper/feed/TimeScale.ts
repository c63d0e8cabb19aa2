const UNITS = [
  { name: 'seconds', below: 1e11, perMs: 1e-3 },
  { name: 'milliseconds', below: 1e14, perMs: 1 },
  { name: 'microseconds', below: 1e17, perMs: 1e3 },
  { name: 'nanoseconds', below: Infinity, perMs: 1e6 },
] as const;

/** A date as one number, which as seconds would be a time of 1970. */
const DATES = { name: 'dates such as 20240131' } as const;

/** The unit of a time, inferred from its size; for messages. */
export function unitOf(time: number): string {
  if (isDate(time)) return DATES.name;
  return UNITS.find(({ below }) => time < below)?.name ?? UNITS[1].name;
}

/**
 * The unit of a file's times, inferred from their size: years from 1973 to 5138 in one unit are centuries
 * away in every other, and dates of the last and this century are seconds of 1970. A file that changes its unit is
 * refused.
 */
export class TimeScale {
  #unit: (typeof UNITS)[number] | typeof DATES | null = null;

  /** For messages, if it is not the usual one. */
  get notes(): string[] {
    const { name } = this.#unit ?? UNITS[1];
    return name === 'milliseconds' ? [] : [`Its times are ${name}.`];
  }

  /** Whether its times are dates: days without a time. */
  get isOfDates(): boolean {
    return this.#unit === DATES;
  }

  /** Epoch milliseconds; null if the unit differs from that of the rows before. */
  toMs(value: number): number | null {
    if (!(value > 0) || value === Infinity) return value;
    const date = dateOf(value);
    if (date !== null) {
      this.#unit ??= DATES;
      return this.isOfDates ? date : null;
    }
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

export const isDate = (time: number): boolean => dateOf(time) !== null;

/** Midnight (UTC) of a date that is written as one number, `20240131`; null for any other number. */
function dateOf(value: number): number | null {
  if (!(value >= 19000101 && value <= 20991231)) return null;
  const [year, month, day] = [Math.floor(value / 1e4), Math.floor(value / 100) % 100, value % 100];
  const date = new Date(Date.UTC(year, month - 1, day));
  // Date.UTC turns 31 February into 2 March.
  const isSame = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isSame ? date.getTime() : null;
}
