import { map, type OperatorFunction } from 'rxjs';
import {
  indicatorEntry,
  type IndicatorId,
  type IndicatorParams,
  type SeriesOf,
} from '../contract/index.ts';
import type { ClosedBar } from './Bar.ts';
import { indicatorOperator } from './operators/indicatorOperator.ts';
import { labelOf } from './operators/labelOf.ts';
import { rowsWith } from './operators/withIndicators.ts';

/** An indicator at one closed bar: `value` if it has one line, `series` if it has several. */
export type IndicatorPoint<I extends IndicatorId> = {
  /** Open time of the bar, epoch milliseconds (MKT-2). */
  bar_time: number;
  bar: ClosedBar;
} & (SeriesOf<I> extends 'value'
  ? { value: number }
  : { series: { readonly [S in SeriesOf<I>]: number } });

/** Closed bars → the indicator's points, from the first bar where every line has a value. */
export function indicatorPoints<I extends IndicatorId>(
  id: I,
  params: IndicatorParams<I> = {},
): OperatorFunction<ClosedBar, IndicatorPoint<I>> {
  const isSingle = indicatorEntry(id).series.length === 1;
  const points = map(({ bar, read }: { bar: ClosedBar; read: unknown }) => {
    const lines = isSingle ? { value: read } : { series: read };
    return { bar_time: bar.time, bar, ...lines } as unknown as IndicatorPoint<I>;
  });
  const rows = rowsWith({ read: indicatorOperator(id, params) }, (_name, kernel) =>
    labelOf(kernel),
  );
  return (bars$) => bars$.pipe(rows, points);
}
