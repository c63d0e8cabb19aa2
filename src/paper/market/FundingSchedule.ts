import { HOUR_MS } from '../../contract/durations.ts';
import { countUntil } from '../../env/index.ts';

/** Settlements of a symbol: when, and the rate as a fraction (positive: longs pay). Ascending. */
export interface FundingRates {
  time: Float64Array;
  rate: Float64Array;
}

/**
 * One rate for the whole tape, a fraction (positive: longs pay), settled at UTC multiples of an interval
 * in milliseconds.
 */
export interface ConstantFunding {
  constantRate: number;
  /** Whole hours. */
  intervalMs: number;
}

/** The setting of a symbol: a file's settlements, or one rate. */
export type SymbolFunding = FundingRates | ConstantFunding;

/** 0.00125 % an hour, unless configured otherwise (conventions §6). */
export const DEFAULT_FUNDING_RATE = 0.000_012_5;

/** The hour to which a settlement belongs: venues stamp it some milliseconds later. */
export const toHour = (time: number): number => Math.floor(time / HOUR_MS) * HOUR_MS;

/** The next full hour after a time: when positions settle next, as far as the symbol has a rate then. */
export const nextHourAfter = (time: number): number => toHour(time) + HOUR_MS;

/** When perpetuals settle funding and at what rate: a file's rows or one rate, else hourly at the default. */
export class FundingSchedule {
  readonly #files: ReadonlyMap<string, ReadonlyMap<number, number>>;
  readonly #hours: ReadonlyMap<string, readonly number[]>;
  readonly #constants: ReadonlyMap<string, ConstantFunding>;

  constructor(funding: Readonly<Record<string, SymbolFunding>>) {
    const given = Object.entries(funding);
    this.#constants = new Map(
      given.flatMap(([symbol, each]) => ('constantRate' in each ? [[symbol, each]] : [])),
    );
    this.#files = new Map(
      given.flatMap(([symbol, each]) => {
        if ('constantRate' in each) return [];
        const { time, rate } = each;
        return [
          [symbol, new Map(Array.from(time, (at, index) => [toHour(at), rate[index] ?? 0]))],
        ] as const;
      }),
    );
    this.#hours = new Map([...this.#files].map(([symbol, rows]) => [symbol, [...rows.keys()]]));
  }

  rateAt(symbol: string, time: number): number | null {
    if (time % HOUR_MS !== 0) return null;
    const constant = this.#constants.get(symbol);
    if (constant !== undefined) {
      return time % constant.intervalMs === 0 ? constant.constantRate : null;
    }
    const file = this.#files.get(symbol);
    return file === undefined ? DEFAULT_FUNDING_RATE : (file.get(time) ?? null);
  }

  /** The next settlement after `now`. Its rate is the last settled one: a file's future is not shown. */
  next(symbol: string, now: number): { rate: number; nextTime: number } {
    const constant = this.#constants.get(symbol);
    if (constant !== undefined) {
      const { constantRate, intervalMs } = constant;
      return { rate: constantRate, nextTime: (Math.floor(now / intervalMs) + 1) * intervalMs };
    }
    const hours = this.#hours.get(symbol);
    const nextHour = nextHourAfter(now);
    if (hours === undefined) return { rate: DEFAULT_FUNDING_RATE, nextTime: nextHour };
    const index = countUntil(hours, now);
    const last = hours[index - 1];
    const rate =
      last === undefined ? DEFAULT_FUNDING_RATE : (this.#files.get(symbol)?.get(last) ?? 0);
    return { rate, nextTime: hours[index] ?? nextHour };
  }
}
