import { requireFields } from '../../contract/failures/requireFields.ts';
import type { OperatorFunction } from 'rxjs';
import type { z } from 'zod';
import { withCode } from '../../contract/index.ts';
import type { ClosedBar } from '../Bar.ts';
import { barOfTurn, keepReading } from '../createReadings.ts';
import { checkIndicatorParams } from './checkIndicatorParams.ts';
import { compileValue } from './compileRow.ts';
import { DefinedKernel, framesOf } from './DefinedKernel.ts';
import { labelOf } from './labelOf.ts';
import { step } from './step.ts';

/** What a kernel reads: whole bars, or closes alone, and then any stream of numbers as well. */
export type KernelInput = 'bar' | 'close';

/** Names of the values that an indicator gives at a bar: one or several. */
export type SeriesNames = readonly [string, ...string[]];

/** What a kernel returns: its number, or its series by name; nothing while it warms up. */
export type KernelValue<S extends SeriesNames> = S extends readonly [string]
  ? number | null | undefined
  : { readonly [K in S[number]]: number | null | undefined } | null | undefined;

/**
 * One running computation. `next` gets each closed bar once, in order, or its close. It may return the same object
 * at every bar: the values are copied.
 */
export interface StreamingKernel<S extends SeriesNames, F extends KernelInput = 'bar'> {
  next(value: F extends 'close' ? number : ClosedBar): KernelValue<S>;
}

/** An indicator of your own, or of a library: see {@link defineIndicator}. */
export interface IndicatorDefinition<
  P extends z.ZodObject,
  S extends SeriesNames,
  F extends KernelInput = 'bar',
> {
  /** Its name in the journal and in faults: letters, digits, `.`, `-`, `_`. */
  name: string;
  /** A zod object of its parameters; its defaults are the indicator's. Unknown ones are refused. */
  params: P;
  /** `['value']` for an indicator of one number, else the names of its series in their order. */
  series: S;
  /** `bar` if left out. With `close` the operator follows a stream of numbers, too. */
  input?: F;
  /** The bar, counted from 1, at which every series has its first value. What comes earlier is not passed on. */
  warmup(params: z.output<P>): number;
  /** A new kernel for each subscription; it shares no state with another one. */
  create(params: z.output<P>): StreamingKernel<NoInfer<S>, NoInfer<F>>;
}

/** A defined indicator's value at a bar: a number, or its series by name if it has several. */
export type DefinedOutput<S extends SeriesNames> = S extends readonly [string]
  ? number
  : { readonly [K in S[number]]: number };

/** A defined indicator as an operator, for a pipe or for `withIndicators`. */
export interface DefinedIndicator<
  S extends SeriesNames = SeriesNames,
  F extends KernelInput = KernelInput,
> extends OperatorFunction<F extends 'close' ? ClosedBar | number : ClosedBar, DefinedOutput<S>> {
  /** The name in its definition. */
  readonly indicator: string;
  /** The parameters in force, defaults filled in. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly series: S;
  /** Whether it reads whole bars, or closes alone. */
  readonly input: F;
  /** Closed bars until every series has its first value. */
  readonly barsNeeded: number;
}

/** Gives the operator for parameters, which may be left out where the definition has defaults. */
export type IndicatorFactory<
  P extends z.ZodObject,
  S extends SeriesNames,
  F extends KernelInput = 'bar',
> = (
  ...params: {} extends z.input<P> ? [params?: z.input<P>] : [params: z.input<P>]
) => DefinedIndicator<S, F>;

/** Through the global registry, so that the operators of two copies of the package go together. */
const START = Symbol.for('trimtab.indicator');

interface Startable {
  readonly [START]: () => DefinedKernel;
}

const NAME = /^[A-Za-z][\w.-]*$/;

/**
 * Makes an indicator of your own, or of a library, an operator like `ema(20)`: silent while it warms up, then one
 * value a bar, alone in a pipe or beside others in `withIndicators`. The journal records its values under its name
 * and parameters.
 *
 * ```ts
 * const range = defineIndicator({
 *   name: 'range',
 *   series: ['value'],
 *   params: z.object({ period: z.int().min(1).default(14) }),
 *   warmup: ({ period }) => period,
 *   create: ({ period }) => {
 *     const ranges: number[] = [];
 *     return {
 *       next: ({ high, low }) => {
 *         ranges.push(high - low);
 *         if (ranges.length > period) ranges.shift();
 *         return Math.max(...ranges);
 *       },
 *     };
 *   },
 * });
 * ctx.candles(ctx.symbol, '1h').pipe(withIndicators({ wide: range({ period: 20 }) }));
 * ```
 *
 * After its warm-up a kernel must give a finite number for each series at every bar. If it gives none, or NaN, or
 * throws, the stream ends with an error (`TRIMTAB_INDICATOR_VALUE`) that names indicator, parameters and bar, and so
 * does the strategy: a bar that were skipped silently would be a decision that was never made.
 *
 * @throws RangeError `TRIMTAB_INDICATOR_DEFINITION` for a definition that does not fit, here or, for its warm-up and
 *   kernels, where the operator is made; `TRIMTAB_INDICATOR_PARAMETER` there for parameters that do not fit
 */
export function defineIndicator<
  P extends z.ZodObject,
  const S extends SeriesNames,
  F extends KernelInput = 'bar',
>(definition: IndicatorDefinition<P, S, F>): IndicatorFactory<P, S, F> {
  requireFields('defineIndicator', definition, ['name', 'series', 'params', 'warmup', 'create']);
  const { name, series } = definition;
  const input: KernelInput = definition.input ?? 'bar';
  checkDefinition(name, series, input);
  const known = new WeakSet<object>();
  const createKernel = (params: z.output<P>): StreamingKernel<S, F> => {
    const kernel = definition.create(params);
    if (typeof kernel?.next !== 'function')
      throw refuse(name, '`create` gives no object with a `next`. Return { next: (bar) => value }');
    if (known.has(kernel))
      throw refuse(name, '`create` gives the same kernel again. Make a new one in each call');
    known.add(kernel);
    return kernel;
  };
  return (...[given]) => {
    if (isStream(given))
      throw refuse(
        name,
        `a pipe was given it without its parameters. Call it: pipe(${name}({ … }))`,
      );
    const made = framesOf(new Error().stack);
    const params = checkIndicatorParams(name, definition.params, given) as z.output<P>;
    const warmup = definition.warmup(params);
    if (!Number.isSafeInteger(warmup) || warmup < 1)
      throw refuse(name, `\`warmup\` gives ${warmup}. Return a whole number of bars from 1`);
    // Created once and discarded, so that what `create` refuses fails at the line where it is written.
    createKernel(params);
    const facts = { id: name, params, series, input, warmup, made };
    const start = (): DefinedKernel => new DefinedKernel(facts, createKernel(params));
    const operator = Object.assign(operatorOf<S>(start), {
      indicator: name,
      params,
      series,
      input,
      barsNeeded: warmup,
      [START]: start,
    });
    return operator as unknown as DefinedIndicator<S, F>;
  };
}

/** What `pipe` calls an operator with. */
const isStream = (given: unknown): boolean =>
  typeof (given as { subscribe?: unknown } | undefined)?.subscribe === 'function';

/** A fresh kernel of an operator of {@link defineIndicator}; undefined for an indicator of the catalogue. */
export function startDefined(operator: object): DefinedKernel | undefined {
  return START in operator ? (operator as Startable)[START]() : undefined;
}

function operatorOf<S extends SeriesNames>(
  start: () => DefinedKernel,
): OperatorFunction<ClosedBar | number, DefinedOutput<S>> {
  return step((subscription) => {
    const kernel = start();
    const reading = keepReading(subscription, [[labelOf(kernel), kernel]]);
    const read = compileValue(kernel) as () => DefinedOutput<S>;
    return (value, out) => {
      if (!kernel.take(value)) return;
      reading.at(typeof value === 'number' ? barOfTurn() : value);
      out.next(read());
    };
  });
}

function checkDefinition(name: string, series: SeriesNames, input: KernelInput): void {
  if (typeof name !== 'string' || !NAME.test(name))
    throw refuse(name, 'its name must be a letter, then letters, digits, `.`, `-` or `_`');
  if (!Array.isArray(series) || series.length === 0)
    throw refuse(name, "`series` is empty. Write ['value'] for one number");
  for (const line of series as readonly unknown[]) {
    if (typeof line !== 'string' || line === '' || line === '__proto__')
      throw refuse(name, `\`series\` names ${JSON.stringify(line)}. Give each a name of its own`);
  }
  if (new Set(series).size < series.length)
    throw refuse(name, `\`series\` names one twice: ${series.join(', ')}`);
  if (input !== 'bar' && input !== 'close')
    throw refuse(name, `\`input\` is ${JSON.stringify(input)}. Write 'bar' or 'close'`);
}

function refuse(name: string, reason: string): RangeError {
  return withCode(
    'TRIMTAB_INDICATOR_DEFINITION',
    new RangeError(`The indicator ${name} can't be used: ${reason}.`),
  );
}
