import { withCode, type StreamFrame } from '../../contract/index.ts';
import { TaskQueue, type Link, type LinkListener } from '../../env/index.ts';

/** A link whose frames arrive in batches, each ended by the service's `advanced` frame. */
export interface BarrierLink extends Link {
  /** Resolves when every subscription requested so far has been acknowledged or refused. */
  subscribed(): Promise<void>;
  /**
   * Resolves when the next `advanced` frame and everything before it has been delivered.
   *
   * @param ofMany the frames before it are of many instants, and each is delivered at its own
   */
  nextBarrier(ofMany?: boolean): Promise<void>;
  /** When the next task that waits for market time is due, epoch milliseconds; Infinity if there is none. */
  nextTaskTime(): number;
  /** Present if requests have a delay: see `createDelayedLink`. */
  dueTime?(): number;
  arrive?(time: number, settled: () => Promise<void>): Promise<number>;
}

type Waiter = PromiseWithResolvers<void>;

const isMeta = (frame: StreamFrame, event: string): boolean =>
  frame.channel === '_meta' && frame.event === event;

/**
 * Makes a replay over sockets as reproducible as one without. Answers and frames travel on different
 * connections, so which of them arrives first is chance. Holding all frames until the service reports that a
 * step is done gives every run the same order: a step's frames, then the sends that they caused.
 */
export function createBarrierLink(inner: Link): BarrierLink {
  const market = new TaskQueue(0);
  let held: StreamFrame[] = [];
  let unanswered = 0;
  let areOfMany = false;
  /** What a strategy schedules for this instant waits until the start is over, and the replay steps on. Epoch milliseconds. */
  let openedAt = Number.NaN;
  const barrierWaiters: Waiter[] = [];
  const answerWaiters: Waiter[] = [];

  const wait = (waiters: Waiter[]): Promise<void> => {
    const waiter = Promise.withResolvers<void>();
    waiters.push(waiter);
    return waiter.promise;
  };

  /** The frames of a step are delivered at its end, though the service has known them for some time. */
  const deliver = (listener: LinkListener, { ts }: StreamFrame): void => {
    const batch = held;
    held = [];
    const isOpening = ts === openedAt;
    if (!areOfMany && !isOpening) market.advanceTo(ts);
    for (const frame of batch) {
      if (!isOpening) market.advanceTo(frame.ts);
      listener.onFrame(frame);
    }
  };

  const hold = (listener: LinkListener, frame: StreamFrame): void => {
    held.push(frame);
    // From the welcome on market time is paused, before anything is subscribed.
    if (isMeta(frame, 'welcome')) {
      deliver(listener, frame);
      openedAt = frame.ts;
    }
    if (!isMeta(frame, 'advanced')) return;
    deliver(listener, frame);
    for (const { resolve } of barrierWaiters.splice(0)) resolve();
  };

  const countAnswer = (): void => {
    unanswered = Math.max(0, unanswered - 1);
    if (unanswered === 0) for (const { resolve } of answerWaiters.splice(0)) resolve();
  };

  return {
    market,
    open: (listener) =>
      inner.open({
        ...listener,
        onFrame: (frame) => hold(listener, frame),
        onControlFrame(frame) {
          if (frame.kind !== 'result') countAnswer();
          listener.onControlFrame?.(frame);
        },
        onStatus(status) {
          listener.onStatus(status);
          if (status.state !== 'lost') return;
          const lost = withCode(
            'TRIMTAB_SERVICE_UNREACHABLE',
            new Error(`The stream was lost during a replay: ${status.reason}`),
          );
          const waiters = [...barrierWaiters.splice(0), ...answerWaiters.splice(0)];
          for (const { reject } of waiters) reject(lost);
        },
      }),
    subscribe(subscription) {
      unanswered++;
      inner.subscribe(subscription);
    },
    unsubscribe(subscription) {
      unanswered++;
      inner.unsubscribe(subscription);
    },
    request: (request) => inner.request(request),
    close: () => inner.close(),
    subscribed: () => (unanswered === 0 ? Promise.resolve() : wait(answerWaiters)),
    nextBarrier(ofMany = false) {
      areOfMany = ofMany;
      return wait(barrierWaiters);
    },
    nextTaskTime: () => market.nextTime() ?? Infinity,
  };
}
