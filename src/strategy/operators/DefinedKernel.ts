import { withCode } from '../../contract/index.ts';
import type { ClosedBar } from '../Bar.ts';
import { labelOf } from './labelOf.ts';

interface Facts {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly series: readonly string[];
  readonly input: 'bar' | 'close';
  readonly warmup: number;
  /** Frames of the stack at which its operator was made: the plugin's line. */
  readonly made: string;
}

/** A kernel as `defineIndicator` types it for its author. */
interface AnyKernel {
  next(value: never): unknown;
}

/** A kernel of an author at work: it hides the warm-up, and lets only finite numbers through. */
export class DefinedKernel {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly series: readonly string[];
  /** The current value of each series, in the definition's order; NaN before the warm-up has ended. */
  readonly values: Float64Array;
  readonly #kernel: AnyKernel;
  readonly #closes: boolean;
  readonly #warmup: number;
  readonly #made: string;
  #bars = 0;

  constructor({ id, params, series, input, warmup, made }: Facts, kernel: AnyKernel) {
    this.id = id;
    this.params = params;
    this.series = series;
    this.values = new Float64Array(series.length).fill(NaN);
    this.#kernel = kernel;
    this.#closes = input === 'close';
    this.#warmup = warmup;
    this.#made = made;
  }

  /**
   * Takes the next closed bar, or number.
   *
   * @returns whether every series has a value
   * @throws Error if the kernel throws, or has warmed up and gives no finite number
   */
  take(value: ClosedBar | number): boolean {
    this.#bars += 1;
    const result = this.#compute(value);
    if (this.#bars < this.#warmup) return false;
    if (this.series.length === 1) {
      this.#store(0, result, value);
      return true;
    }
    const lines = (result ?? {}) as Record<string, unknown>;
    for (let at = 0; at < this.series.length; at += 1) {
      this.#store(at, lines[this.series[at]!], value);
    }
    return true;
  }

  #compute(value: ClosedBar | number): unknown {
    const given = this.#closes && typeof value !== 'number' ? value.close : value;
    try {
      return this.#kernel.next(given as never);
    } catch (thrown) {
      // Libraries throw strings, which would arrive without a place and a code.
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      throw this.#fault(`failed at ${this.#place(value)}: ${reason}`, thrown);
    }
  }

  #store(at: number, result: unknown, value: ClosedBar | number): void {
    if (typeof result === 'number' && Number.isFinite(result)) {
      this.values[at] = result;
      return;
    }
    const line = this.series.length === 1 ? '' : ` for ${this.series[at]}`;
    const given = typeof result === 'number' ? String(result) : JSON.stringify(result);
    const gave = result === undefined || result === null ? 'no value' : given;
    throw this.#fault(
      `gave ${gave}${line} at ${this.#place(value)}. From bar ${this.#warmup} on each of its values must be a ` +
        'finite number: correct its kernel, or its warmup.',
    );
  }

  #place(value: ClosedBar | number): string {
    if (typeof value === 'number') return `number ${this.#bars} of its input (${value})`;
    const { symbol, interval, time } = value;
    return `the ${symbol} ${interval} bar of ${new Date(time).toISOString()}, bar ${this.#bars} of its input`;
  }

  #fault(what: string, cause?: unknown): Error {
    const text = `The indicator ${labelOf(this)} ${what}`;
    const error = new Error(text, { cause });
    // Its values are computed where no line of the plugin is in the stack: the kernel's own line counts, else the
    // one that made the operator.
    const frames = cause instanceof Error ? framesOf(cause.stack) : '';
    error.stack = `Error: ${text}\n${frames}${this.#made}`;
    return withCode('TRIMTAB_INDICATOR_VALUE', error);
  }
}

/** The frames of a stack, without its message. */
export function framesOf(stack = ''): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.map((frame) => `${frame}\n`).join('');
}
