import { Observable, Subscriber, type OperatorFunction } from 'rxjs';
import { withStage, type RowStage } from '../rows/RowStage.ts';

/** Takes one value, and passes its results to `out`: none, one or several. */
export interface Step<In, Out> {
  (value: In, out: Subscriber<Out>): void;
  /** Of an operator by which a replay can look ahead; see `RowStage`. */
  stage?: RowStage;
}

/**
 * An operator from a step. `start` runs once per subscription, receives its subscriber, and creates its state, so
 * that two subscribers never share any. Errors and completion pass through; a step that throws ends the stream
 * with its error.
 *
 * One subscriber a stage, where `map`, `filter` and `scan` would be three: there are millions of bars.
 */
export function step<In, Out>(
  start: (out: Subscriber<Out>) => Step<In, Out>,
): OperatorFunction<In, Out> {
  return (source) =>
    new Observable<Out>((out) => source.subscribe(new StepSubscriber(out, start(out))));
}

class StepSubscriber<In, Out> extends Subscriber<In> {
  readonly #out: Subscriber<Out>;
  readonly #step: Step<In, Out>;

  constructor(out: Subscriber<Out>, run: Step<In, Out>) {
    // Chained to its destination, it stops the source as soon as the destination has had enough.
    super(out);
    this.#out = out;
    this.#step = run;
    if (run.stage !== undefined) withStage(this, run.stage);
  }

  protected override _next(value: In): void {
    try {
      this.#step(value, this.#out);
    } catch (error) {
      this.#out.error(error);
    }
  }
}
