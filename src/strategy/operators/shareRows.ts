import { Observable, share, type MonoTypeOperatorFunction, type Subscriber } from 'rxjs';
import { FanOutRows } from '../rows/FanOutRows.ts';
import { stageOf } from '../rows/RowStage.ts';
import { step } from './step.ts';

/**
 * One subscription to the source for all subscribers, as RxJS's `share()`; a backtest looks through it for the next bar
 * at which anything is decided.
 *
 * ```ts
 * const rows$ = ctx.candles(ctx.symbol, '1h').pipe(withIndicators({ fast: ema(5), slow: ema(15) }), shareRows());
 * merge(
 *   rows$.pipe(crossesOver(({ fast }) => fast, ({ slow }) => slow)),
 *   rows$.pipe(crossesUnder(({ fast }) => fast, ({ slow }) => slow)),
 * );
 * ```
 */
export function shareRows<T>(): MonoTypeOperatorFunction<T> {
  return (source) => {
    const stage = new FanOutRows();
    const pass = (value: T, out: Subscriber<T>): void => out.next(value);
    const shared$ = source.pipe(
      step<T, T>(() => Object.assign(pass, { stage })),
      share(),
    );
    return new Observable((subscriber) => {
      subscriber.add(stage.join(stageOf(subscriber)));
      return shared$.subscribe(subscriber);
    });
  };
}
