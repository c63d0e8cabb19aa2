import { requireFields } from '../../contract/failures/requireFields.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { Observable, type OperatorFunction, type Subscriber } from 'rxjs';
import type { Intent } from '../../intents/index.ts';
import { checkPair, checkTarget } from './checkPair.ts';
import { createPairKeeper } from './createPairKeeper.ts';
import type { PairContext } from './createPairLeg.ts';
import type { PairLegs, PairOptions, PairTarget } from './Pair.ts';

const DEFAULTS = { name: 'pair', unwind_after_ms: 30_000, tolerance: 0.02, retry_ms: 5_000 };

/**
 * Keeps two perpetuals in a ratio of their values, in step with a stream of targets: `value` of the leg `long`
 * against `value × hedge_ratio` of the leg `short`. Sizes are worked out at the marks at which a target comes.
 *
 * Both legs move by market orders in steps of at most `max_naked`, and the next step waits until they are in balance:
 * what one leg holds without its counterpart is never worth more, whatever is denied, rejected, filled in part or
 * not answered. The leg that is behind is completed; after `unwind_after_ms` the other one is reduced to it, and the
 * leg that was behind goes first from then on. Reductions are reduce-only, and pass where entries are denied.
 *
 * ```ts
 * ctx.candles('ETH', '1h').pipe(
 *   map(({ close }) => ({ value: close > 3_000 ? 0 : 5_000, hedge_ratio: 1.2 })),
 *   keepPair(ctx, { long: 'ETH', short: 'BTC' }, { max_naked: 500 }),
 * );
 * ```
 *
 * @throws RangeError for symbols and options that make no pair; a target that makes none ends the strategy
 */
export function keepPair(
  ctx: PairContext,
  legs: PairLegs,
  options: PairOptions,
): OperatorFunction<PairTarget, Intent> {
  requireFields('keepPair', legs, ['long', 'short']);
  const settings = { ...DEFAULTS, ...withoutUndefined(options) };
  checkPair(legs, settings);
  return (target$) => new Observable((out) => keep(out, target$));

  function keep(out: Subscriber<Intent>, target$: Observable<PairTarget>): () => void {
    const keeper = createPairKeeper(ctx, legs, settings);
    let isStarting = true;
    let wake: { time: number; cancel(): void } | undefined;

    function act(take: () => void): void {
      try {
        take();
        // Nothing can be proposed in the turn of setup: what arrives then is handled in the turn of the first event.
        if (isStarting) return;
        for (const intent of keeper.step()) out.next(intent);
      } catch (fault) {
        // A subscriber that throws ends no stream: the strategy would go on without its pair.
        return out.error(fault);
      }
      sleep(keeper.wakeTime());
    }

    function sleep(time: number | undefined): void {
      if (time === wake?.time) return;
      wake?.cancel();
      wake = undefined;
      if (time === undefined) return;
      const due = ctx.scheduler.schedule(
        () => {
          wake = undefined;
          act(() => {});
        },
        Math.max(0, time - ctx.now()),
      );
      wake = { time, cancel: () => due.unsubscribe() };
    }

    const error = (fault: unknown): void => out.error(fault);
    const on = <T>(source$: Observable<T>, take: (value: T) => void): void => {
      out.add(source$.subscribe({ next: (value) => act(() => take(value)), error }));
    };
    on(target$, (target) => keeper.setTarget(checkTarget(target)));
    on(ctx.orders$, () => {});
    on(ctx.outcomes$, (outcome) => keeper.follow(outcome));
    for (const symbol of [legs.long, legs.short]) {
      on(ctx.position(symbol), (position) => keeper.onPosition(symbol, position));
      on(ctx.price(symbol), ({ mark }) => keeper.onPrice(symbol, mark));
    }
    isStarting = false;
    return () => wake?.cancel();
  }
}
