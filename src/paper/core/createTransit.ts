import { delayOf, type EndpointId } from '../../contract/index.ts';
import { createDelay, TaskQueue, type DelaySetting } from '../../env/index.ts';

/** The configured latencies between a client and the venue, in milliseconds of the replay. */
export interface Latency {
  /** From the request until the service acts on it. */
  order_ms: DelaySetting;
  /** The same for requests that cancel, stop or pause. */
  cancel_ms: DelaySetting;
  /** From an event until its frame is delivered. */
  data_ms: DelaySetting;
}

export const NO_LATENCY: Latency = { order_ms: 0, cancel_ms: 0, data_ms: 0 };

/** What is in transit in the replay's time: frames to clients, requests to the venue. */
export interface Transit {
  /** Requests and frames that have arrived so far. */
  readonly arrivals: number;
  /** When the next one arrives; Infinity if nothing is in transit. */
  nextTime(): number;
  /** Delivers all that arrives until then, in order. */
  advanceTo(time: number): void;
  /** Whether any kind of request has a delay. */
  readonly delaysRequests: boolean;
  /** Runs the callback when a request of that kind reaches the venue: at once if it has no delay. */
  toVenue(endpoint: EndpointId, run: () => void): void;
  /**
   * Runs the callback when a frame of this instant reaches `line`; frames of one line keep their order.
   * null: frames have no delay.
   */
  toClient: ((line: object, run: () => void) => void) | null;
}

/**
 * @param replay the present time and the tape's end: what would arrive after the end arrives at the end
 * @param seed seed of the delays
 */
export function createTransit(
  latency: Latency,
  replay: { readonly now: number; readonly endTime: number },
  seed: string | number,
): Transit {
  const queue = new TaskQueue(replay.now);
  const delays = {
    order: createDelay(latency.order_ms, `${seed} order`),
    cancel: createDelay(latency.cancel_ms, `${seed} cancel`),
    data: createDelay(latency.data_ms, `${seed} data`),
  };
  const hasDelay = { order: latency.order_ms !== 0, cancel: latency.cancel_ms !== 0 };
  /** When the last frame on a line arrives. */
  const lastOn = new WeakMap<object, number>();
  let requests = 0;
  let arrivals = 0;

  const arrive = (time: number, run: () => void): void => {
    queue.at(Math.min(time, replay.endTime), () => {
      arrivals++;
      run();
    });
  };

  return {
    get arrivals() {
      return arrivals;
    },
    nextTime: () => queue.nextTime() ?? Infinity,
    advanceTo: (time) => queue.advanceTo(time),
    delaysRequests: hasDelay.order || hasDelay.cancel,
    toVenue(endpoint, run) {
      const kind = delayOf(endpoint);
      if (kind === null || !hasDelay[kind]) return run();
      arrive(replay.now + delays[kind](++requests), run);
    },
    toClient:
      latency.data_ms === 0
        ? null
        : (line, run) => {
            // Drawn by the instant, so that other subscriptions do not change it.
            const time = replay.now + delays.data(replay.now);
            const arrival = Math.max(time, lastOn.get(line) ?? -Infinity);
            lastOn.set(line, arrival);
            arrive(arrival, run);
          },
  };
}
