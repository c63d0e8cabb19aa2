import type { StreamFrame } from '../contract/index.ts';
import { TaskQueue, type Link, type LinkListener } from '../env/index.ts';

/** A link whose frames arrive in batches, each ended by the service's `advanced` frame. */
export interface BarrierLink extends Link {
  /** Resolves when the next `advanced` frame and everything before it has been delivered. */
  nextBarrier(): Promise<void>;
}

const endsBatch = (frame: StreamFrame): boolean =>
  frame.channel === '_meta' && frame.event === 'advanced';

/**
 * Makes a replay over sockets as reproducible as one without. Answers and frames travel on different
 * connections, so which of them comes first is chance; holding all frames until the service says that
 * a step is done gives every run the same order: a step's frames, then the sends that came of them.
 */
export function createBarrierLink(inner: Link): BarrierLink {
  const market = new TaskQueue(0);
  let held: StreamFrame[] = [];
  const waiters: Array<{ resolve: () => void; reject: (reason: Error) => void }> = [];
  let listener: LinkListener | undefined;

  const deliver = (): void => {
    const batch = held;
    held = [];
    for (const frame of batch) {
      market.advanceTo(frame.ts);
      listener?.onFrame(frame);
    }
    for (const { resolve } of waiters.splice(0)) resolve();
  };

  return {
    market,
    open(next) {
      listener = next;
      return inner.open({
        ...next,
        onFrame(frame) {
          held.push(frame);
          if (endsBatch(frame)) deliver();
        },
        onStatus(status) {
          next.onStatus(status);
          if (status.state !== 'lost') return;
          const lost = new Error(`The stream was lost during a replay: ${status.reason}`);
          for (const { reject } of waiters.splice(0)) reject(lost);
        },
      });
    },
    subscribe: (subscription) => inner.subscribe(subscription),
    unsubscribe: (subscription) => inner.unsubscribe(subscription),
    request: (request) => inner.request(request),
    close: () => inner.close(),
    nextBarrier: () => new Promise((resolve, reject) => waiters.push({ resolve, reject })),
  };
}
