/** A step of an intent through the pipe. It ends in one way: it calls `ended` once, done or failed. */
export type Step = (ended: () => void) => void;

type Work<T> = () => T | Promise<T>;

export interface Steps {
  /** Does the work; it ends when the work is done, at once or later. */
  of(work: Work<void>): Step;
  /** Does the work, and continues with what that leads to. */
  chain<T>(work: Work<T>, next: (result: T, isAtOnce: boolean) => Step): Step;
  /** The same step, at the latest when this turn of the event loop is over. */
  leaving(step: Step): Step;
  /** Runs pending sends at once. */
  flush(): void;
}

const NOTHING: Step = (ended) => ended();

/** @param onFailure receives what any of the work throws or rejects with */
export function createSteps(onFailure: (error: unknown) => void): Steps {
  const waiting: Array<() => void> = [];
  let willFlush = false;

  function chain<T>(work: Work<T>, next: (result: T, isAtOnce: boolean) => Step): Step {
    return (ended) => {
      let result: T | Promise<T>;
      try {
        result = work();
      } catch (error) {
        onFailure(error);
        return ended();
      }
      if (!(result instanceof Promise)) return next(result, true)(ended);
      void result.then(
        (done) => next(done, false)(ended),
        (error: unknown) => {
          onFailure(error);
          ended();
        },
      );
    };
  }

  const flush = (): void => {
    for (let leave = waiting.shift(); leave !== undefined; leave = waiting.shift()) leave();
  };

  return {
    of: (work) => chain(work, () => NOTHING),
    chain,
    leaving: (step) => (ended) => {
      waiting.push(() => step(ended));
      if (willFlush) return;
      willFlush = true;
      void Promise.resolve().then(() => {
        willFlush = false;
        flush();
      });
    },
    flush,
  };
}
