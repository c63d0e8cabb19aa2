import {
  delayOf,
  type DelayKind,
  type Exchange,
  type ServiceRequest,
} from '../../contract/index.ts';
import { createDelay, type DelaySetting } from '../../env/index.ts';
import type { BarrierLink } from './createBarrierLink.ts';

export interface DelayedLinkOptions {
  /** Milliseconds of the replay from a decision until the service acts on it, by kind. */
  delays: Readonly<Record<DelayKind, DelaySetting>>;
  /** Source of random delays. */
  seed: string | number;
  /** What would arrive after the tape's end arrives at this time, epoch milliseconds. */
  endTime: number;
}

/** A link whose requests wait for market time. */
export interface DelayedLink extends BarrierLink {
  /** Number of requests on their way to the service. */
  held(): number;
  /** When the next of them arrives, epoch milliseconds; Infinity if none is on its way. */
  dueTime(): number;
  /**
   * Delivers the requests due by then to the service, one at a time; effects of an answer are complete
   * before the next request. Returns their number.
   *
   * @param settled resolves when only waiting is left
   */
  arrive(time: number, settled: () => Promise<void>): Promise<number>;
}

interface HeldRequest {
  time: number;
  request: ServiceRequest;
  answer(exchange: Exchange): void;
}

/**
 * Delays a request to the service in market time: the same over sockets and in process, since the delay lies
 * before both. The drive of the replay steps to the time at which a request arrives, and releases it.
 */
export function createDelayedLink<L extends BarrierLink>(
  inner: L,
  { delays, seed, endTime }: DelayedLinkOptions,
): L & DelayedLink {
  const delay = {
    order: createDelay(delays.order, `${seed} order`),
    cancel: createDelay(delays.cancel, `${seed} cancel`),
  };
  /** Ordered by time; requests that arrive together keep the order in which they were sent. */
  const held: HeldRequest[] = [];
  let count = 0;

  const dueTime = (): number => held[0]?.time ?? Infinity;
  const hold = (time: number, request: ServiceRequest): Promise<Exchange> =>
    new Promise((answer) => {
      const at = held.findIndex((other) => other.time > time);
      held.splice(at < 0 ? held.length : at, 0, { time, request, answer });
    });

  return {
    ...inner,
    request(request) {
      const kind = delayOf(request.endpoint);
      if (kind === null || delays[kind] === 0) return inner.request(request);
      return hold(Math.min(inner.market.now() + delay[kind](++count), endTime), request);
    },
    held: () => held.length,
    dueTime,
    nextTaskTime: () => Math.min(inner.nextTaskTime(), dueTime()),
    async arrive(time, settled) {
      let arrived = 0;
      for (; dueTime() <= time; arrived++) {
        const { request, answer } = held.shift()!;
        answer(await inner.request(request));
        await settled();
      }
      return arrived;
    },
  };
}

/** The configured delays between a bot and its paper service. */
export function hasRequestDelay({ order_ms, cancel_ms }: RequestLatency): boolean {
  return order_ms !== 0 || cancel_ms !== 0;
}

export interface RequestLatency {
  order_ms: DelaySetting;
  cancel_ms: DelaySetting;
}
