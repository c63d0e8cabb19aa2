import type { z } from 'zod';
import {
  defineIndicator,
  type IndicatorDefinition,
  type IndicatorFactory,
  type KernelInput,
  type SeriesNames,
  type StreamingKernel,
} from '../strategy/operators/index.ts';
import { loadLibrary, refuseRounding, type Library } from './loadLibrary.ts';

interface Adaptation<
  P extends z.ZodObject,
  S extends SeriesNames,
  F extends KernelInput,
> extends Omit<IndicatorDefinition<P, S, F>, 'create'> {
  create(params: z.output<P>, library: Library): StreamingKernel<NoInfer<S>, NoInfer<F>>;
}

/** An indicator of the library as one of Trimtab's, `ti.NAME` in the journal. */
export function adapt<
  P extends z.ZodObject,
  const S extends SeriesNames,
  F extends KernelInput = 'bar',
>(adaptation: Adaptation<P, S, F>): IndicatorFactory<P, S, F> {
  return defineIndicator<P, S, F>({
    ...adaptation,
    name: `ti.${adaptation.name}`,
    create: (params) => {
      const library = loadLibrary();
      refuseRounding(library);
      return adaptation.create(params, library);
    },
  });
}

/** Of empty arrays: the library's constructors compute what they are given, and the stream comes later. */
const NO_HISTORY = { values: [], open: [], high: [], low: [], close: [], volume: [] };

/**
 * A kernel of a class of the library.
 *
 * @param mend what to give for a value that the library has no number for
 */
export function streamed<S extends SeriesNames, F extends KernelInput>(
  library: Library,
  name: `${Uppercase<string>}${string}`,
  params: Readonly<Record<string, unknown>>,
): StreamingKernel<S, F> {
  // By default the library rounds if its global precision was set.
  const input = { ...NO_HISTORY, ...params, format: (value: number) => value };
  const indicator = new library[name]!(input);
  return {
    next: (value) => {
      refuseRounding(library);
      return indicator.nextValue(value) as never;
    },
  };
}
