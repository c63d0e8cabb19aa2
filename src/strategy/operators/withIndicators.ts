import type { Observable, OperatorFunction } from 'rxjs';
import { withCode, type IndicatorId } from '../../contract/index.ts';
import { createIndicator, type Indicator } from '../../indicators/index.ts';
import type { ClosedBar } from '../Bar.ts';
import { keepReading } from '../createReadings.ts';
import { startDefined, type DefinedIndicator } from './defineIndicator.ts';
import { IndicatorRows, named } from '../rows/IndicatorRows.ts';
import { stageOf } from '../rows/RowStage.ts';
import { feed, type IndicatorOperator, type IndicatorOutput } from './indicatorOperator.ts';
import { compileRow } from './compileRow.ts';
import { labelOf } from './labelOf.ts';
import type { RunningIndicator } from './RunningIndicator.ts';
import { step, type Step } from './step.ts';

/** Indicator operators by the names under which their values appear. */
type Spec = Readonly<Record<string, AnyIndicator>>;

/** One of the catalogue, or of `defineIndicator`. */
type AnyIndicator = CatalogueIndicator | AnyDefined;

type AnyDefined = Pick<DefinedIndicator, 'indicator' | 'params' | 'barsNeeded'>;

interface CatalogueIndicator {
  readonly indicator: IndicatorId;
  readonly params: Readonly<Record<string, number | undefined>>;
}

/** A closed bar with the values of its indicators. */
export type WithIndicators<S extends Spec> = { readonly bar: ClosedBar } & {
  readonly [K in keyof S]: S[K] extends IndicatorOperator<infer I>
    ? IndicatorOutput<I>
    : S[K] extends (source: never) => Observable<infer Out>
      ? Out
      : never;
};

/**
 * Adds indicators to closed bars, all of them computed in one pass:
 * `bars$.pipe(withIndicators({ fast: ema(10), slow: ema(30), range: atr(14) }))` gives
 * `{ bar, fast, slow, range }` a bar, from the bar on at which every one is ready.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   withIndicators({ fast: ema(10), slow: ema(30), range: atr(14) }),
 *   filter(({ bar, fast, slow, range }) => fast > slow && bar.close - slow > range),
 * );
 * ```
 *
 * @throws RangeError when a value is named `bar`
 */
export function withIndicators<const S extends Spec>(
  spec: S,
): OperatorFunction<ClosedBar, WithIndicators<S>> {
  return rowsWith(spec, (name, kernel) => `${name} ${labelOf(kernel)}`);
}

/** @param label names an indicator's value in the journal, from its name here and its kernel */
export function rowsWith<const S extends Spec>(
  spec: S,
  label: (name: string, kernel: RunningIndicator) => string,
): OperatorFunction<ClosedBar, WithIndicators<S>> {
  requireIndicators(spec);
  const names = Object.keys(spec);
  if (names.includes('bar'))
    throw withCode(
      'TRIMTAB_INDICATOR_PARAMETER',
      new RangeError('`bar` is the bar itself; choose another name.'),
    );
  return step<ClosedBar, WithIndicators<S>>((out) => {
    const running = names.map((name) => startDefined(spec[name]!) ?? fromCatalogue(spec[name]!));
    const row = compileRow(Object.fromEntries(names.map((name, at) => [name, running[at]!])));
    const reading = keepReading(
      out,
      running.map((kernel, at) => [label(names[at]!, kernel), kernel]),
    );
    // Apart, so that the catalogue's own don't pay for a choice at each bar.
    const kernels = running.filter((kernel) => 'ready' in kernel);
    const defined = running.filter((kernel) => 'take' in kernel);
    const stage = new IndicatorRows(named(names, running), reading, stageOf(out));
    const take: Step<ClosedBar, WithIndicators<S>> = (bar, out) => {
      if (stage.isAhead) {
        if (stage.load()) pass(bar, out);
        return;
      }
      let ready = true;
      // Every kernel has to process every bar, ready or not.
      for (let at = 0; at < kernels.length; at++) {
        if (!feed(kernels[at]!, bar)) ready = false;
      }
      for (let at = 0; at < defined.length; at++) {
        if (!defined[at]!.take(bar)) ready = false;
      }
      if (ready) pass(bar, out);
    };
    const pass: Step<ClosedBar, WithIndicators<S>> = (bar, out) => {
      reading.at(bar);
      out.next(row(bar) as WithIndicators<S>);
    };
    return defined.length === 0 ? Object.assign(take, { stage }) : take;
  });
}

/** @throws RangeError for what is no indicator, and for one that was not called */
function requireIndicators(spec: unknown): void {
  const refuse = (reason: string): never => {
    throw withCode('TRIMTAB_INDICATOR_PARAMETER', new RangeError(`withIndicators: ${reason}.`));
  };
  if (typeof spec !== 'object' || spec === null)
    return refuse('give an object of indicators by name, as { fast: ema(12) }');
  for (const [name, given] of Object.entries(spec)) {
    if (typeof given === 'function' && 'indicator' in given) continue;
    const isUncalled = typeof given === 'function';
    const remedy = isUncalled
      ? `a function that was not called: write ${name}: ${given.name || 'indicator'}(…)`
      : `${String(given)}, which is no indicator: write ${name}: ema(12)`;
    refuse(`${name} is ${remedy}`);
  }
}

function fromCatalogue(operator: AnyIndicator): Indicator {
  const { indicator, params } = operator as CatalogueIndicator;
  return createIndicator(indicator, params);
}
